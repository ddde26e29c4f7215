import APIKitSupport
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct URLPathTests {
    private enum Section: String {
        case news
        case sportAndPlay = "sport & play"
        case nothing = ""
    }

    private enum Level: Int { case low = 1 }

    private struct Identifier: RawRepresentable { var rawValue: String }

    @Test(
        arguments: [
            ("users", "users"), ("users/7/repos", "users/7/repos"), ("users/", "users/"), ("", ""), ("a//b", "a//b"),
            ("a b", "a%20b"), ("caf\u{E9}", "caf%C3%A9"), ("a[0]", "a%5B0%5D"),
            ("a\"<>\\^`{|}b", "a%22%3C%3E%5C%5E%60%7B%7C%7Db"),
            ("-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@"), ("a;v=1/b,c", "a;v=1/b,c"), ("items:batch", "items:batch"),
            ("a\r\n\0b", "a%0D%0A%00b"), (".well-known/x", ".well-known/x"), ("...", "..."), ("a..b", "a..b"),
            (".a", ".a"),
            ("\u{1F600}", "%F0%9F%98%80"), ("e\u{301}", "e%CC%81"), ("/\u{301}", "/%CC%81"),
            // Valid escapes are kept.
            ("a%20b", "a%20b"), ("a%2Fb", "a%2Fb"), ("a%2fb", "a%2fb"), ("%41", "%41"), ("100%", "100%25"),
            ("%", "%25"),
            ("%2", "%252"), ("%zz", "%25zz"), ("%2g", "%252g"), ("%%20", "%25%20"), ("%25", "%25"), ("%2525", "%2525"),
        ] as [(String, String)])
    func encodesForbiddenBytesInLiteralText(text: String, encoded: String) {
        #expect(URLPath(stringLiteral: text).description == encoded)
    }

    // MARK: - Values

    @Test(
        arguments: [
            ("a/b", "a%2Fb"), ("a?b", "a%3Fb"), ("a#b", "a%23b"), ("100%", "100%25"), ("%2e%2e", "%252e%252e"),
            ("%2F", "%252F"), ("a;b", "a%3Bb"), ("a:b", "a:b"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a@b", "a@b"),
            ("a\\b", "a%5Cb"), ("-._~", "-._~"), ("\r\n\0", "%0D%0A%00"), ("caf\u{E9}", "caf%C3%A9"),
            ("\u{1F600}", "%F0%9F%98%80"), ("...", "..."), ("a/..b", "a%2F..b"), ("/etc/passwd", "%2Fetc%2Fpasswd"),
            ("//evil.example", "%2F%2Fevil.example"), ("!$&'()*,=", "%21%24%26%27%28%29%2A%2C%3D"),
            ("[::1]", "%5B::1%5D"),
            ("ft:gpt-4:org::7", "ft:gpt-4:org::7"), (":", ":"), ("@", "@"), ("a:", "a:"), ("user@h:80", "user@h:80"),
            ("https:", "https:"), ("javascript:x", "javascript:x"), ("@evil.example", "@evil.example"),
            (":80@evil.example/x", ":80@evil.example%2Fx"), ("a:%40@", "a:%2540@"),
        ] as [(String, String)])
    func aValueIsTextInsideOneSegment(value: String, encoded: String) throws {
        #expect(try WireProbe(path: "x/\(value)/y").url() == "https://api.example.com/v1/x/\(encoded)/y")
        #expect(try WireProbe(path: "\(value)").url() == "https://api.example.com/v1/\(encoded)")
    }

    private static let written: [(URLPath, String)] = [
        ("\("text")/\("text".dropFirst())", "text/ext"),
        ("\(-7)/\(UInt8.max)/\(Int64.min)", "-7/255/-9223372036854775808"),
        (
            "\(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")!)", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        ),
        ("\(Section.sportAndPlay)/\(Section.news)", "sport%20%26%20play/news"), ("\(Level.low)", "1"),
        ("\(Identifier(rawValue: "a/b"))", "a%2Fb"), ("v\(2)/file-\("a b").\("json")", "v2/file-a%20b.json"),
        ("days/\(DateOnly("2026-11-20")!)/\(TimeOnly("18:30:00")!)", "days/2026-11-20/18:30:00"),
        // Escapes end before values.
        ("a%\("20")", "a%2520"), ("a%2\("0")", "a%2520"), ("a%20\("0")", "a%200"), ("\("%")20", "%2520"),
        // Segments keep their slashes.
        ("files/\(segments: "a/b")", "files/a/b"), ("files/\(segments: "a b/c?d#e")", "files/a%20b/c%3Fd%23e"),
        ("files/\(segments: "a//b")", "files/a//b"), ("files/\(segments: "a/")", "files/a/"),
        ("files/\(segments: "%2F")", "files/%252F"), ("files/\(segments: "a:b;c")", "files/a:b%3Bc"),
        ("files/\(segments: "docs/caf\u{E9}.md")", "files/docs/caf%C3%A9.md"),
        // The elements of a list are segments.
        ("files/\(segments: ["docs", "a/b", "c d"])/raw", "files/docs/a%2Fb/c%20d/raw"),
        ("files/\(segments: [String]())", "files"), ("files/\(segments: [String]())/raw", "files/raw"),
        // No segments take no slash.
        ("files/\(segments: "")", "files"), ("files/\(segments: "/")", "files"), ("\(segments: "")", ""),
        ("files/\(segments: "")/raw", "files/raw"), ("\(segments: "")/raw", "raw"), ("/\(segments: "")", ""),
        ("files/\(segments: "")/", "files/"), ("files/\(segments: "").json", "files/.json"),
        ("a\(segments: "")/b", "a/b"), ("a/\(segments: "")/\(segments: "")/b", "a/b"), ("a/\(segments: "")\(7)", "a/7"),
    ]

    @Test(arguments: written) func acceptsStringsIntegersUUIDsAndEnums(path: URLPath, text: String) throws {
        #expect(path.description == text)
        _ = try WireProbe(path: path).httpRequest()
    }

    private static let empty = "", dot = ".", dots = ".."

    private static let refused: [(words: String, paths: [URLPath])] = [
        (
            "`parameters`",
            ["users/\(7)?page=2", "users?id=\(7)", "a?b/\("")", "users#top", "?", "#", "a?b#c", "users/?"]
        ),
        ("users?page=2".debugDescription, ["users?page=2"]),
        (
            "empty",
            [
                "users/\(empty)", "users/\(empty)/", "\(empty)", "users/\(empty)/repos", "users/x\(empty)",
                "\(empty)\("a")", "users/\("ab".dropFirst(2))", "users/\(Section.nothing)",
                "users/\(Identifier(rawValue: ""))", "a/\("")/b?c", "files/\(segments: ["a", empty])",
            ]
        ),
        // RFC 3986, 3.3 and 6.2.2: clients and servers would remove such a segment.
        (
            "",
            [
                "users/\(dots)", "users/\(dot)", "users/\(dots)/repos", "users/\(dot)/repos", "\(dots)",
                "\(dot)\(dot)", "users/.\(dot)", "users/\(dot).", "users/%2e\(dot)", "users/\(dot)%2E/x",
                "files/\(segments: "a/../b")", "files/\(segments: "..")", "files/\(segments: "a/.")",
                "files/\(segments: "./a")", "files/\(segments: ["a", ".."])", "a/../b", "..", "./a", "a/.", "%2e%2e/a",
                "a/%2E", "a/.%2e", "%2e%2E",
                "a/%2E./b",
                // Servers that decode before they split take each for a way up.
                "..%2Fprivate", "a%2f..", "a%5C..%5cb", "a%2F%2e%2E", "%2F.",
            ]
        ),
        ("`base`", ["https://h.io/x", "http://h.io", "HTTPS://h.io/x", "ftp://h.io", "web+app://x"]),
        ("", ["https://ada:hunter2@h.io/x"]),
    ]

    @Test(arguments: refused.flatMap { row in row.paths.map { ($0, row.words) } })
    func rejectsPathsThatMeanSomethingElse(path: URLPath, words: String) throws {
        let error = try WireProbe(path: path).fault()
        #expect(error.code == .path)
        #expect(words.isEmpty || error.message.contains(words))
        #expect(!error.message.contains("hunter2"))
        #expect(error.description.hasPrefix("GET https://api.example.com/v1 (WireProbe) was not sent: "))
    }

    // Servers that decode before they split take each for a way up.
    @Test(arguments: [
        "../private/x", "..\\private", "a/../b", "a\\..\\b", "a/..", "a\\..", "./a", "a/.", "../..", "a/./b", "/..",
        "\\..", "../", "a\\./b",
    ]) func rejectsDotsBetweenEncodedSlashesInValues(value: String) throws {
        let paths: [URLPath] = ["files/\(value)", "files/\(value)/raw", "files/\(segments: "x/" + value)", "\(value)"]
        for path in paths { try WireProbe(path: path).expectFault(.path, "\"..\"") }
    }

    private static let dotsAndMore = [
        "a/..b", "a../b", "...", "a/...", "a%2F..", "1.5/2.5", "..a\\b", "a.b/c.d", "a/.b", "%2e%2e", "%2E", "..%2f",
        ". .", ".a", "\u{2E}\u{301}", "\u{FF0E}\u{FF0E}",
    ]
    private static let colons = [
        "/https://h.io/x", "proxy/https://h.io/x", "a:b", "items:batch", "a:/b", "://", "caf\u{E9}://x",
    ]

    @Test(arguments: dotsAndMore.map { "files/\($0)" } + colons.map(URLPath.init(stringLiteral:)))
    func acceptsOtherDotsAndColons(path: URLPath) throws { _ = try WireProbe(path: path).httpRequest() }

    private struct Templated: APIRequest {
        typealias Response = NoContent
        var base: APIBase { "https://api.example.com/v1" }
        let path: URLPath
    }

    private struct Owned: APIRequest {
        enum Kind: String { case open }
        typealias Response = NoContent
        let id: UUID
        var base: APIBase { "https://api.example.com/v1" }
        var path: URLPath {
            "/users/\("octo/cat?", name: "login")/\(7)/\(id, name: "id").json/\(Kind.open, name: "kind")/\(segments: "a/b", name: "file")"
        }
    }

    @Test func templateHasNamesInsteadOfValues() throws {
        let id = UUID()
        let request = try Owned(id: id).httpRequest()
        #expect(Call(endpoint: Owned(id: id)).pathTemplate == "/users/{login}/{}/{id}.json/{kind}/{file}")
        #expect(request.url.path(percentEncoded: true) == "/v1/users/octo%2Fcat%3F/7/\(id.uuidString).json/open/a/b")
    }

    @Test func templateNeverHasValues() throws {
        #expect(Call(endpoint: Templated(path: "a b/c")).pathTemplate == "/a%20b/c")
        // The value was there before anyone asked for a template.
        #expect(Call(endpoint: Templated(path: "users/\("octocat", name: "login")")).pathTemplate == "/users/{login}")
        #expect(Call(endpoint: Templated(path: "a/\(segments: "")/b\(segments: "/")")).pathTemplate == "/a/{}/b{}")
        #expect(Call().pathTemplate == nil)
        #expect(URLPath("a/\(1)") == "a/1")
    }

    @Test func valuesCannotFormAbsoluteURLs() throws {
        #expect(try WireProbe(path: "\("https://h.io/x")").url() == "https://api.example.com/v1/https:%2F%2Fh.io%2Fx")
        #expect(
            try WireProbe(path: "\(segments: "https://h.io/x")").url() == "https://api.example.com/v1/https://h.io/x")
        #expect(
            try WireProbe(baseURL: URL(string: "https://h")!, path: "\("@evil.example:80")").url()
                == "https://h/@evil.example:80")
        #expect(
            try WireProbe(baseURL: URL(string: "https://h")!, path: "\("evil:80")").url().hasPrefix("https://h/evil:80")
        )
    }

    @Test func dotsBesideColonsAreNames() throws {
        #expect(try WireProbe(path: "x/\("..:")").url() == "https://api.example.com/v1/x/..:")
        #expect(try WireProbe(path: "x/\("@..")").url() == "https://api.example.com/v1/x/@..")
        try WireProbe(path: "x/\(":/../y")").expectFault(.path, "\"..\"")
        try WireProbe(path: "x/\(segments: "a:/../@b")").expectFault(.path, "\"..\"")
    }

    @Test func listsEncodeAllReservedCharacters() throws {
        // RFC 6570, section 3.2.2.
        #expect(URLPath("x/\(list: "a:b@c")").description == "x/a%3Ab%40c")
        #expect(URLPath("x\(label: ["a:b", "@"])").description == "x.a%3Ab,%40")
        #expect(URLPath("x\(matrix: "a:b", name: "k")").description == "x;k=a%3Ab")
    }

    @Test func literalSchemeAroundAValueIsAnError() throws {
        for path in ["\("https")://h.io/x", "http\("s")://h.io"] as [URLPath] {
            try WireProbe(path: path).expectFault(.path, "`base`")
        }
    }

    @Test func segmentsNeverReachAnotherHost() throws {
        #expect(
            try WireProbe(path: "\(segments: "//evil.example/x")").url() == "https://api.example.com/v1/evil.example/x")
        #expect(
            try WireProbe(baseURL: URL(string: "https://h")!, path: "\(segments: "//evil.example")").url()
                == "https://h/evil.example")
    }

    private func holdsDots(_ value: String) -> Bool {
        let pieces = value.utf8.split { "/\\".utf8.contains($0) }
        return pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    @Test func anyValueIsDecodedUnchangedInsideItsSegment() throws {
        let prefix = "https://api.example.com/v1/items/", suffix = "/end"
        for value in SeededText.texts(2_000, seed: 1) where !value.isEmpty {
            let url = try? WireProbe(path: "items/\(value)/end").httpRequest().url
            #expect((url == nil) == holdsDots(value), "\(value.debugDescription)")
            guard let url else { continue }
            let text = url.absoluteString
            #expect(text.hasPrefix(prefix) && text.hasSuffix(suffix))
            let segment = text.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
            #expect(!segment.contains { "/?#\\ \r\n".utf8.contains($0) || $0 >= 0x7F }, "\(value.debugDescription)")
            #expect(try WireDecoding.percentDecoded(segment) == Array(value.utf8), "\(value.debugDescription)")
            #expect(url.query == nil && url.fragment == nil && url.host == "api.example.com")
        }
    }

    @Test func anyTextKeepsItsNumberOfSegments() throws {
        for value in SeededText.texts(500, seed: 2) where !value.allSatisfy({ $0 == "/" }) {
            let path: URLPath = "files/\(segments: value)"
            guard let url = try? WireProbe(path: path).httpRequest().url else {
                #expect(holdsDots(value))
                continue
            }
            let text = url.absoluteString.utf8.dropFirst("https://api.example.com/v1/files/".utf8.count)
            #expect(try WireDecoding.percentDecoded(text) == Array(value.utf8))
            #expect(text.count { $0 == 0x2F } == value.utf8.count { $0 == 0x2F })
        }
    }

    @Test func anEmptyValueIsNamedWithItsPath() throws {
        let owner = ""
        try WireProbe(path: "repos/\(owner, name: "owner")/issues/\(7)").expectFault(
            .path, #"the value "owner" in the path "repos//issues/7" is empty"#)
        try WireProbe(path: "repos/\(owner)/issues").expectFault(
            .path, #"a value in the path "repos//issues" is empty"#)
    }

    // MARK: - Secrets

    private struct GuestRequest: APIRequest {
        typealias Response = NoContent
        var session = "gu3st+session"
        var name = "guestSession"
        var page = 1.0
        var options = RequestOptions()
        var base: APIBase { "https://api.example.com/3" }
        var path: URLPath { "guest/\(session, name: name)/rated/\("movies", name: "list")" }
        var parameters: Parameters { ["page": page] }
    }

    private static let guests: [GuestRequest] = [
        GuestRequest(), GuestRequest(name: "guestID", options: RequestOptions(secretNames: ["GuestID"])),
    ]

    @Test(arguments: guests.indices) func aValueWithTheNameOfASecretIsMasked(index: Int) throws {
        let guest = Self.guests[index]
        let request = try guest.httpRequest()
        #expect(request.url.absoluteString == "https://api.example.com/3/guest/gu3st%2Bsession/rated/movies?page=1")
        let masked = "https://api.example.com/3/guest/***/rated/movies?page=1"
        #expect(request.maskedURL == masked)
        #expect(request.description.contains(masked) && request.curlCommand.contains("'\(masked)'"))
        #expect(request.curlCommand(showingSecrets: true).contains(request.url.absoluteString))
        let head = HTTPResponse.Head(status: 500, url: request.url)
        let response = HTTPResponse(
            head: head, body: ResponseBody(Data("no session gu3st+session".utf8)), request: request)
        let error = TransportError(.timedOut, "no answer for gu3st%2Bsession", request: request)
        let later = TransportError(.timedOut, "no answer for gu3st+session").withRequest(request)
        for text in [response.description, error.description, later.description] {
            #expect(text.contains("***") && !text.contains("gu3st"), "\(text)")
        }
    }

    @Test(arguments: guests.indices) func anErrorOfTheRequestMasksTheValue(index: Int) throws {
        var guest = Self.guests[index]
        guest.page = .nan
        let error = try guest.fault()
        #expect(
            error.description == "GET https://api.example.com/3/guest/***/rated/movies (GuestRequest) was not sent: "
                + #""page": the number is nan, which cannot be sent"#)
        guest.session = "../gu3st"
        let path = try guest.fault()
        #expect(!path.description.contains("gu3st") && !path.message.contains("gu3st"), "\(path)")
    }

    @Test func otherNamedValuesAreShown() throws {
        let request = try GuestRequest(name: "guestID").httpRequest()
        #expect(request.maskedURL == request.url.absoluteString)
        // A name in the path does not make two requests different.
        #expect(request == HTTPRequest(url: request.url))
    }

    // MARK: - Lists and objects

    private static let ids = [1, 2, 3]
    private static let color: Parameters.Node = .object(["R": 100, "G": 200])

    /// The examples of RFC 6570, sections 3.2.2, 3.2.5 and 3.2.7, with other names.
    @Test(
        arguments: [
            ("users/\(list: ids)", "users/1,2,3"), ("users/\(list: ids, exploded: true)", "users/1,2,3"),
            ("\(list: color)", "R,100,G,200"), ("\(list: color, exploded: true)", "R=100,G=200"),
            ("map\(label: "x")", "map.x"), ("map\(label: ids)", "map.1,2,3"),
            ("map\(label: ids, exploded: true)", "map.1.2.3"), ("map\(label: color)", "map.R,100,G,200"),
            ("map\(label: color, exploded: true)", "map.R=100.G=200"), ("map\(matrix: 7, name: "id")", "map;id=7"),
            ("map\(matrix: ids, name: "id")", "map;id=1,2,3"),
            ("map\(matrix: ids, exploded: true, name: "id")", "map;id=1;id=2;id=3"),
            ("map\(matrix: "", name: "e")", "map;e"), ("map\(matrix: color, name: "c")", "map;c=R,100,G,200"),
            ("map\(matrix: color, exploded: true, name: "c")", "map;R=100;G=200"),
            ("\(list: ["a,b", "c/d", ".."])", "a%2Cb,c%2Fd,.."), ("\(list: [true, false])", "true,false"),
        ] as [(URLPath, String)])
    func listsAndObjectsKeepTheirSeparators(path: URLPath, expected: String) throws {
        #expect(path.description == expected)
        try path.validate()
    }

    @Test(
        arguments: [
            ("users/\(list: [Int]())", "is empty"), ("users/\(list: [""])", "is empty"),
            ("files/\("..")\(matrix: 7, name: "v")", "\"..\""), ("map\(matrix: 7, name: "")", "is empty"),
            ("users/\(list: [[1]])", "holds more than plain values"),
            ("users/\(list: Double.nan)", "nan"),
        ] as [(URLPath, String)])
    func valuesThatAPathCannotHoldAreErrors(path: URLPath, problem: String) throws {
        let error = try #require(throws: RequestError.self) { try path.validate() }
        #expect(error.code == .path)
        #expect(error.message.contains(problem))
    }

    @Test func elementsOfASecretListAreMaskedOneByOne() throws {
        let path: URLPath = "x/\(list: ["abcdef", "ghijkl"], name: "token")/y\(matrix: "mnopqr", name: "pin")"
        let text = try WireProbe(path: path, headers: ["X-Echo": "abcdef ghijkl mnopqr"]).httpRequest().description
        #expect(!text.contains("abcdef") && !text.contains("ghijkl") && !text.contains("mnopqr"))
    }

    @Test func membersWithTheNamesOfSecretsAreMasked() throws {
        let path: URLPath = "x/\(list: ["passcode": "stuvwx", "id": "yz0123"])"
        let text = try WireProbe(path: path).httpRequest().description
        #expect(text.contains("passcode,***") && text.contains("yz0123"))
        let invalid: URLPath = "x/\(list: ["passcode": "stuvwx"])/\("")"
        let error = #expect(throws: RequestError.self) { try WireProbe(path: invalid).httpRequest() }
        #expect("\(error as Any)".contains("passcode,***"))
    }
}
