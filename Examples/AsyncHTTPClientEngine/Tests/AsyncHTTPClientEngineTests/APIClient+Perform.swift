import APIKitCore

extension APIClient {
    /// Performs a request in a call of its own.
    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await perform(request, in: Call(clock: clock))
    }
}
