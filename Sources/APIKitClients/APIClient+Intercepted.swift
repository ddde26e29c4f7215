public import APIKitCore

extension APIClient {
    /// Returns a client that hands each request to a closure, and a function that passes it on.
    ///
    /// ```swift
    /// let client = URLSession.api.intercepted { request, next in
    ///     var request = request
    ///     request.headers["X-Request-Id"] = UUID().uuidString
    ///     return try await next(request)
    /// }
    /// ```
    ///
    /// Change a copy of the request, as above; a new one would lose what it knows about redirects. The closure may call
    /// `next` any number of times, including zero, and is called again for every redirect. What it throws reaches the
    /// caller as described at ``APIClient/perform(_:)``.
    public func intercepted(
        _ intercept:
            @escaping @Sendable (
                _ request: HTTPRequest, _ next: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
            ) async throws -> HTTPResponse
    ) -> some APIClient {
        InterceptedClient(base: self, intercept: intercept)
    }
}

private struct InterceptedClient<Base: APIClient>: APIClient {
    let base: Base
    let intercept:
        @Sendable (HTTPRequest, @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) async throws ->
            HTTPResponse
    var clock: any Clock<Duration> { base.clock }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await intercept(request, base.perform)
    }
}
