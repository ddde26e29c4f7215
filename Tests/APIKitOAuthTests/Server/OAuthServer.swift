import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation

/// An authorization server on loopback: OAuth 2.1 with metadata, PKCE, refresh tokens, device codes, revocation and
/// registration.
///
/// It checks requests strictly, so that a client that works with it follows the standards, and can misbehave in every
/// field. Browsers are redirected without a page: the user of a ``ServerBehavior`` decides.
final class OAuthServer: Sendable {
    /// A request that the server has received.
    struct Request: Sendable {
        let endpoint: ServerBehavior.Endpoint?
        let received: ReceivedRequest
        /// The fields of its query or, of a POST with a form, its body.
        let fields: FormFields
    }

    struct State: Sendable {
        var origin = ""
        var behavior: ServerBehavior
        var grants = Grants()
        var registered: [ServerClient] = []
        var assertionIDs: Set<String> = []
        var requests: [Request] = []
        /// Secrets of clients and of PKCE, besides the grants'.
        var secrets: [String] = []

        var issuer: String { origin + behavior.issuerPath }

        func url(of endpoint: ServerBehavior.Endpoint) -> String { "\(issuer)/\(endpoint.rawValue)" }

        func client(_ id: String) -> ServerClient? {
            (behavior.clients + behavior.clientDocuments + registered).first { $0.id == id }
        }
    }

    private let state: Locked<State>
    private let listener = Locked<LoopbackServer?>(nil)

    /// Starts a server.
    ///
    /// - Throws: `POSIXError` if no socket can be created.
    init(_ behavior: ServerBehavior = ServerBehavior()) throws {
        state = Locked(State(behavior: behavior))
        let server = try LoopbackServer { [weak self] request in self?.answer(request) ?? .status(503) }
        state.withLock { $0.origin = server.url.absoluteString }
        listener.withLock { $0 = server }
    }

    deinit {
        for secret in secrets { Evidence.append(secret, to: "secrets.txt") }
    }

    // MARK: - Control

    /// The identifier of this server.
    var issuer: String { state.withLock { $0.issuer } }

    /// All requests, in the order of their arrival.
    var requests: [Request] { state.withLock { $0.requests } }

    /// The requests for an endpoint.
    func requests(to endpoint: ServerBehavior.Endpoint) -> [Request] { requests.filter { $0.endpoint == endpoint } }

    /// The paths of all requests.
    var paths: [String] { requests.map(\.received.path) }

    /// Everything that may appear in no text: codes, tokens, and the secrets of clients.
    var secrets: [String] {
        state.withLock { state in
            state.grants.secrets + state.secrets + state.behavior.clients.compactMap(\.authentication.secret)
        }
    }

    /// The number of times that a refresh token was used after it had been replaced.
    var refreshTokenReuseCount: Int { state.withLock { $0.grants.reuseCount } }

    /// Changes what the server does from now on.
    func change(_ body: @Sendable (inout ServerBehavior) -> Void) { state.withLock { body(&$0.behavior) } }

    /// Makes all access tokens invalid, as if their time had passed.
    func expireAccessTokens() { state.withLock { $0.grants.removeAccessTokens() } }

    /// Revokes all tokens.
    func revokeAll() { state.withLock { $0.grants.revokeAll() } }

    /// Lets the user decide about the device with a user code.
    func decide(_ decision: Grants.Device.Decision, userCode: String) {
        state.withLock { $0.grants.decide(decision, userCode: userCode) }
    }

    /// The grant of a valid access token, which is being used now; nil for any other.
    func use(accessToken: String) -> Grants.Grant? {
        state.withLock { $0.grants.use(accessToken: accessToken, at: $0.behavior.now()) }
    }

    // MARK: - Answers

