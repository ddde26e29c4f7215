/// The proxy that requests go through.
public struct Proxy: Sendable, Hashable {
    private enum Kind: Hashable {
        case direct, system, server(URL)
    }

    private let kind: Kind

    /// No proxy.
    public static let direct = Proxy(kind: .direct)
    /// The system's proxy: on Linux the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; elsewhere
    /// the network settings.
    public static let system = Proxy(kind: .system)

    /// A proxy by its URL, such as `http://user:password@proxy.internal:3128`. A request over https goes through a
    /// tunnel (RFC 9110, section 9.3.6).
    public static func server(_ url: URL) -> Proxy {
        Proxy(kind: .server(url))
    }

    /// The URL of a proxy created from one, nil otherwise.
    public var url: URL? {
        if case .server(let url) = kind { url } else { nil }
    }
}
