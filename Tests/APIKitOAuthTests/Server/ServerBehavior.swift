import APIKitCore
import APIKitTestServer
import Foundation

/// What an authorization server does; by default, what the standards say.
///
/// ``intercept``, ``edit`` and ``editRedirect`` make it misbehave: they replace or change anything that it sends.
struct ServerBehavior: Sendable {
    /// The endpoints of an authorization server.
    enum Endpoint: String, Sendable, CaseIterable {
        case metadata, authorize, token, device, revoke, register
    }

    /// The `iss` parameter of authorization responses (RFC 9207).
    enum IssuerParameter: Sendable {
        case issuer, absent
        case text(String)
    }

    // MARK: - Metadata

    /// The path of the issuer, such as `/tenant1`, below which all endpoints are.
    var issuerPath = ""
    /// The paths of the metadata; by default, the one of RFC 8414 alone, section 3.1.
    var metadataPaths: [String]?
    var scopesSupported: [String]?
    /// Whether the metadata promises an `iss` parameter; nil omits the member.
    var advertisesIssuerParameter: Bool? = true
    /// The methods in the metadata; by default, all that the clients use.
    var authenticationMethods: [String]?

    // MARK: - Clients

    var clients: [ServerClient] = []
    /// Clients whose identifier is the URL of a document. The server supports such clients if there are any.
    var clientDocuments: [ServerClient] = []
    /// The authentication of clients that register themselves; nil if they cannot.
    var registeredAuthentication: (@Sendable () -> ServerClient.Authentication)?

    // MARK: - The user

    /// Whether the user allows what the client asks for.
    var userApproves = true
    var issuerParameter = IssuerParameter.issuer
    /// Whether the authorization endpoint demands a challenge (RFC 7636).
    var requiresPKCE = true
    /// Whether requests must name the resource that tokens are for (RFC 8707).
    var requiresResource = false
    /// The errors of the next requests with a device code, before the user's decision counts.
    var deviceErrors: [String] = []

    // MARK: - Tokens

    var issuesRefreshTokens = true
    var rotation = Grants.Rotation.strict
    /// The lifetime of access tokens in seconds; nil if they do not expire, and the responses do not say so.
    var accessTokenLifetime: Int? = 3600
    var now: @Sendable () -> Date = { Date() }

    // MARK: - Misbehavior

    /// Returns what an endpoint sends instead of its response; nil leaves it to the server.
    var intercept: @Sendable (Endpoint, ReceivedRequest) -> ServerAnswer? = { _, _ in nil }
    /// Changes the JSON of a successful response; may not call the server.
    var edit: @Sendable (Endpoint, inout JSONValue.Object) -> Void = { _, _ in }
    /// Changes the parameters of an authorization response; may not call the server.
    var editRedirect: @Sendable (inout FormFields) -> Void = { _ in }
}
