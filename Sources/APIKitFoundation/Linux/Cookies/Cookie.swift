#if os(Linux)
import APIKitCore
import APIKitSupport
import Foundation

/// A cookie (RFC 6265, section 5.3). Its name and value are kept as the bytes that the server has sent.
struct Cookie: Equatable, Sendable {
    /// The identity of a cookie. A new cookie replaces an earlier one with the same identity.
    ///
    /// It is an object, since it is copied often, and is the key of several tables.
    final class ID: Sendable {
        let name: [UInt8]
        /// A host or a domain, in lower case and without a leading dot.
        let domain: String
        /// Whether the cookie is for the host only, and not for its subdomains.
        let isHostOnly: Bool
        let path: [UInt8]

        init(name: [UInt8], domain: String, isHostOnly: Bool, path: [UInt8]) {
            self.name = name
            self.domain = domain
            self.isHostOnly = isHostOnly
            self.path = path
        }

        /// Whether a request may have both the cookie and one for another domain: whether one of the domains is the
        /// other one or within it.
        func isSent(beside other: String) -> Bool {
            domain == other || domain.hasSuffix(".\(other)") || other.hasSuffix(".\(domain)")
        }
    }

    var id: ID
    var value: [UInt8]
    /// When the cookie expires; nil for a session cookie, which ends with the process.
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false

    /// The most bytes that a name and its value may have together (RFC 6265, section 6.1).
    private static let sizeLimit = 4096
    /// The most bytes that the value of an attribute may have; longer ones are ignored (RFC 6265bis, section 5.6).
    private static let attributeLimit = 1024

    /// Whether the cookie is not sent any longer at a time. A session cookie never expires.
    func isExpired(at now: Date) -> Bool {
        guard let expires else { return false }
        return expires <= now
    }

    /// Whether the cookie is sent with a request (section 5.4). The caller has checked that the request's host is the
    /// cookie's domain or within it.
    func matches(_ origin: CookieOrigin) -> Bool {
        if isSecure, !origin.isSecure { return false }
        if id.isHostOnly, id.domain != origin.host { return false }
        return origin.isWithin(id.path)
    }

    /// Whether the cookie can be sent in a header. A cookie that the program has put into the storage may have an empty
    /// name, or control characters.
    var isSendable: Bool {
        !id.name.isEmpty && !id.name.contains(where: \.isControl) && !value.contains(where: \.isControl)
    }
}

extension Cookie.ID: Hashable {
    static func == (left: Cookie.ID, right: Cookie.ID) -> Bool {
        left.name == right.name && left.domain == right.domain && left.isHostOnly == right.isHostOnly
            && left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(domain)
        hasher.combine(path)
    }
}

// MARK: - Set-Cookie

extension Cookie {
    /// Reads the value of a `Set-Cookie` header, such as `id=17; Path=/; Secure` (section 5.2).
    ///
    /// Returns nil if the cookie is malformed or too long, or if the origin may not set it (section 5.3). A server
    /// deletes an earlier cookie by setting an expired one.
    init?(setBy field: ArraySlice<UInt8>, from origin: CookieOrigin, at now: Date) {
        if field.contains(where: \.isControl) { return nil }
        let parts = field.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let firstPart = parts.first, let pair = NameAndValue(firstPart) else { return nil }
        let isTooLong = pair.name.count + pair.value.count > Self.sizeLimit
        if pair.name.isEmpty || isTooLong { return nil }

        let attributes = Attributes(parts.dropFirst())
        // A response without TLS may have been forged, so it must not set a cookie that is trusted like one of TLS.
        if attributes.isSecure, !origin.isSecure { return nil }
        guard attributes.satisfyPrefix(of: pair.name) else { return nil }
        guard let scope = Scope(of: attributes.domain, from: origin) else { return nil }
        let path = attributes.path ?? origin.defaultPath
        guard path.count <= Self.attributeLimit else { return nil }

        id = ID(name: pair.name, domain: scope.domain, isHostOnly: scope.isHostOnly, path: path)
        value = pair.value
        expires = attributes.expires(at: now)
        isSecure = attributes.isSecure
        isHTTPOnly = attributes.isHTTPOnly
    }

