extension APIClient {
    /// Returns a client that sends identical concurrent requests once, and shares the response.
    ///
    /// ```swift
    /// let client = URLSession.api.coalesced()  // ten views that ask for one avatar cause one transfer
    /// ```
    ///
    /// Requests are the same if they come from the same type of endpoint, and their method, URL, headers and options
    /// are equal. Each caller maps the response by itself. Cancelling one caller does not affect the others; cancelling
    /// the last one cancels the transfer. A request is performed alone if its method is not safe (RFC 9110, section 9.2.1), or if it has a body,
    /// progress or a response that is delivered as a stream or a file.
    public func coalesced() -> some APIClient {
        CoalescedClient(base: self)
    }
}

private struct CoalescedClient<Base: APIClient>: APIClient {
    let base: Base
    private let transfers = SharedWork<TransferKey, HTTPResponse>()

    init(base: Base) {
        self.base = base
    }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method.isSafe, request.body == nil, request.progress == nil, request.delivery == .data else {
            return try await base.perform(request)
        }
        var shared = request
        // Each caller's deadline ends its own wait alone.
        shared.deadline = nil
        return try await transfers.value(for: TransferKey(request)) { [base, shared] in try await base.perform(shared) }
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
    }
}
