import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct RequestURLTests {
    private func url(_ base: String, _ path: URLPath, _ parameters: Parameters = [:]) throws -> String {
        try WireProbe(baseURL: #require(URL(string: base)), path: path, parameters: parameters).url()
    }

    private func fault(_ base: String) throws -> RequestError {
        try WireProbe(baseURL: #require(URL(string: base))).fault()
    }

    @Test(
        arguments: [
            ("https://h", "a", "https://h/a"), ("https://h/", "a", "https://h/a"),
            ("https://h/v1", "a", "https://h/v1/a"),
            ("https://h/v1/", "a", "https://h/v1/a"), ("https://h", "/a", "https://h/a"),
            ("https://h/", "/a", "https://h/a"), ("https://h/v1", "/a", "https://h/v1/a"),
            ("https://h/v1/", "/a", "https://h/v1/a"), ("https://h/v1", "a/", "https://h/v1/a/"),
            ("https://h/v1", "a/b", "https://h/v1/a/b"),
        ] as [(String, URLPath, String)])
    func joinsBaseAndPathWithExactlyOneSlash(
        base: String, path: URLPath, expected: String
    ) throws {
        #expect(try url(base, path) == expected)
    }

    @Test(arguments: ["https://h", "https://h/", "https://h/v1", "https://h/v1/", "https://h/v1/?x=1", "https://h?x=1"])
    func anEmptyPathAddsNothing(base: String) throws {
        #expect(try url(base, "") == base)
        #expect(try url(base, "/") == base)
    }

    @Test(
        arguments: [
            ("https://h?k=1", "a", "https://h/a?k=1"), ("https://h/?k=1", "a", "https://h/a?k=1"),
            ("https://h/v1?k=1&l=%20", "a", "https://h/v1/a?k=1&l=%20"),
            ("https://h/v1/?k=/x/", "/a", "https://h/v1/a?k=/x/"), ("https://h?k=a?b", "a", "https://h/a?k=a?b"),
            ("https://h/v1", "a", "https://h/v1/a"), ("https://h", "a", "https://h/a"), ("https://h", "", "https://h"),
            ("https://h/", "", "https://h/"),
        ] as [(String, URLPath, String)])
    func addsTheQueryToThatOfTheBaseURL(
        base: String, path: URLPath, expected: String
    ) throws {
        let separator = expected.contains("?") ? "&" : "?"
        #expect(try url(base, path) == expected)
        #expect(try url(base, path, ["page": 2]) == "\(expected)\(separator)page=2")
        // An empty list adds nothing.
        #expect(try url(base, path, ["tags": [String]()]) == expected)
        #expect(try url(base, path, ["tags": [String](), "page": 2]) == "\(expected)\(separator)page=2")
    }

    @Test func anEmptyQueryIsReplaced() throws {
        #expect(try url("https://h/?", "a", ["page": 2]) == "https://h/a?page=2")
    }

    @Test(
        arguments: [
            ("https://h:8443", "https://h:8443/a"), ("http://[::1]:8080/v1", "http://[::1]:8080/v1/a"),
            ("http://[2001:db8::7]", "http://[2001:db8::7]/a"), ("http://127.0.0.1:80/", "http://127.0.0.1:80/a"),
        ] as [(String, String)])
    func keepsPortsAndIPv6Hosts(base: String, expected: String) throws {
        #expect(try url(base, "a") == expected)
        let wire = try WireProbe(baseURL: #require(URL(string: base)), path: "a").httpRequest()
        #expect(wire.url.port == URL(string: base)?.port)
        #expect(wire.url.host == URL(string: base)?.host)
    }

    @Test(
        arguments: [
            ("https://h/a%20b", "https://h/a%20b/c"), ("https://h/a%2Fb", "https://h/a%2Fb/c"),
            ("https://h/100%25", "https://h/100%25/c"), ("https://h/@me", "https://h/@me/c"),
            ("https://h/a:b", "https://h/a:b/c"), ("https://h/caf%C3%A9", "https://h/caf%C3%A9/c"),
            ("https://h/%A3", "https://h/%A3/c"),
            ("HTTPS://API.example.com/v1", "https://API.example.com/v1/c"), ("HtTp://h", "http://h/c"),
        ] as [(String, String)])
    func encodesNothingTwiceAndLowercasesOnlyTheScheme(base: String, expected: String)
        throws
    {
        #expect(try url(base, "c") == expected)
        #expect(try url(base, "%41%2f") == expected.dropLast() + "%41%2f")
    }

    @Test func acceptsARelativeURLWithItsBase() throws {
        let base = try #require(URL(string: "v1", relativeTo: URL(string: "https://api.example.com/")))
        #expect(try WireProbe(baseURL: base, path: "users").url() == "https://api.example.com/v1/users")
    }

    private static let refused: [(problem: String, bases: [String])] = [
        ("", ["https://", "https:///v1", "https://:443/v1", "https://?x=1"]),
        // Some engines end the process on a port that no connection can have.
        (
            "65535",
            [
                "https://h:65536", "https://h:99999/v1", "http://[::1]:65536/", "https://h:18446744073709551617/",
                "https://h:99999?x=1", "https://h:0/", "https://h:99999999999999999999999999",
            ]
        ),
        (
            "\"..\"",
            [
                "https://h/..", "https://h/v1/../v2", "https://h/.", "https://h/./v1", "https://h/%2e%2e/v1",
                "https://h/v1/.%2E", "https://h/%2E%2E", "https://h/v1/%2e%2E/v2", "https://h/%2e.",
                "https://h/v1/%2E/", "https://h/../?x=1",
            ]
        ),
        (
            "user information",
            [
                "https://ada:hunter2@h/v1", "https://hunter2@h", "https://:hunter2@h/",
                "http://ada:hunter2@[::1]:80/", "https://ada:hunter2@h", "HTTPS://ada:hunter2@h?x=1",
            ]
        ),
        ("fragment", ["https://h/v1#top", "https://h#", "https://h/#a?b", "https://h?x=1#f"]),
        ("", ["ftp://ada:hunter2@h/", "https://h/?token=hunter2#f", "//ada:hunter2@h/", "https:ada:hunter2@h"]),
    ]
    private static let notAbsolute = [
        "api.example.com", "/v1", "v1", "ftp://h/v1", "file:///tmp", "mailto:example", "https:h", "https:/h", "//h/v1",
        "httpss://h", "ws://h", "data:,x",
    ]

    @Test(
        arguments: [
            ("https://b\u{FC}cher.example/v1", "https://xn--bcher-kva.example/v1/c"),
            ("https://b\u{FC}cher.example:8443/v1?a=b", "https://xn--bcher-kva.example:8443/v1/c?a=b"),
        ] as [(String, String)])
    func internationalizedHostIsSentInASCII(base: String, url: String) throws {
        let endpoint = Endpoint<Data, Data>(base: APIBase(base), path: "c")
        #expect(try endpoint.httpRequest().url.absoluteString == url)
    }

    /// Signs of full width, which a conversion could make into those that end a host.
    @Test(arguments: [
        "https://good.example\u{FF0F}.evil.example", "https://good\u{FF20}evil.example", "https://\u{FF1A}",
    ])
    func convertedHostHasNoOtherMeaning(base: String) throws {
        let endpoint = Endpoint<Data, Data>(base: APIBase(base), path: "c")
        let error = #expect(throws: RequestError.self) { try endpoint.httpRequest() }
        #expect(error?.code == .baseURL)
    }

    @Test(arguments: [
        "https://h/%", "https://h/a%2", "https://h?%zz", "https://h/a b", "https://h/\u{E9}", "https://[::1",
    ])
    func rejectsInvalidBaseURLs(base: String) {
        let error = #expect(throws: RequestError.self) {
            try Endpoint<Data, Data>(base: APIBase(base), path: "41").httpRequest()
        }
        #expect(error?.code == .baseURL)
        #expect(error?.message.hasSuffix("is not valid") == true)
    }

    @Test(
        arguments: refused.flatMap { row in row.bases.map { ($0, row.problem) } }
            + notAbsolute.map { ($0, $0.debugDescription) })
    func rejectsBaseURLsWithoutShowingSecrets(base: String, problem: String) throws {
        let error = try fault(base)
        #expect(error.code == .baseURL)
        #expect(problem.isEmpty || error.message.contains(problem))
        let texts = [
            error.message, error.description, error.localizedDescription, "\(error)", String(reflecting: error),
        ]
        #expect(!texts.contains { $0.contains("hunter2") })
        let request = HTTPRequest(url: try #require(URL(string: base)))
        #expect(problem != "65535" || (try? request.prepared(in: Call())) == nil)
    }

    @Test(arguments: ["ftp://h/v1", "FTP://ada:hunter2@h/v1", "web+ftp://h"]) func namesASchemeThatIsNotHTTP(
        base: String
    ) throws {
        let message = try fault(base).message
        #expect(message.hasSuffix("ftp, which is neither http nor https"), "\(message)")
        #expect(!message.contains("absolute") && !message.contains("hunter2"))
    }

    @Test(arguments: ["api.example.com", "/v1", "://h", "https:h"]) func saysThatATextIsNotAbsolute(base: String) throws
    {
        #expect(try fault(base).message.contains("is not absolute"))
    }

    @Test(arguments: [
        "https://h:65535", "https://h:1/", "https://h/a:99999", "https://h?a:99999", "http://[::99]/", "https://h/a..b",
        "https://h/...", "https://h/.well-known", "https://h?x=../a", "https://h.io/v1.2",
    ]) func acceptsPortsInRangeAndOtherColonsAndDots(base: String) throws {
        let url = try WireProbe(baseURL: #require(URL(string: base)), path: "").httpRequest().prepared(in: Call()).url
        #expect(url.absoluteString == base)
    }

}
