public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that adds headers and query parameters to every request.
    ///
    /// ```swift
    /// let client = URLSession.api.adding(
    ///     headers: [.userAgent: "Shop/1.0"], query: ["lang": "en"])
    /// ```
    ///
    /// What the request has itself takes precedence: a header or a query parameter is added only if the request has
    /// none of its name. After a redirect to another origin, the engine removes the parameters, and the headers that
    /// may contain secrets; see ``Call``. A secret is better sent with
    /// ``authorized(by:for:leeway:isRefusal:)``, which only sends it to the base URLs that you name.
    ///
    /// - Parameters:
    ///   - headers: The headers. If one may not be sent, requests fail with a ``RequestError`` with the code `header`.
    ///   - query: The parameters, written in the default ``ParameterStyle``. If one cannot be encoded, requests fail
    ///     with a ``RequestError`` with the code `parameters`.
    /// - Returns: The client.
    public func adding(headers: HTTPHeaders = [:], query: Parameters = [:]) -> some APIClient {
        AddingClient(
            base: self, headers: headers,
            items: Result { () throws(RequestError) in
                try headers.validate()
                var encoder = QueryEncoder(.query, style: ParameterStyle())
                try encoder.append(query)
                return encoder.bytes.split(separator: UInt8(ascii: "&"))
            })
    }
}

private struct AddingClient: WrappingClient {
    let base: any APIClient
    let headers: HTTPHeaders
    /// The encoded query items, or the error with which every request fails.
    let items: Result<[ArraySlice<UInt8>], RequestError>

    /// Adds what the request does not have itself, and performs it.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let validItems = try items.get()
        var request = request
        addHeaders(to: &request)
        try add(validItems, to: &request)
        return try await base.perform(request, in: call)
    }

    /// Adds the headers whose names the request does not have.
    private func addHeaders(to request: inout HTTPRequest) {
        guard !headers.isEmpty else { return }
        // The body's own type takes precedence over that of `headers`.
        if let body = request.body { request.headers.addContentType(of: body) }
        request.headers.addMissing(from: headers)
    }

    /// Appends the query items whose names the request's URL does not have.
    private func add(_ items: [ArraySlice<UInt8>], to request: inout HTTPRequest) throws {
        guard !items.isEmpty else { return }
        let ownItems = request.url.queryItems
        var ownNames: Set<String> = []
        for item in ownItems { ownNames.insert(item.queryItemName) }
        var allItems = ownItems
        for item in items where !ownNames.contains(item.queryItemName) { allItems.append(item) }
        guard allItems.count > ownItems.count else { return }
        guard let url = request.url.withQueryItems(allItems) else {
            throw RequestError(.parameters, "the query cannot be added to the URL")
        }
        request.url = url
    }
}
