public import APIKitFoundation

/// A client that sends every request to another server, so that endpoints with the real API's address can be tried out
/// against one on this machine.
public struct Rerouted: APIClient {
    private let base: any APIClient
    private let server: URL

    /// Makes a client that sends to the server what `base` would send elsewhere.
    public init(_ base: any APIClient, to server: URL) {
        self.base = base
        self.server = server
    }

    /// Performs the request against the server.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        parts?.scheme = server.scheme
        parts?.host = server.host
        parts?.port = server.port
        request.url = parts?.url ?? request.url
        return try await base.perform(request)
    }
}
