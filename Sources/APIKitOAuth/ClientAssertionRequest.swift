/// What a client assertion is needed for: one request to one authorization server.
public struct ClientAssertionRequest: Sendable, Hashable {
    /// The ID of the client, the usual issuer and subject of the assertion.
    public let clientID: String
    /// The issuer of the authorization server, as its metadata has it; nil for a server that is known only by its URLs.
    public let issuer: String?
    /// The token endpoint of the authorization server.
    public let tokenEndpoint: String

    /// Creates a request, for example to test a function that creates assertions.
    public init(clientID: String, issuer: String?, tokenEndpoint: String) {
        self.clientID = clientID
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
    }
}
