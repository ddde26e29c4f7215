public import APIKitCore

extension APIClient {
    /// Returns a client with a base URL of its own: for staging, a test server or a proxy.
    ///
    /// ```swift
    /// let client = URLSession.api.based(at: "http://localhost:8080/v1")
    /// ```
    ///
    /// Requests are built for this URL instead of the URL of their endpoint's ``APIRequest/base``. So responses,
    /// errors, redirects and links show, and are judged by, the URL that is really sent. The headers, the query and the
    /// options of the given base override those of the endpoint's base one by one; a literal has none. The style of
    /// parameters is that of the endpoint's base.
    ///
    /// ``authorized(by:for:leeway:isRefusal:)`` around this client sends its credential to this URL if it is for the
    /// URL that is replaced. A request that was built by hand is passed on unchanged.
    ///
    /// If the URL of an API has a variable, such as `https://3.camp.example/{accountId}`, this client sets it:
    ///
    /// ```swift
    /// let client = URLSession.api.based(at: .camp.setting("accountId", to: 7))
    /// ```
    ///
    /// Clients around this one conform to ``WrappingClient``; with one that does not, requests fail with a
    /// ``RequestError`` with the code `baseURL`. So do those for an invalid URL.
    ///
    /// - Parameters:
    ///   - url: The base URL, with headers, query and options of its own if it needs any.
    ///   - other: The API whose URL is replaced; nil for every API.
    /// - Returns: The client.
    public func based(at url: APIBase, insteadOf other: APIBase? = nil) -> some APIClient {
        BasedClient(base: self, url: url, other: other)
    }
}

private struct BasedClient: WrappingClient {
    let base: any APIClient
    let url: APIBase
    let other: APIBase?

    /// The base to build requests of an API for. The client inside decides last, since it may replace the URL again.
    func base(insteadOf api: APIBase) -> APIBase {
        if let other, !api.hasSameURL(as: other) { return base.base(insteadOf: api) }
        return base.base(insteadOf: api.moved(to: url))
    }

    /// Passes the request on, unless it was built for the URL that this client replaces and would go to that server.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard ignoresBaseURL(call) else { return try await base.perform(request, in: call) }
        let problem = "a client around `based(at:)` does not forward its base URL: conform it to `WrappingClient`"
        throw RequestError(.baseURL, problem, method: request.method, url: request.url)
    }

    /// Whether the call's request was built for the endpoint's own base URL although this client replaces it.
    ///
    /// A client around this one has then not forwarded the base URL. If the request was built for a third URL, another
    /// client of this kind around this one has chosen it.
    private func ignoresBaseURL(_ call: Call) -> Bool {
        guard let endpoint = call.endpoint, call.isBuilt(for: endpoint.base) else { return false }
        return !call.isBuilt(for: base(insteadOf: endpoint.base))
    }
}
