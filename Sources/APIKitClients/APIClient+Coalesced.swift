public import APIKitCore

extension APIClient {
    /// Returns a client that sends identical concurrent requests once, and shares the response.
    ///
    /// ```swift
    /// let client = URLSession.api.coalesced()  // ten views that ask for one avatar cause one transfer
    /// ```
    ///
    /// Requests are the same if they come from the same type of endpoint, and their method, URL, headers and options
    /// are equal. Each caller maps the response by itself. Cancelling one caller does not affect the others; cancelling
    /// the last one cancels the transfer. A request that a client inside sends on behalf of another one, such as the
    /// refresh of a token, is performed alone, and so is one if its method is not safe (RFC 9110, section 9.2.1), or if
    /// it has a body, progress or a response that is delivered as a stream or a file.
    ///
    /// Inside ``authorized(by:for:leeway:)``, requests with different credentials are different. Outside, they may
    /// be the same, and a user who has just logged in could get the last one's response.
    public func coalesced() -> some APIClient {
        CoalescedClient(base: self)
    }
}

private struct CoalescedClient: APIClient {
    let base: any APIClient
    var clock: any Clock<Duration> { base.clock }
    private let transfers = SharedWork<TransferKey, HTTPResponse>()
    /// The clients whose transfers this task belongs to. What is sent on behalf of a transfer must not join it.
    @TaskLocal private static var running: [ObjectIdentifier] = []

    init(base: any APIClient) {
        self.base = base
    }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = ObjectIdentifier(transfers)
        guard !Self.running.contains(id), request.method.isSafe, request.body == nil, request.progress == nil,
            request.delivery == .data
        else {
            return try await base.perform(request)
        }
        var shared = request
        // Each caller's deadline ends its own wait alone.
        if shared.deadline != nil { shared.deadline = nil }
        // One of them may replace the response, and another one return it.
        if shared.mayReplace != nil { shared.mayReplace = nil }
        return try await transfers.value(for: TransferKey(request)) { [base, shared] in
            try await Self.$running.withValue(Self.running + [id]) { try await base.perform(shared) }
        }
    }

    private struct TransferKey: Hashable, Sendable {
        let endpoint: ObjectIdentifier?
        let method: HTTPMethod
        let url: URL
        let headers: HTTPHeaders
        let options: RequestOptions
        let redirection: Redirection?

        init(_ request: HTTPRequest) {
            endpoint = request.endpoint.map { ObjectIdentifier(type(of: $0)) }
            method = request.method
            url = request.url
            headers = request.headers
            options = request.options
            redirection = request.redirection
        }

        /// Hashes the URL and the values of the headers, by which nearly all requests differ.
        func hash(into hasher: inout Hasher) {
            hasher.combine(url)
            for field in headers { hasher.combine(field.value) }
        }
    }
}
