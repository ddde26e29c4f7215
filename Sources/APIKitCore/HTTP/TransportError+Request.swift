extension TransportError {
    /// Creates an error of a request. What looks like a secret in the message is masked in the description.
    public init(_ code: Code, _ message: String? = nil, request: HTTPRequest, underlying: (any Error)? = nil) {
        self.init(
            ErrorContent(
                code.rawValue, message, method: request.method, url: request.url, underlying: underlying,
                secrets: request.urlSecrets))
    }

    /// Returns the same error with the request's method and URL, unless it has its own.
    func withRequest(_ request: HTTPRequest) -> TransportError {
        let secrets = request.urlSecrets
        return TransportError(content.withRequest(method: request.method, url: request.url, secrets: secrets))
    }
}
