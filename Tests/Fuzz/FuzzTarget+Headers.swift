import APIKitSupport
import Foundation

@testable import APIKitClients
@testable import APIKitCore

extension FuzzTarget {
    private static let url = URL(string: "https://example.com/items?page=1")!  // a literal

    /// Targets are absolute and without user information, and can be replaced by themselves.
    static let link = FuzzTarget(
        "link",
        seeds: [
            #"<https://h/?page=2>; rel="next", </a>; rel=prev;title="a\"b", <#x>; rel="first last"; anchor="/b""#,
            #"<//u:p@h/a,b;c>;rel=next;title*=UTF-8'de'n%c3%a4chstes"#, "<a>;;rel,<b>;REL=\"next",
            "<https:/.//u@h/>;rel=x", "<h@hps:/.//u@h/>;rel=x",
            "<a\\>;rel=\"\\", "<%zz>; rel=a; rel=b; title*=iso-8859-1''%e4",
        ]
    ) { input in
        let text = input.text
        let links = LinkHeader([.link: text], relativeTo: url)
        for link in links {
            require(link.target.scheme != nil, link.target.absoluteString)
            require(link.target.user == nil && link.target.password == nil, link.target.absoluteString)
            require(!link.relations.isEmpty, text)
            require(links[link.relations[0]] != nil, text)
            _ = (link.title, link["type"])
        }
        require(LinkHeaderReader.replacingTargets(of: text) { $0 } == text, text)
        let written = LinkHeaderReader.replacingTargets(of: text) { _ in "x" }
        require(LinkHeaderReader.links(of: written).count == LinkHeaderReader.links(of: text).count, written)
        // What stands after a complete link is read whatever that is.
        require(LinkHeader([.link: "<a>; rel=next, \(text)"], relativeTo: url)[.next] != nil, text)
    }

    /// A date is a whole second, and is read again from its standard form.
    static let date = FuzzTarget(
        "date",
        seeds: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "tue, 29 feb 2000 23:59:60 gmt", "Sat, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
    ) { input in
        for now in [0, 1.7e9, -1e300, .nan, .infinity].map(Date.init(timeIntervalSince1970:)) {
            guard let date = Date(httpDate: input.text, now: now) else { continue }
            let seconds = date.timeIntervalSince1970
            require(seconds == seconds.rounded() && seconds.magnitude < 3e11, "\(date)")
            // After the last year, only a leap second.
            guard let text = ISO8601.text(of: date) else { continue }
            require(ISO8601.date(text) == date, text)
        }
    }

    /// A pause is neither negative nor longer than 68 years.
    static let retryAfter = FuzzTarget(
        "retry-after",
        seeds: [
            "120\n0\n1700000000", "Sun, 06 Nov 1994 08:49:37 GMT", "1.5\n1\n2", "\n0\n99999999999999999999999",
            "\n0\n.\n1500", "1e999\n\n", "\n\n\n99.9",
        ]
    ) { input in
        let parts = input.parts(4).map { $0.isEmpty ? nil : $0 }
        let names: [HTTPHeaders.Name] = [.retryAfter, "RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After-Ms"]
        var headers = HTTPHeaders()
        for (name, value) in zip(names, parts) { headers[name] = value }
        let head = HTTPResponse.Head(status: 429, headers: headers, url: url)
        for now in [0, 1.7e9, -1e300, .nan, .infinity].map(Date.init(timeIntervalSince1970:)) {
            guard let pause = head.retryAfter(now: now) else { continue }
            require(pause >= .zero && pause <= .seconds(1 << 31), "\(pause)")
        }
    }

    /// No directive hides one before or after it, and no number is out of range.
    static let cacheControl = FuzzTarget(
        "cache-control",
        seeds: [
            "max-age=60, no-store", #"private="a, b", s-maxage="10""#, "max-age=99999999999999999999",
            #"x="a\"b, max-age=1"#,
            "MAX-AGE = 1,,max-age=2", #"stale-if-error="#, "\"\\", #"no-cache="Set-Cookie"#,
        ]
    ) { input in
        let text = input.text
        let control = CacheControl([.cacheControl: text])
        for name in ["max-age", "s-maxage", "stale-if-error", "stale-while-revalidate", "min-fresh"] {
            guard let seconds = control.seconds(name) else { continue }
            require((0...CacheControl.maxSeconds).contains(seconds), "\(name) is \(seconds)")
        }
        require(CacheControl([.cacheControl: "no-store,\(text)"]).contains("no-store"), text)
        require(CacheControl([.cacheControl: "\(text),no-store"]).contains("no-store"), text)
        require(CacheControl([.cacheControl: "max-age=5, \(text)"]).seconds("max-age") == 5, text)
    }

