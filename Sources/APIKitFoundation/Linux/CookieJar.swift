#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import FoundationNetworking

/// The cookies of a session (RFC 6265), in its `HTTPCookieStorage`.
///
/// On Linux, that compares neither paths nor schemes, reads no `Max-Age`, keeps expired cookies until another one is
/// stored, and accepts a cookie for a whole top-level domain: this knows better.
final class CookieJar: CookieStore {
    private let storage: HTTPCookieStorage
    private let sends: Bool
    private let stores: Bool

    /// Creates the jar of a session; nil if that has no storage, or may not use it.
    init?(_ configuration: URLSessionConfiguration) {
        guard let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        sends = configuration.httpShouldSetCookies
        stores = configuration.httpCookieAcceptPolicy != .never
        guard sends || stores else { return nil }
    }

    /// The value of the `Cookie` header of a request, nil for none: longer paths come first (section 5.4).
    func cookies(for url: URL) -> String? {
        guard sends, let cookies = storage.cookies(for: url) else { return nil }
        let path = url.path(percentEncoded: true)
        let now = Date()
        let matching = cookies.filter {
            $0.matches(path: path) && (!$0.isSecure || url.scheme == "https") && $0.expiresDate.map { $0 > now } ?? true
        }
        let texts = matching.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { "\($0.name)=\($0.value)" }
        // A cookie that the program has stored may have any value.
        let valid = texts.filter(\.isFieldValue)
        return valid.isEmpty ? nil : valid.joined(separator: "; ")
    }

    /// Stores the cookies of a response.
    func store(from head: HTTPResponse.Head) {
        guard stores, let host = head.url.host?.lowercased() else { return }
        for value in head.headers.values(for: .setCookie) {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: head.url)
            let valid = cookies.filter { $0.isOfDomain(around: host) && (!$0.isSecure || head.url.scheme == "https") }
            storage.setCookies(valid.map { $0.expiring(by: value) }, for: head.url, mainDocumentURL: nil)
        }
    }
}

extension HTTPCookie {
    /// Whether a path is the cookie's or below it (RFC 6265, section 5.1.4).
    fileprivate func matches(path: String) -> Bool {
        let path = path.isEmpty ? "/" : path
        return path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : self.path + "/")
    }

    /// Whether a host may set the cookie: for itself, or for a domain of at least two labels that it belongs to
    /// (section 5.3).
    fileprivate func isOfDomain(around host: String) -> Bool {
        let domain = domain.lowercased().drop { $0 == "." }
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return domain == host || !isAddress && domain.contains(".") && host.hasSuffix(".\(domain)")
    }

    /// The cookie with the lifetime of the `Max-Age` in its header, if that has one, which precedes `Expires`
    /// (section 5.3).
    fileprivate func expiring(by header: String) -> HTTPCookie {
        let ages = header.split(separator: ";").dropFirst().compactMap { attribute -> Int? in
            let parts = attribute.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0].lowercased() == "max-age" ? Int(parts[1]) : nil
        }
        guard let age = ages.last, var properties else { return self }
        // Foundation lets this win over the date, and takes only a text for the flag.
        (properties[.maximumAge], properties[.secure]) = (nil, isSecure ? "TRUE" : nil)
        properties[.expires] = Date(timeIntervalSinceNow: Double(max(-1, min(age, 400 * 86_400))))
        return HTTPCookie(properties: properties) ?? self
    }
}
#endif
