import APIKitCore
import APIKitSupport

/// A URL that an authorization server names and that may be used: https, or http on this computer.
struct ServerURL: Sendable, Hashable {
    let text: String
    let url: URL
    /// Whether the host is this computer, in any spelling.
    private let isOnThisComputer: Bool

    /// Checks a URL.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - name: What the URL is, for the error: `the token endpoint`.
    ///   - source: The server that names the URL; nil if the program does. Only a server on this computer may name
    ///     another one there: others could have requests sent to services that they cannot reach.
    /// - Throws: ``OAuthError`` with the code `insecureURL` if tokens may not be sent to the URL.
    init(_ text: String, _ name: String, namedBy source: ServerURL? = nil) throws(OAuthError) {
        let base = APIBase(text)
        guard base.problem == nil, let url = base.url, let host = url.host else {
            let problem = base.problem ?? "is not valid"
            throw OAuthError(.insecureURL, "\(name) \(Self.quoted(text)) \(problem)")
        }
        guard url.scheme?.lowercased() == "https" || Self.mayUseHTTP(host) else {
            let message =
                "\(name) \(Self.quoted(text)) is not https: only a loopback host may use http"
            throw OAuthError(.insecureURL, message)
        }
        isOnThisComputer = OwnHost.leadsToThisComputer(host)
        if let source, !source.isOnThisComputer, isOnThisComputer {
            let message =
                "\(name) \(Self.quoted(text)) is on this computer, but \(Self.quoted(source.text)), which names it, is not"
            throw OAuthError(.insecureURL, message)
        }
        self.text = text
        self.url = url
    }

    /// Whether what is sent to a host stays on this computer for certain, where no one else can read it (RFC 8252,
    /// section 7.3). The whole host is compared: `127.0.0.1.example.com` is another one.
    private static func mayUseHTTP(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    }

    /// A URL for an error text. It comes from a server, so it may be long and may contain secrets.
    static func quoted(_ text: String) -> String {
        Masking.bounded(Masking.masked(text)).debugDescription
    }
}
