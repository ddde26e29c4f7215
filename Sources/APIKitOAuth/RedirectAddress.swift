/// Where a redirect leads: a redirect URI without its query and fragment, in the form that is compared.
///
/// | Part | Compared | Why |
/// | --- | --- | --- |
/// | scheme | without case | an `ASWebAuthenticationSession` returns it in lower case (RFC 3986, section 6.2.2.1) |
/// | host and port | without case | so do browsers |
/// | an empty path after a host | as `/` | browsers write it (RFC 3986, section 6.2.3) |
/// | everything else | byte by byte | it may mean something else |
struct RedirectAddress: Equatable {
    /// The scheme with its colon; empty if there is none.
    private let scheme: [UInt8]
    /// The user information, with the slashes before it.
    private let userInformation: [UInt8]
    /// The host and the port.
    private let host: [UInt8]
    private let path: [UInt8]

    init(_ uri: String) {
        let address = uri.utf8.prefix { !"?#".utf8.contains($0) }
        let schemeEnd = address.firstIndex(of: UInt8(ascii: ":")).map(address.index(after:)) ?? address.startIndex
        scheme = Self.lowercased(address[..<schemeEnd])
        let rest = address[schemeEnd...]
        guard rest.starts(with: "//".utf8) else {
            userInformation = []
            host = []
            path = Array(rest)
            return
        }
        let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
        let hostStart = authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:)) ?? authority.startIndex
        userInformation = Array(rest[..<hostStart])
        host = Self.lowercased(authority[hostStart...])
        path = authority.endIndex == rest.endIndex ? Array("/".utf8) : Array(rest[authority.endIndex...])
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
