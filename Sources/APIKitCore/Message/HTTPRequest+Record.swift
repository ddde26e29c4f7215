extension HTTPRequest {
    /// The same request for a record: without closures, and so without what they hold. It equals this one.
    ///
    /// The endpoint stays, with whatever its properties hold.
    package var withoutClosures: HTTPRequest {
        guard
            progress != nil || isSuccess != nil || deadline != nil || mayResend != nil || mayReplace != nil
                || body != nil
        else { return self }
        var request = self
        request.progress = nil
        request.isSuccess = nil
        request.deadline = nil
        request.mayResend = nil
        request.mayReplace = nil
        if let body { request.body = body.withoutStreams }
        return request
    }
}
