import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation

/// A protected resource on loopback, such as an MCP server: it answers a request with a valid token, and says in its
/// refusals where to get one (RFC 9728).
final class ProtectedResource: Sendable {
    struct Behavior: Sendable {
        /// The path of the resource. Requests for paths below it are for the resource, too.
        var path = "/mcp"
        /// The paths of the metadata; by default, the one of RFC 9728 alone, section 3.1.
        var metadataPaths: [String]?
        /// Whether refusals name the URL of the metadata.
        var namesMetadata = true
        /// The servers whose tokens are accepted, the first of which the metadata names.
        var servers: [OAuthServer] = []
        var scopesSupported: [String]?
        /// The scopes that a request needs.
        var scopes: @Sendable (ReceivedRequest) -> [String] = { _ in [] }
        /// The scopes in the challenge for a request that needs some; nil omits them.
        var challengedScopes: @Sendable (_ needed: [String]) -> [String]? = { _ in nil }
        /// Whether tokens must be for this resource.
        var checksAudience = false
        /// Returns what is sent instead of the response; nil leaves it to the resource.
        var intercept: @Sendable (ReceivedRequest) -> ServerAnswer? = { _ in nil }
        /// Changes the metadata.
        var edit: @Sendable (inout JSONValue.Object) -> Void = { _ in }
    }

    private struct State {
        var origin = ""
        var behavior: Behavior
        var requests: [ReceivedRequest] = []
    }

    private let state: Locked<State>
    private let listener = Locked<LoopbackServer?>(nil)

    /// Starts a resource.
    ///
    /// - Throws: `POSIXError` if no socket can be created.
    init(_ behavior: Behavior = Behavior()) throws {
        state = Locked(State(behavior: behavior))
        let server = try LoopbackServer { [weak self] request in self?.answer(request) ?? .status(503) }
        state.withLock { $0.origin = server.url.absoluteString }
        listener.withLock { $0 = server }
    }

    /// The origin of the resource.
    var origin: String { state.withLock { $0.origin } }

    /// The identifier of the resource, which is also its URL.
    var identifier: String { state.withLock { $0.origin + $0.behavior.path } }

    /// All requests, in the order of their arrival.
    var requests: [ReceivedRequest] { state.withLock { $0.requests } }

    /// The tokens of the requests for the resource, nil for a request without one.
    var tokens: [String?] {
        let path = state.withLock { $0.behavior.path }
        return requests.filter { $0.path.hasPrefix(path) }.map(\.bearerToken)
    }

    /// Changes what the resource does from now on.
    func change(_ body: @Sendable (inout Behavior) -> Void) { state.withLock { body(&$0.behavior) } }

    private func answer(_ request: ReceivedRequest) -> ServerAnswer {
        let (behavior, origin) = state.withLock { state in
            state.requests.append(request)
            return (state.behavior, state.origin)
        }
        return behavior.intercept(request) ?? behavior.answer(request, origin: origin)
    }
}

extension ProtectedResource.Behavior {
    fileprivate func answer(_ request: ReceivedRequest, origin: String) -> ServerAnswer {
        let metadataPaths = metadataPaths ?? ["/.well-known/oauth-protected-resource" + path]
        if metadataPaths.contains(request.path) { return .json(metadata(origin).description) }
        guard request.path.hasPrefix(path) else { return .status(404) }

        let needed = scopes(request)
        var challenge: [(String, String)] = []
        if namesMetadata { challenge.append(("resource_metadata", origin + metadataPaths[0])) }
        if let challenged = challengedScopes(needed) {
            challenge.append(("scope", challenged.joined(separator: " ")))
        }
        guard let token = request.bearerToken else { return refusal(401, challenge) }
        let grant = servers.compactMap { $0.use(accessToken: token) }.first
        guard let grant, !checksAudience || grant.resource == origin + path else {
            return refusal(401, [("error", "invalid_token")] + challenge)
        }
        guard Set(needed).isSubset(of: grant.scopes) else {
            return refusal(403, [("error", "insufficient_scope")] + challenge)
        }
        return .json(#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#)
    }

    /// The metadata (RFC 9728, section 2).
    private func metadata(_ origin: String) -> JSONValue {
        var metadata: JSONValue.Object = [
            "resource": .string(origin + path),
            "authorization_servers": .array(servers.prefix(1).map { .string($0.issuer) }),
            "bearer_methods_supported": ["header"],
        ]
        if let scopes = scopesSupported {
            metadata["scopes_supported"] = .array(scopes.map(JSONValue.string))
        }
        edit(&metadata)
        return .object(metadata)
    }

    /// A refusal with a challenge (RFC 6750, section 3).
    private func refusal(_ status: Int, _ parameters: [(name: String, value: String)]) -> ServerAnswer {
        let list = parameters.map { #"\#($0.name)="\#($0.value)""# }.joined(separator: ", ")
        return .status(
            status, headers: [("WWW-Authenticate", list.isEmpty ? "Bearer" : "Bearer \(list)")],
            body: Data(#"{"error": "refused"}"#.utf8))
    }
}

extension ReceivedRequest {
    /// The token in the `Authorization` header; nil without one.
    var bearerToken: String? {
        guard let header = values(of: "Authorization").first, header.hasPrefix("Bearer ") else { return nil }
        return String(header.dropFirst("Bearer ".count))
    }
}