    /// The hosts that a cookie is for.
    private struct Scope {
        var domain: String
        var isHostOnly: Bool

        /// Creates a scope from the `Domain` attribute. Returns nil if the origin may not set a cookie for that domain.
        ///
        /// `www.example.com` may set a cookie for `example.com`, but not for `com`. There is no list of public
        /// suffixes, such as `co.uk`: a domain with at least two labels is accepted as a parent of the host, and a
        /// domain with one label only if it is the host itself.
        init?(of domain: String?, from origin: CookieOrigin) {
            guard let domain else {
                self.init(domain: origin.host, isHostOnly: true)
                return
            }
            let mayBeShared = domain.split(separator: ".").count >= 2 && !origin.isAddress
            if mayBeShared, origin.belongs(to: domain) {
                self.init(domain: domain, isHostOnly: false)
            } else if domain == origin.host {
                self.init(domain: domain, isHostOnly: true)
            } else {
                return nil
            }
        }

        private init(domain: String, isHostOnly: Bool) {
            self.domain = domain
            self.isHostOnly = isHostOnly
        }
    }

    /// The parts of a text such as `name=value`, without surrounding blanks.
    private struct NameAndValue {
        var name: [UInt8]
        var value: [UInt8]

        /// Returns nil for a text without an equals sign.
        init?(_ text: ArraySlice<UInt8>) {
            guard let separator = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            name = text[..<separator].trimmed
            value = text[(separator + 1)...].trimmed
        }
    }

    /// The attributes of a cookie. If an attribute is repeated, the last one counts.
    private struct Attributes {
        private(set) var domain: String?
        private(set) var path: [UInt8]?
        private(set) var isSecure = false
        private(set) var isHTTPOnly = false
        private var expiryDate: Date?
        private var maximumAge: Double?

        /// The longest time until a cookie expires, in seconds (RFC 6265bis, section 5.5).
        private static let longestLife = Double(400 * 86_400)

        /// Reads attributes such as `Path=/` or `Secure`, each in a part of its own.
        init(_ parts: some Sequence<ArraySlice<UInt8>>) {
            for part in parts {
                if let attribute = NameAndValue(part) {
                    add(String(decoding: attribute.name, as: UTF8.self).lowercased(), attribute.value)
                } else {
                    add(String(decoding: part.trimmed, as: UTF8.self).lowercased(), [])
                }
            }
        }

        /// Adds an attribute. One that is unknown or too long is ignored, as is a malformed time.
        ///
        /// - Parameters:
        ///   - name: The attribute's name in lower case.
        ///   - value: The attribute's value, empty if it has none.
        private mutating func add(_ name: String, _ value: [UInt8]) {
            guard value.count <= Cookie.attributeLimit else { return }
            switch name {
            case "expires":
                if let date = CookieDate.date(value) { expiryDate = date }
            case "max-age":
                if let seconds = Self.seconds(value) { maximumAge = seconds }
            case "domain":
                domain = Self.domain(value)
            case "path":
                // Without an absolute path, the cookie gets the default path.
                let isAbsolute = value.first == UInt8(ascii: "/")
                path = isAbsolute ? value : nil
            case "secure":
                isSecure = true
            case "httponly":
                isHTTPOnly = true
            default:
                break
            }
        }

        /// Returns the domain in lower case and without a leading dot; nil if it is empty. An empty domain counts like
        /// any other one if it is the last: the cookie is then for the host only (RFC 6265bis, sections 5.6.3 and 5.7).
        private static func domain(_ value: [UInt8]) -> String? {
            var domain = String(decoding: value, as: UTF8.self).lowercased()
            if domain.hasPrefix(".") { domain.removeFirst() }
            return domain.isEmpty ? nil : domain
        }

        /// Whether the attributes are those that the prefix of a cookie's name promises: `__Host-` or `__Secure-` (RFC
        /// 6265bis, section 4.1.3). The case of the prefix is ignored, since some servers ignore it.
        func satisfyPrefix(of name: [UInt8]) -> Bool {
            let name = String(decoding: name, as: UTF8.self).lowercased()
            if name.hasPrefix("__host-") {
                let isForAllPaths = path == [UInt8(ascii: "/")]
                return isSecure && domain == nil && isForAllPaths
            }
            if name.hasPrefix("__secure-") { return isSecure }
            return true
        }