    private func answer(_ received: ReceivedRequest) -> ServerAnswer {
        let (request, intercept) = state.withLock { state in
            let endpoint = state.endpoint(of: received)
            let request = Request(endpoint: endpoint, received: received, fields: received.fields)
            state.requests.append(request)
            return (request, state.behavior.intercept)
        }
        guard let endpoint = request.endpoint else { return .status(404) }
        // Outside the lock, since the closure may ask the server something.
        return intercept(endpoint, received) ?? state.withLock { $0.answer(request, endpoint) }
    }
}

extension OAuthServer.State {
    /// The endpoint that a request is for; nil if there is none at its path.
    fileprivate func endpoint(of request: ReceivedRequest) -> ServerBehavior.Endpoint? {
        let standardPath = "/.well-known/oauth-authorization-server" + behavior.issuerPath
        if (behavior.metadataPaths ?? [standardPath]).contains(request.path) { return .metadata }
        return ServerBehavior.Endpoint.allCases.first {
            $0 != .metadata && request.path == "\(behavior.issuerPath)/\($0.rawValue)"
        }
    }

    /// Answers a request as the standards say.
    fileprivate mutating func answer(
        _ request: OAuthServer.Request, _ endpoint: ServerBehavior.Endpoint
    ) -> ServerAnswer {
        let isRead = endpoint == .metadata || endpoint == .authorize
        guard request.received.method == (isRead ? "GET" : "POST") else { return .status(405) }
        switch endpoint {
        case .metadata: return json(metadata, from: .metadata)
        case .authorize: return authorize(request.fields)
        case .register: return register(request.received)
        case .token, .device, .revoke:
            do throws(Refusal) {
                try checkForm(request)
                let client = try authenticate(request)
                switch endpoint {
                case .token: return try json(tokens(for: client, request.fields), from: .token)
                case .device: return try json(beginDevice(client, request.fields), from: .device)
                default:
                    // An unknown token is not an error (RFC 7009, section 2.2).
                    grants.revoke(request.fields["token"] ?? "", of: client.id)
                    return .status(200)
                }
            } catch {
                return error.answer
            }
        }
    }

    /// A response with a JSON object, after the edits of the behavior.
    func json(_ object: JSONValue.Object, from endpoint: ServerBehavior.Endpoint, status: Int = 200) -> ServerAnswer {
        var object = object
        behavior.edit(endpoint, &object)
        return .status(
            status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Data(JSONValue.object(object).description.utf8))
    }

    /// Checks that a POST has a form in its body, with each field once, and nothing in its query.
    private func checkForm(_ request: OAuthServer.Request) throws(Refusal) {
        guard request.received.values(of: "Content-Type").first == "application/x-www-form-urlencoded" else {
            throw Refusal("invalid_request", "the body is not a form")
        }
        guard request.received.query == nil else { throw Refusal("invalid_request", "the URL has a query") }
        guard FormFields(encoded: String(decoding: request.received.body, as: UTF8.self)) != nil else {
            throw Refusal("invalid_request", "the form is malformed")
        }
        guard !request.fields.hasRepeatedNames else { throw Refusal("invalid_request", "a parameter is repeated") }
    }
}

/// The error of an endpoint (RFC 6749, section 5.2).
struct Refusal: Error {
    let code: String
    let description: String
    let status: Int

    init(_ code: String, _ description: String, status: Int = 400) {
        self.code = code
        self.description = description
        self.status = status
    }

    var answer: ServerAnswer {
        let json: JSONValue = ["error": .string(code), "error_description": .string(description)]
        var headers = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
        if status == 401 {
            headers.append(("WWW-Authenticate", #"Basic realm="clients""#))
        }
        return .status(status, headers: headers, body: Data(json.description.utf8))
    }
}

extension ReceivedRequest {
    /// The fields of the query or, of a POST, the form in the body; none if they are malformed.
    fileprivate var fields: FormFields {
        let text = method == "POST" ? String(decoding: body, as: UTF8.self) : query ?? ""
        return FormFields(encoded: text) ?? FormFields()
    }
}
