import APIKit
import APIKitTestServer
import APIKitTesting
import TestTraits
import Testing

/// What published advisories of other HTTP clients demand of any client, by their numbers.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct AdvisoryTests {
    private struct Probe: APIRequest {
        var method = HTTPMethod.get
        var url = "https://api.example.com/start"
        var headers: HTTPHeaders = [:]
        var path: URLPath = ""
        var parameters: Parameters = [:]
        var body: RequestBody?
        typealias Response = Data
        var base: APIBase { APIBase(url) }
    }

    /// Returns the requests of a call that is redirected to each location in turn, and its error.
    private func requests(
        for probe: Probe, redirectedTo locations: String..., status: Int = 307
    ) async -> (all: [HTTPRequest], error: APIError<Data>?) {
        let hops = locations.map { StubClient.Answer<Data>.status(status, headers: [.location: $0]) }
        let stub = StubClient(.status(200))
        // What is added last is used first.
        let redirecting = hops.reversed().reduce(stub) { $0.answering(Probe.self, once: $1) }
        do {
            _ = try await redirecting.send(probe)
            return (redirecting.requests, nil)
        } catch {
            return (redirecting.requests, error)
        }
    }

    // MARK: - Credentials after a redirect

    @Test(
        arguments: [
            // A header that the caller has set, at another host.
            ("CVE-2018-1000007 (curl)", "Authorization", "https://other.example.net/"),
            ("CVE-2018-20060 (urllib3)", "Authorization", "https://other.example.net/"),
            // Another protocol or port.
            ("CVE-2022-27774 (curl)", "Authorization", "https://api.example.com:8443/"),
            ("CVE-2022-27776 (curl)", "Cookie", "https://api.example.com:8443/"),
            // A name in lower case.
            ("CVE-2018-25091 (urllib3)", "authorization", "https://other.example.net/"),
            ("CVE-2023-43804 (urllib3)", "Cookie", "https://other.example.net/"),
            ("CVE-2023-32681 (requests)", "Proxy-Authorization", "https://other.example.net/"),
            ("CVE-2023-45857 (axios)", "X-XSRF-TOKEN", "https://other.example.net/"),
            ("CVE-2022-0235 (node-fetch)", "Cookie", "https://other.example.net/"),
            ("CVE-2022-0155 (follow-redirects)", "Cookie", "https://other.example.net/"),
        ] as [(String, String, String)])
    func credentialStaysAtItsOrigin(advisory: String, name: String, location: String) async throws {
        let name = HTTPHeaders.Name(rawValue: name)
        let (all, error) = await requests(for: Probe(headers: [name: "hunter2"]), redirectedTo: location)
        #expect(error == nil && all.count == 2)
        #expect(all.first?.headers[name] == "hunter2")
        #expect(all.last?.headers.contains { $0.value.contains("hunter2") } == false)
    }

    @Test(
        "CVE-2023-45289 (Go): a credential reaches no host that only looks like a part of its own",
        arguments: [
            "https://[::1%25.api.example.com]/", "https://[::1%.api.example.com]/",
            "https://api.example.com.example.net/", "https://other.api.example.com/",
        ])
    func credentialReachesNoSimilarHost(location: String) async throws {
        let (all, _) = await requests(for: Probe(headers: [.authorization: "hunter2"]), redirectedTo: location)
        for request in all.dropFirst() { #expect(request.headers[.authorization] == nil) }
    }

    @Test("CVE-2018-18074 (requests): nothing follows from https to http")
    func downgradeIsRefused() async throws {
        let (all, error) = await requests(
            for: Probe(headers: [.authorization: "hunter2"]), redirectedTo: "http://api.example.com/")
        #expect(all.count == 1 && error?.transportCode == .redirectRefused)
    }

    @Test("CVE-2024-45336 (Go): a second redirect restores nothing")
    func laterRedirectRestoresNothing() async throws {
        let (all, _) = await requests(
            for: Probe(headers: [.authorization: "hunter2"]),
            redirectedTo: "https://other.example.net/1", "https://other.example.net/2", "https://api.example.com/3")
        #expect(all.map(\.url.path) == ["/start", "/1", "/2", "/3"])
        for request in all.dropFirst() { #expect(request.headers[.authorization] == nil) }
    }

    @Test("CVE-2023-45803 (urllib3): a POST that becomes a GET has no body", arguments: [301, 302, 303])
    func bodyIsDroppedWithTheMethod(status: Int) async throws {
        let probe = Probe(method: .post, body: .data(Data("secret".utf8), contentType: .json))
        let (all, _) = await requests(for: probe, redirectedTo: "https://other.example.net/", status: status)
        let second = try #require(all.dropFirst().first)
        #expect(second.method == .get && second.body == nil && second.headers[.contentType] == nil)
    }

    @Test(
        "CVE-2022-33987 (got): a redirect leads to http and https alone",
        arguments: [
            "unix:/var/run/docker.sock:/containers", "http://unix:/var/run/docker.sock:/containers",
            "file:///etc/passwd",
        ])
    func redirectToOtherSchemeIsRefused(location: String) async throws {
        let (all, error) = await requests(for: Probe(), redirectedTo: location)
        #expect(all.count == 1 && error?.transportError != nil)
    }

    // MARK: - Injection

    private static let lines = "GET / HTTP/1.1\r\nX-Injected: 1"

    @Test(arguments: ["CVE-2020-26137 (urllib3)", "CVE-2023-49082 (aiohttp)"])
    func lineBreakInMethodIsRefused(advisory: String) {
        #expect(throws: RequestError.self) { try Probe(method: HTTPMethod(rawValue: Self.lines)).httpRequest() }
    }

    @Test(
        arguments: ["GHSA-v3r5-pjpm-mwgq (async-http-client)", "GHSA-3cvr-822r-rqcc (undici)"],
        [
            "a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "a\0",
        ])
    func lineBreakInHeaderIsRefused(advisory: String, value: String) {
        #expect(throws: RequestError.self) { try Probe(headers: ["X-Name": value]).httpRequest() }
        #expect(throws: RequestError.self) {
            try Probe(headers: [HTTPHeaders.Name(rawValue: value): "a"]).httpRequest()
        }
        // GHSA-f772-66g8-q5h3 (undici): the body's type is a header too.
        let body = RequestBody.data(Data(), contentType: MIMEType(rawValue: "text/plain\(value)"))
        let request = try? Probe(method: .post, body: body).httpRequest()
        #expect(request?.headers[.contentType]?.contains { $0.isNewline || $0 == "\0" } != true)
    }

    @Test("CVE-2023-29406 (Go): a line break in Host is refused", arguments: ["a\r\nX-Injected: 1", "a\n"])
    func lineBreakInHostIsRefused(value: String) {
        #expect(throws: RequestError.self) { try Probe(headers: ["Host": value]).httpRequest() }
    }

    @Test("CVE-2019-11236 (urllib3): a line break in a path or a query is a value")
    func lineBreakInURLIsEncoded() throws {
        let request = try Probe(path: "a/\(Self.lines)", parameters: ["q": Self.lines]).httpRequest()
        #expect(!request.url.absoluteString.contains { $0.isWhitespace })
        #expect(request.url.absoluteString.contains("%0D%0A"))
    }

    @Test(
        "CVE-2024-39338 (axios): a path reaches no other host",
        arguments: [
            "//evil.example.net/", "https://evil.example.net/", "@evil.example.net/", "\\\\evil.example.net/",
            ":80@evil.example.net",
        ])
    func pathStaysAtItsHost(value: String) {
        for path: URLPath in ["\(value)", "\(segments: value)"] {
            let request = try? Probe(path: path).httpRequest()
            #expect(request?.url.host() ?? "api.example.com" == "api.example.com")
        }
    }

    @Test("CVE-2025-7783 (form-data): boundaries cannot be guessed")
    func boundariesAreRandom() {
        let boundaries = Set((0..<1_000).map { _ in MultipartForm().boundary })
        #expect(boundaries.count == 1_000)
        #expect(boundaries.allSatisfy { $0.count >= 24 })
    }

    // MARK: - Limits

    @Test(arguments: ["CVE-2022-32206 (curl)", "GHSA-gm62-xv2j-4w53 (urllib3)"])
    func chainOfCodingsIsRefused(advisory: String) async throws {
        let codings = Array(repeating: "gzip", count: 1_000).joined(separator: ", ")
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Encoding", codings)], body: Data("not compressed".utf8))
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await URLSession.api.send(Probe(url: server.url.absoluteString))
        }
        #expect(error?.transportError != nil)
    }

    @Test("CVE-2023-38039 (curl): a head without an end does not fill the memory")
    func endlessHeadEnds() async throws {
        let line = "X-Filler: " + String(repeating: "a", count: 1_000) + "\r\n"
        let head = "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 20_000)
        let server = try LoopbackServer { _ in .raw(head) }
        let error = await #expect(throws: APIError<Data>.self) {
            try await URLSession.api.send(Probe(url: server.url.absoluteString))
        }
        #expect(error?.transportError != nil)
    }
}
