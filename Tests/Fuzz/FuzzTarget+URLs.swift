import APIKitSupport
import Foundation

@testable import APIKitCore

extension FuzzTarget {
    /// A value stays within its segment and can be read back, whatever it holds.
    static let path = FuzzTarget(
        "path", seeds: ["a b", "..", "%2e%2e/x", "é/ü?#", "a%2Fb", "\\..\\", "/", "https://h/x", "%"]
    ) {
        input in
        let text = input.text
        if let url = url(of: "v/\(text)/end") {
            let segments = url.dropFirst("https://example.com/api/".count).split(
                separator: "/", omittingEmptySubsequences: false)
            require(segments.count == 3 && segments[0] == "v" && segments[2] == "end", url)
            require(segments[1].removingPercentEncoding == text, url)
        }
        for path in [URLPath(stringLiteral: text), "\(segments: text)"] {
            require(URLPath(stringLiteral: path.encoded).encoded == path.encoded, "\(path) is encoded twice")
            guard let url = url(of: path) else { continue }
            require(url.hasPrefix("https://example.com/api") && !url.contains { "?#".contains($0) }, url)
        }
    }

    /// A base URL keeps its host, for Foundation too, and gets the path of the endpoint and nothing else.
    static let base = FuzzTarget(
        "base",
        seeds: [
            "https://example.com", "HTTP://EXAMPLE.com:8080/v1/?a=b&c", "https://[::1]:443/",
            "https://bücher.example/ä",
            "https://u:p@example.com", "https://example.com:99999", "https://a\\b", "https://h/../x", "https:///x",
            "https://h//x/%A3",
        ]
    ) { input in
        guard let url = request(for: Endpoint(base: APIBase(input.text), path: "end"))?.url else { return }
        let text = url.absoluteString
        require(url.scheme == "https" || url.scheme == "http", text)
        require(url.user == nil && url.password == nil && url.fragment == nil, text)
        requireSameHost(url)
        // Foundation decodes no path with an escape that is not UTF-8.
        require(url.path(percentEncoded: true).hasSuffix("/end"), text)
    }

    /// The URL of every request that an endpoint creates is valid, since it is parsed only when somebody asks for it.
    static let endpoint = FuzzTarget(
        "endpoint",
        seeds: [
            "https://example.com/v1?a=b\nusers\nname\nvalue", "http://[::1]:80\n//é%\n[]\n#", "https://h?\n%4\n%4\n1",
            "https://h/%\n1f\n\n", "https://xn--bcher-kva.example/a;b=c\n:\n&=+\n\u{0}",
        ]
    ) { input in
        let parts = input.parts(4)
        for path in [URLPath(stringLiteral: parts[1]), "\(parts[1])", "a\(segments: parts[1])/b"] {
            for style in [ParameterStyle(), ParameterStyle(lists: .commas), ParameterStyle(lists: .indexed)] {
                let base = APIBase(parts[0], query: [parts[3]: 1], parameterStyle: style)
                _ = request(
                    for: Endpoint(
                        base: base, path: path, parameters: [parts[2]: parts[3], "list": [parts[2], parts[3]]]))
            }
        }
    }

    /// References resolve to what resolves to itself, and are written as they were read.
    static let uri = FuzzTarget(
        "uri",
        seeds: [
            "https://a/b/c/d?q\n../g?y#s", "https://a/b\n//c@d:80/./e/..", "https://a/b\nx:/.//y",
            "https://a/b\ng;x=1/../y",
            "https://a/%2e%2E/\n%2e/", "https://a\n?", "https://a/b?c#d\n#", "https://a/b\n/.//c",
        ]
    ) { input in
        let parts = input.parts(2)
        let (base, reference) = (URIReference(parts[0]), URIReference(parts[1]))
        require(
            reference.text == String(decoding: parts[1].utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self),
            parts[1])
        guard base.scheme != nil, base.authority != nil else { return }
        let target = base.resolving(reference)
        let again = base.resolving(URIReference(target.text))
        require(again.authority == target.authority, "the authority of \(target.text)")
        // An empty path is that of the base, as it is.
        require(reference.path.isEmpty || again.text == target.text, "\(target.text) becomes \(again.text)")
        require(target.authority?.contains(UInt8(ascii: "@")) != true, target.text)
        let encoded = reference.encodingStrayBytes
        require(encoded.encodingStrayBytes.text == encoded.text, "\(encoded.text) is encoded twice")
        let spelling = parts[1].normalizingPercentEncoding(preserving: "/")
        require(spelling.normalizingPercentEncoding(preserving: "/") == spelling, "\(spelling) has another spelling")
        guard let url = URL(strict: base.text) else { return }
        require(
            (url.withQueryItems(url.queryItems) ?? url).query == (url.query.flatMap { $0.isEmpty ? nil : $0 }),
            base.text)
    }

    /// A redirect leads to a URL with a host on which all agree and without user information, and carries no credential
    /// to another origin.
    static let location = FuzzTarget(
        "location",
        seeds: [
            "/a", "https://example.com/x y", "//other.example", "https://u:p@other.example/",
            "https:/.//u@other.example/",
            "http://example.com", "https://example.com:443/", "https://a%2eb/", "https://[::1]/", "https://a\\@b/",
            "?a, /b", "https://ex\u{301}ample.com", "ftp://x", "data:,x", "https:a", "https://example.com:0",
        ]
    ) { input in
        let start = require(URL(string: "https://example.com/a/b?c"), "a literal")
        let request = HTTPRequest(url: start, headers: [.authorization: "Bearer abc", "X-A": "1"])
        let head = HTTPResponse.Head(status: 307, headers: [.location: input.text], url: start)
        guard let next = try? request.requestAfterRedirect(head, origin: start) else { return }
        let text = next.url.absoluteString
        require(next.url.scheme == "https" && next.url.user == nil && next.url.password == nil, text)
        require(next.url.fragment == nil && URL(string: text) == next.url, text)
        requireSameHost(next.url)
        require(next.url.hasSameOrigin(as: start) == (next.headers[.authorization] != nil), text)
    }

    private struct Endpoint: APIRequest {
        typealias Response = Data
        let base: APIBase
        let path: URLPath
        var parameters = Parameters()
    }

    private static func request(for endpoint: Endpoint) -> HTTPRequest? {
        let request = try? endpoint.httpRequest()
        if let request { require(request.url.absoluteString == request.lazyURL.text, request.lazyURL.text) }
        return request
    }

    private static func url(of path: URLPath) -> String? {
        request(for: Endpoint(base: APIBase("https://example.com/api"), path: path))?.url.absoluteString
    }

    /// The host as Foundation reads it is the one that origins are compared by.
    private static func requireSameHost(_ url: URL) {
        let text = url.absoluteString
        var reference = URIReference(text)
        reference.dropUserInformation()
        let origin = require(reference.origin, "\(text) has no origin")
        let host = String(decoding: origin.host.filter { !"[]".utf8.contains($0) }, as: UTF8.self)
        let foundation = (url.host(percentEncoded: true) ?? "").filter { !"[]".contains($0) }
        require(foundation.lowercased() == host, "\(text) has the host \(foundation) or \(host)")
        require((url.port ?? origin.port) == origin.port, "\(text) has the port \(url.port ?? 0) or \(origin.port)")
    }
}
