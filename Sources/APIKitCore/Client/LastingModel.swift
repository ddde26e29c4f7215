/// A model that is still being read when `send` has returned, and then fails as its endpoint does.
package protocol LastingModel {
    /// The same model, read as that of an endpoint's response.
    func read(in context: ReadingContext) -> Self
}

/// What a ``LastingModel`` knows of its request and the response.
package struct ReadingContext: Sendable {
    /// The clock of the client.
    package let clock: any Clock<Duration>
    /// The response, without its body.
    package let response: HTTPResponse
    private let rejection: @Sendable (HTTPResponse) async -> any Error

    package init<R: APIRequest>(of request: R, _ response: HTTPResponse, clock: any Clock<Duration>) {
        var response = response
        response.method = request.method
        response.body = response.body.detachedForError
        self.clock = clock
        self.response = response
        rejection = { response in
            APIError<R.Failure.Model>.rejected(try? await R.Failure.process(response: response), response)
        }
    }

    /// The endpoint's error for a part of the body that is a failure.
    package func rejection(of data: Data) async -> any Error {
        var response = response
        response.body = ResponseBody(data)
        return await rejection(response)
    }
}
