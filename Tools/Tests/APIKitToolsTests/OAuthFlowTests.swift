import Testing

@testable import APIKitTools

/// What sources of tokens do with described flows.
@Suite struct OAuthFlowTests {
    private static let authorization = (name: "authorizationUrl", url: "https://a.example/authorize")
    private static let device = (name: "deviceAuthorizationUrl", url: "https://a.example/device")
    private static let token = (name: "tokenUrl", url: "https://a.example/token")

    /// A flow with some URLs, and what sources do with it.
    struct Row: Sendable {
        let flow: String
        let urls: [String]
        let expected: String
    }

    @Test(arguments: [
        Row(flow: "authorizationCode", urls: ["authorizationUrl", "tokenUrl"], expected: "authorizationCode"),
        Row(flow: "authorizationCode", urls: ["tokenUrl"], expected: "lacks authorizationUrl"),
        Row(flow: "authorizationCode", urls: ["authorizationUrl"], expected: "lacks tokenUrl"),
        Row(flow: "authorizationCode", urls: [], expected: "lacks authorizationUrl, tokenUrl"),
        Row(
            flow: "deviceAuthorization", urls: ["deviceAuthorizationUrl", "tokenUrl"],
            expected: "deviceAuthorization"),
        Row(
            flow: "deviceAuthorization", urls: ["authorizationUrl"],
            expected: "lacks deviceAuthorizationUrl, tokenUrl"),
        Row(flow: "clientCredentials", urls: ["tokenUrl"], expected: "clientCredentials"),
        Row(flow: "clientCredentials", urls: [], expected: "lacks tokenUrl"),
        Row(flow: "implicit", urls: ["authorizationUrl"], expected: "insecure"),
        Row(flow: "password", urls: ["tokenUrl"], expected: "insecure"),
        Row(flow: "other", urls: ["tokenUrl"], expected: "unknown"),
    ])
    func offersFlowsThatHaveTheirURLs(_ row: Row) {
        let urls = [Self.authorization, Self.device, Self.token].filter { row.urls.contains($0.name) }
        let flow = OAuthFlow(name: row.flow, urls: urls, scopes: [])
        let offer =
            switch flow.offer {
            case .offered(let flow, _): flow.rawValue
            case .lacksURLs(let names): "lacks \(names.joined(separator: ", "))"
            case .insecure: "insecure"
            case .unknown: "unknown"
            }
        #expect(offer == row.expected)
    }

    @Test func offerHasTheURLsOfItsFlowOnly() {
        let flow = OAuthFlow(
            name: "clientCredentials", urls: [Self.authorization, Self.device, Self.token], scopes: [])
        guard case .offered(_, let urls) = flow.offer else {
            Issue.record("the flow is not offered")
            return
        }
        #expect(urls == OAuthSource.URLs(token: Self.token.url))
    }
}
