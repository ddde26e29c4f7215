/// One sending of a request, and what to send if it fails.
struct Attempt: Sendable {
    /// The request, without the caller's closure for progress.
    var request: HTTPRequest
    /// When the first attempt began.
    var queued = ContinuousClock.now
    /// Whether the request is sent again because its connection broke.
    var isRetry = false
    /// How many credentials of the session's delegate the server has refused.
    var refusedCredentials = 0

    /// Ends an attempt whose request is to be sent again with a credential of the session's delegate (RFC 7617).
    struct NeedsCredential: Error, CustomStringConvertible {
        let authorization: String
        var description: String { "the request is sent again with a credential" }

        init(_ credential: URLCredential) {
            let pair = "\(credential.user ?? ""):\(credential.password ?? "")"
            authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
    }

    /// Whether another credential may be tried; a delegate that always gives a wrong one would go on forever.
    var allowsCredential: Bool { refusedCredentials < 5 }

    /// The attempt that follows this one: with a credential, or once its connection broke before a response and the method
    /// is idempotent (RFC 9110, section 9.2.2); nil if the request must not be sent again.
    func next(after error: any Error, hasResponse: Bool) -> Attempt? {
        var next = self
        if let credential = error as? NeedsCredential {
            next.request.headers[.authorization] = credential.authorization
            next.refusedCredentials += 1
            return next
        }
        let isLost = (error as? TransportError)?.code == .connectionLost
        guard isLost, !hasResponse, !isRetry, request.method.isIdempotent else { return nil }
        next.isRetry = true
        return next
    }
}