        /// Returns the value of a `Max-Age`; nil if it is not a whole number. A number of any length can be read, since
        /// it becomes a `Double`.
        private static func seconds(_ value: [UInt8]) -> Double? {
            var digits = value[...]
            if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
            guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
            return Double(String(decoding: value, as: UTF8.self))
        }

        /// Returns when the cookie expires, nil for a session cookie. `Max-Age` takes precedence over `Expires`. Both
        /// are limited to 400 days ahead (RFC 6265bis, section 5.5).
        func expires(at now: Date) -> Date? {
            let latest = now + Self.longestLife
            if let maximumAge {
                // 0 or less deletes the cookie.
                return maximumAge > 0 ? min(now + maximumAge, latest) : .distantPast
            }
            if let expiryDate {
                return min(expiryDate, latest)
            }
            return nil
        }
    }
}

// MARK: - Origins

/// The parts of a request's URL that decide about cookies.
struct CookieOrigin: Sendable {
    /// The host, in lower case.
    let host: String
    let isSecure: Bool
    private let path: [UInt8]

    /// The longest name that a host can have (RFC 1035, section 2.3.4).
    private static let longestName = 255

    /// Returns nil for a URL without a host, or with one that is too long to be valid.
    init?(_ url: URL) {
        guard let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty else { return nil }
        guard host.utf8.count <= Self.longestName else { return nil }
        self.host = host
        isSecure = url.scheme?.lowercased() == "https"
        let path = url.path(percentEncoded: true)
        self.path = path.hasPrefix("/") ? Array(path.utf8) : [UInt8(ascii: "/")]
    }

    /// Whether the host is an IP address, which has no parent domain. An IPv4 address may have fewer than four numbers,
    /// and hexadecimal ones: `127.1`, `0x7f.1`.
    var isAddress: Bool {
        let isVersion6 = host.contains(":")
        let lastLabel = host.split(separator: ".").last ?? ""
        let endsInNumber = lastLabel.allSatisfy(\.isNumber) || lastLabel.hasPrefix("0x")
        return isVersion6 || endsInNumber
    }

    /// The host and its parent domains, from the longest to the shortest: `www.example.com`, `example.com` and `com`.
    var domains: [Substring] {
        var domains = [host[...]]
        if isAddress { return domains }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[dot...].dropFirst()
            domains.append(rest)
        }
        return domains
    }

    /// Whether the host is a domain or one of its subdomains.
    func belongs(to domain: String) -> Bool {
        host == domain || host.hasSuffix(".\(domain)")
    }

    /// The path of a cookie without a `Path` attribute (RFC 6265, section 5.1.4): `/docs` if the request's path is
    /// `/docs/page`, and `/` if it is `/page`.
    var defaultPath: [UInt8] {
        let slash = UInt8(ascii: "/")
        guard let lastSlash = path.lastIndex(of: slash), lastSlash > 0 else { return [slash] }
        return Array(path[..<lastSlash])
    }

    /// Whether the request's path is the path of a cookie or below it.
    func isWithin(_ cookiePath: [UInt8]) -> Bool {
        path.isPath(within: cookiePath)
    }
}

extension [UInt8] {
    /// Whether a path is the same as another one or below it (section 5.1.4): `/docs/page` is below `/docs`, but
    /// `/docstore` is not.
    func isPath(within other: [UInt8]) -> Bool {
        guard starts(with: other) else { return false }
        let slash = UInt8(ascii: "/")
        if count == other.count || other.last == slash { return true }
        return self[other.count] == slash
    }
}

extension UInt8 {
    /// Whether a cookie must not contain the byte. Of the control characters, only a tab is allowed.
    fileprivate var isControl: Bool {
        if self == 0x09 { return false }
        return self < 0x20 || self == 0x7F
    }

    var isDigit: Bool { 0x30...0x39 ~= self }
}

extension ArraySlice<UInt8> {
    /// The bytes without leading and trailing blanks.
    fileprivate var trimmed: [UInt8] {
        let start = drop { $0 == 0x20 || $0 == 0x09 }
        guard let end = start.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return [] }
        return Array(start[...end])
    }
}
#endif
