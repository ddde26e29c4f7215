import APIKitClients
import APIKitCore
import APIKitOAuth
import APIKitTestServer
import Foundation

/// An MCP client, the server that it calls, and the authorization server which that trusts.
///
/// The requests are those of the stateless protocol: a POST for each call.
struct MCPScenario {
    let server: OAuthServer
    let resource: ProtectedResource
    let agent: UserAgent
    let account: OAuth
    let client: any APIClient

    /// Starts both servers.
    ///
    /// - Parameters:
    ///   - behavior: The behavior of the authorization server. By default, it registers public clients.
    ///   - complete: Completes the behavior of the MCP server.
    ///   - clients: What the client may be, by the issuer.
    ///   - scopes: The scopes of the program; nil for those that the MCP server names.
    ///   - agent: The browser.
    ///   - store: Where tokens are kept.
    ///   - flow: How tokens are obtained; by default, in the browser.
    /// - Throws: `POSIXError` if no socket can be created.
    init(
        server behavior: ServerBehavior = ServerBehavior(registeredAuthentication: { .none }),
        resource complete: (inout ProtectedResource.Behavior) -> Void = { _ in },
        clients: (_ issuer: String) -> [ClientRegistration] = { _ in [.dynamic(name: "Test")] },
        scopes: [String]? = nil, agent: UserAgent = UserAgent(), store: MemoryTokenStore = MemoryTokenStore(),
        flow: OAuthFlow? = nil
    ) throws {
        server = try OAuthServer(behavior)
        var resourceBehavior = ProtectedResource.Behavior(servers: [server])
        complete(&resourceBehavior)
        resource = try ProtectedResource(resourceBehavior)
        self.agent = agent
        account = OAuth(
            resource: resource.identifier, clients: clients(server.issuer), scopes: scopes, store: store,
            flow: flow ?? .browser(agent), client: network)
        client = network.authorized(by: account, for: APIBase(resource.origin))
    }

    /// Another client over the same store, as of another process.
    func sibling(store: MemoryTokenStore) -> any APIClient {
        let account = OAuth(
            resource: resource.identifier, clients: [.dynamic(name: "Test")], store: store, flow: .browser(agent),
            client: network)
        return network.authorized(by: account, for: APIBase(resource.origin))
    }

    /// Calls a method of the MCP server.
    func call(_ method: String = "tools/list", by other: (any APIClient)? = nil) async throws -> HTTPResponse {
        let body = #"{"jsonrpc": "2.0", "id": 1, "method": "\#(method)"}"#
        let url = URL(string: resource.identifier)!  // a server's URL: always valid
        return try await (other ?? client).perform(
            HTTPRequest(method: .post, url: url, body: .data(Data(body.utf8), contentType: .json)))
    }

    // MARK: - What the servers saw

    /// The scopes of the authorization requests; nil for a request that named none.
    var requestedScopes: [Set<String>?] {
        server.requests(to: .authorize).map { request in
            request.fields["scope"].map { Set($0.split(separator: " ").map(String.init)) }
        }
    }

    /// The paths of the requests for the metadata of the MCP server.
    var resourceMetadataPaths: [String] { resource.requests.map(\.path).filter { !$0.hasPrefix("/mcp") } }
}

extension ReceivedRequest {
    /// The method that a request calls.
    var mcpMethod: String? {
        // try?: a request without JSON calls no method.
        (try? JSONReader().decode(JSONValue.self, from: body))?["method"]?.string
    }
}

extension OAuthFlow {
    /// Sends the user to a browser of the tests.
    static func browser(_ agent: UserAgent) -> OAuthFlow {
        .authorizationCode(
            present: .custom(redirectURI: UserAgent.redirectURI) { url in try await agent.open(url) })
    }
}

/// Returns the error of a source that a body throws, itself or as the reason of a failed request; nil if it throws
/// nothing or another error.
func oauthError(_ body: () async throws -> Void) async -> OAuthError? {
    do {
        try await body()
        return nil
    } catch {
        let reason = (error as? TransportError)?.underlying ?? error
        return reason as? OAuthError
    }
}
