public import APIKitCore

extension APIClient {
    /// Returns a client that hands each request to a closure, with its call and a function that passes it on.
    ///
    /// ```swift
    /// let client = URLSession.api.intercepted { request, _, next in
    ///     var request = request
    ///     request.headers["X-Request-Id"] = UUID().uuidString
    ///     return try await next(request)
    /// }
    /// ```
    ///
    /// The closure may call `next` any number of times, including zero, with any request, and is called again for every
    /// redirect. What it throws reaches the caller as described at ``APIClient/perform(_:in:)``.
    public func intercepted(
        _ intercept:
            @escaping @Sendable (
                _ request: HTTPRequest, _ call: Call,
                _ next: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse
    ) -> some APIClient {
        InterceptedClient(base: self, intercept: intercept)
    }
}

private struct InterceptedClient: WrappingClient {
    let base: any APIClient
    let intercept:
        @Sendable (HTTPRequest, Call, @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) async throws ->
            HTTPResponse

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try await intercept(request, call) { [base] in try await base.perform($0, in: call) }
    }
}
