import Testing

@testable import APIKitTools

/// How the security requirements of endpoints differ from those of most requests.
@Suite struct SecurityTests {
    private static let key = SecurityRequirement(scopesByScheme: ["key": []])
    private static let token = SecurityRequirement(scopesByScheme: ["token": []])
    private static let anonymous = SecurityRequirement(scopesByScheme: [:])

    /// The requirements of an API and of an endpoint, and how they differ.
    struct Row: Sendable {
        let ofAPI: [SecurityRequirement]
        let ofEndpoint: [SecurityRequirement]?
        let expected: String
    }

    @Test(arguments: [
        Row(ofAPI: [key], ofEndpoint: nil, expected: "usual"),
        Row(ofAPI: [key], ofEndpoint: [], expected: "none"),
        Row(ofAPI: [key], ofEndpoint: [anonymous], expected: "none"),
        Row(ofAPI: [key], ofEndpoint: [token], expected: "other"),
        Row(ofAPI: [key], ofEndpoint: [token, anonymous], expected: "other"),
        Row(ofAPI: [key], ofEndpoint: [key], expected: "usual"),
        Row(ofAPI: [key, token], ofEndpoint: [token, key], expected: "usual"),
        Row(ofAPI: [key], ofEndpoint: [key, anonymous], expected: "optional"),
        Row(ofAPI: [key, anonymous], ofEndpoint: [key, anonymous], expected: "usual"),
    ])
    func findsHowRequirementsDiffer(_ row: Row) {
        let place = Place(file: "api.yaml")
        var endpoint = Endpoint(method: "GET", path: "/a", place: place)
        endpoint.security = row.ofEndpoint
        var api = API(title: "Shop", security: row.ofAPI, endpoints: [endpoint])
        api.securitySchemes = [
            SecurityScheme(name: "key", kind: .header("X-Key"), place: place),
            SecurityScheme(name: "token", kind: .bearer, place: place),
        ]
        let contents = Contents(api, Plan.Options(name: "Shop"))
        let security = Security(contents, Servers(contents, apiName: "Shop"))
        let own =
            switch security.ownSecurity(of: endpoint) {
            case .usual: "usual"
            case .none: "none"
            case .optional: "optional"
            case .other: "other"
            }
        #expect(own == row.expected)
    }
}
