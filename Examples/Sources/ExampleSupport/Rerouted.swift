public import APIKitFoundation

/// A client that sends every request to another server, such as one on this machine instead of the real API's.
public struct Rerouted: APIClient {
    private let base: any APIClient
    private let server: URL

    /// Creates a client that sends all requests of `base` to the server.
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