    /// A range is not empty, lies within its total, and is read again from its standard form.
    static let contentRange = FuzzTarget(
        "content-range",
        seeds: [
            "bytes 0-9/10", "bytes 5-5/*", "BYTES */100", "bytes 0-9223372036854775807/*", "bytes 9-0/10", "bytes 1-2",
        ]
    ) { input in
        let read = { (text: String) in
            ContentRange(HTTPResponse.Head(status: 206, headers: [.contentRange: text], url: url))
        }
        switch read(input.text) {
        case .range(let range, let total):
            require(range.lowerBound >= 0 && !range.isEmpty && range.upperBound <= total ?? .max, "\(range)")
            let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total.map(String.init) ?? "*")"
            guard case .range(range, total)? = read(text) else { fatalError(text) }
        case .unsatisfied(let total): require(total >= 0, "\(total)")
        case nil: break
        }
    }

    /// A name is a single component of a path, is not hidden, and is read again as it is.
    static let filename = FuzzTarget(
        "filename",
        seeds: [
            #"attachment; filename="a \"b\".txt"; filename*=UTF-8''b%c3%a4r.txt"#, "inline; filename=../../.bashrc",
            #"x; filename="C:\\a\\.\\b""#, "filename*=iso-8859-1''%e4%2F%00..", "; filename=b\u{C3}\u{A4}r.txt",
            "x; filename=photo\u{202E}gpj.exe", "x; filename=" + String(repeating: "é", count: 127) + " .tar.gz",
            "\nfilms/a%2F%2e%2e%2Fb.mp4",
        ]
    ) { input in
        let parts = input.parts(2)
        let source = URL(string: "https://example.com/\(parts[1])") ?? url
        let head = HTTPResponse.Head(status: 200, headers: ["Content-Disposition": parts[0]], url: source)
        guard let name = head.suggestedFilename else { return }
        require((1...255).contains(name.utf8.count), name)
        let hasSeparator = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        require(!hasSeparator, name)
        let hasControl = name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        require(!hasControl, name)
        let isHidden = name.utf8.first == UInt8(ascii: ".")
        require(!isHidden, name)
        let folder = URL(filePath: "/folder", directoryHint: .isDirectory)
        require(folder.appending(path: name).standardizedFileURL.path == "/folder/\(name)", name)
        let encoded = name.utf8.map { "%\($0 < 0x10 ? "0" : "")\(String($0, radix: 16))" }.joined()
        let again = HTTPResponse.Head(
            status: 200, headers: ["Content-Disposition": "x; filename*=UTF-8''\(encoded)"], url: url)
        require(again.suggestedFilename == name, name)
    }

    /// A type's essence is its own, the first parameter counts, and text in its charset is read or refused.
    static let mediaType = FuzzTarget(
        "media-type",
        seeds: [
            "text/plain; charset=utf-8", #"Text/HTML ; a="b\";c" ; Charset='UTF-16'"#, "application/vnd.x+json;a",
            ";=\"\\",
            "text/plain;charset=utf-16\nab", "text/plain;charset=latin1\né", "text/plain;charset=utf-32be\n\0\0\0a",
        ]
    ) { input in
        let text = input.parts(2)[0]
        let type = MIMEType(rawValue: text)
        require(MIMEType(rawValue: type.essence).essence == type.essence, type.essence)
        require(MIMEType(rawValue: "a/b; charset=x; \(text)").parameter("CHARSET") == "x", text)
        let head = HTTPResponse.Head(status: 200, headers: [.contentType: text], url: url)
        let body = input.data.dropFirst(text.utf8.count + 1)
        if let name = head.charset, let charset = Charset(name: name) { _ = charset.text(of: Data(body)) }
        _ = MIMEType(filename: text)
    }
}
