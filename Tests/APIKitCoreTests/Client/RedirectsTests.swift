import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RedirectsTests {
    // MARK: - The table

    private static let moved: KeyValuePairs<HTTPMethod, HTTPMethod> = [
        .get: .get, .head: .head, .post: .get, .put: .put, .delete: .delete, .patch: .patch, .options: .options,
        "PURGE": "PURGE", .query: .query,
    ]

    // RFC 9110, sections 15.4.2 to 15.4.9: the methods, each with the one that the redirect is followed with.
    private static let methods: [(status: Int, followed: KeyValuePairs<HTTPMethod, HTTPMethod>)] = [
        (301, moved), (302, moved),
        (303, [.get: .get, .head: .head, .post: .get, .put: .get, .query: .get]),
        (307, [.get: .get, .head: .head, .post: .post, .put: .put, .query: .query]),
        (308, [.get: .get, .head: .head, .post: .post, .put: .put, .query: .query]),
    ]

    private static let hops: [(status: Int, method: HTTPMethod, followed: HTTPMethod)] = methods.flatMap { row in
        row.followed.map { (status: row.status, method: $0.key, followed: $0.value) }
    }

    private static let credentials: HTTPHeaders = [
        .authorization: "Bearer hunter2", .cookie: "sid=hunter2", "proxy-authorization": "Basic hunter2",
        "X-API-Key": "hunter2", "x-auth-token": "hunter2",
    ]
    private static let harmless: HTTPHeaders = [
        .accept: "application/json", .acceptLanguage: "eo", .userAgent: "tests/1", .ifNoneMatch: "\"1\"",
        "X-Request-Id": "7", "Idempotency-Key": "8",
    ]

    private static let locations = [
        "https://api.example.com/next?page=2", "https://other.example.com/next?page=2",
        "https://api.example.com:8443/next?page=2", "http://api.example.com/next?page=2",
    ]

    @Test(arguments: hops, locations) func followsByTheTable(
        _ hop: (status: Int, method: HTTPMethod, followed: HTTPMethod), location: String
    ) async throws {
        let client = ScriptedClient(.status(hop.status, headers: [.location: location]), .text("done"))
        let hasNoBody: Set<HTTPMethod> = [.get, .head]
        let endpoint = Endpoint<Data, Data>(
            method: hop.method, headers: HTTPHeaders(Array(Self.credentials) + Array(Self.harmless)),
            body: hasNoBody.contains(hop.method) ? nil : .data(Data("{\"a\":1}".utf8), contentType: .json))
        if location.hasPrefix("http:") {
            #expect(try await client.failure(of: endpoint).transportCode == .redirectRefused)
            #expect(client.requests.count == 1)
            return
        }
        let reply = try await client.reply(to: endpoint)
        #expect(reply.model == Data("done".utf8))
        #expect(client.requests.count == 2)
        let second = try #require(client.requests.last)
        #expect(second.url.absoluteString == location)
        #expect(reply.head.url == second.url)
        #expect(second.method == hop.followed)
        let keepsBody = !hasNoBody.contains(hop.followed)
        #expect(second.body?.data == (keepsBody ? Data("{\"a\":1}".utf8) : nil))
        #expect(second.headers[.contentType] == (keepsBody ? "application/json" : nil))
        let isSameOrigin = location.hasPrefix("https://api.example.com/")
        for field in Self.credentials {
            #expect(second.headers[field.name] == (isSameOrigin ? field.value : nil), "\(field.name)")
        }
        for field in Self.harmless { #expect(second.headers[field.name] == field.value, "\(field.name)") }
        #expect(second.options == client.requests.first?.options)
        #expect(second.delivery == client.requests.first?.delivery)
    }

    @Test(arguments: [
        "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "Api-Key", "apikey", "X-Auth-Token",
        "Private-Token", "X-Amz-Security-Token", "X-CSRF-Token", "X-Session-Id", "X-Access-Key", "X-Client-Secret",
        "X-Signature", "X-Auth-Key", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Password",
        "Host", "X-Auth", "Authentication", "X-GitHub-OTP", "X-OTP", "DPoP", "X-User-Pass", "X-Sid", "X-Pin",
        "encryptionKey", "X-Of-No-Known-Name", "Referer", "Origin", "From", "Accept-Token", "If-Password",
        "Content-Secret",
    ]) func credentialsDoNotCrossOrigins(name: String) async throws {
        let client = ScriptedClient(.status(302, headers: [.location: "https://other.example.com/"]), .status(200))
        let name = HTTPHeaders.Name(rawValue: name)
        _ = try await client.send(Endpoint<Data, Data>(headers: [name: "hunter2", "X-Request-Id": "1"]))
        #expect(client.requests.first?.headers[name] == "hunter2")
        #expect(client.requests.last?.headers[name] == nil)
        #expect(client.requests.last?.headers["X-Request-Id"] == "1")
    }

    @Test func headersAboutABodyAreDroppedWithIt() async throws {
        let client = ScriptedClient(.status(303, headers: [.location: "/next"]), .status(200))
        let headers: HTTPHeaders = [
            "content-type": "text/x", .contentEncoding: "gzip", .contentLanguage: "eo", "Content-Location": "/x",
            "Content-Digest": "sha-256=:x:", "X-Content": "kept",
        ]
        let body = RequestBody.data(Data([1]), contentType: nil)
        _ = try await client.send(Endpoint<Data, Data>(method: .patch, headers: headers, body: body))
        #expect(client.requests.last?.method == .get)
        #expect(client.requests.last?.body == nil)
        #expect(client.requests.last?.headers == ["X-Content": "kept"])
    }

    // URIReferenceTests has the examples of RFC 3986, section 5.4.
    @Test(
        arguments: [
            ("/next", "https://api.example.com/next"), ("next", "https://api.example.com/v1/things/next"),
            ("../next", "https://api.example.com/v1/next"), ("./", "https://api.example.com/v1/things/"),
            ("../../../../next", "https://api.example.com/next"),
            ("?page=2", "https://api.example.com/v1/things/7?page=2"),
            ("//api.example.com/next", "https://api.example.com/next"), ("/next#top", "https://api.example.com/next"),
            ("https://api.example.com/next#a?b", "https://api.example.com/next"),
            ("/next?", "https://api.example.com/next?"), ("/a%2Fb?x=%20", "https://api.example.com/a%2Fb?x=%20"),
            ("/a:b", "https://api.example.com/a:b"), ("HTTPS://api.example.com/next", "https://api.example.com/next"),
            // Servers send such characters unencoded, and browsers follow them.
            ("/\u{FC}?q=\u{F6} x", "https://api.example.com/%C3%BC?q=%C3%B6%20x"),
            ("/a|b^c`d{e}<f>\"g\\h", "https://api.example.com/a%7Cb%5Ec%60d%7Be%7D%3Cf%3E%22g%5Ch"),
            ("/next?ids[]=1&q=50%&r=%zz", "https://api.example.com/next?ids%5B%5D=1&q=50%25&r=%25zz"),
            (" \u{301}next", "https://api.example.com/v1/things/%CC%81next"),
            // User information is dropped.
            ("https://user:hunter2@api.example.com/next", "https://api.example.com/next"),
            ("//user@api.example.com/next", "https://api.example.com/next"),
            ("https://a@b@api.example.com/next", "https://api.example.com/next"),
            // A comma does not separate two locations.
            ("/a,b", "https://api.example.com/a,b"), ("/a,/b", "https://api.example.com/a,/b"),
            ("/proxy/x,https://b.example/", "https://api.example.com/proxy/x,https://b.example/"),
            ("/a?q=Smith, John", "https://api.example.com/a?q=Smith,%20John"),
            ("/map?at=52.5,13.4", "https://api.example.com/map?at=52.5,13.4"), ("/a,", "https://api.example.com/a,"),
        ] as [(String, String)])
    func resolvesLocations(location: String, target: String) async throws {
        let client = ScriptedClient(.status(302, headers: [.location: location]), .status(200))
        let base = URL(string: "https://api.example.com/v1")!
        let endpoint = Endpoint<Data, Data>(
            base: APIBase(base), path: "things/7", parameters: ["q": 1], headers: [.authorization: "Bearer hunter2"])
        let reply = try await client.reply(to: endpoint)
        #expect(client.requests.last?.url.absoluteString == target)
        #expect(reply.head.url.absoluteString == target)
        #expect(client.requests.last?.headers[.authorization] == "Bearer hunter2")
    }

    @Test(
        arguments: [
            ("https://api.example.com", "https://api.example.com:443/next", true),
            ("https://api.example.com:443", "https://api.example.com/next", true),
            ("http://api.example.com", "http://api.example.com:80/next", true),
            ("https://api.example.com", "https://api.example.com:/next", true),
            ("https://api.example.com", "https://API.Example.COM/next", true),
            ("https://API.example.com", "https://api.example.com/next", true),
            ("https://api.example.com:8443", "/next", true), ("http://[::1]:8080", "http://[::1]:8080/next", true),
            ("https://api.example.com", "https://api.example.com:80/next", false),
            ("https://api.example.com:8443", "https://api.example.com/next", false),
            ("http://api.example.com", "https://api.example.com/next", false),
            ("http://api.example.com:8080", "https://api.example.com:8080/next", false),
            ("http://api.example.com:443", "https://api.example.com/next", false),
            ("https://api.example.com", "https://example.com/next", false),
            ("https://api.example.com", "https://api.example.com.evil.example/next", false),
            ("https://api.example.com", "https://api.example.com@evil.example/next", false),
            ("https://api.example.com", "https://evil.example#@api.example.com/next", false),
            ("https://api.example.com", "https://evil.example?@api.example.com/next", false),
            ("https://api.example.com", "//evil.example/next", false),
            ("http://[::1]:8080", "http://[::2]:8080/next", false),
        ] as [(String, String, Bool)])
    func anOriginIsSchemeHostAndPort(base: String, location: String, isSame: Bool)
        async throws
    {
        let client = ScriptedClient(.status(307, headers: [.location: location]), .status(200))
        let base = try #require(URL(string: base))
        _ = try await client.send(Endpoint<Data, Data>(base: APIBase(base), headers: Self.credentials))
        for field in Self.credentials {
            #expect(client.requests.last?.headers[field.name] == (isSame ? field.value : nil), "\(field.name)")
        }
    }

    @Test(arguments: [
        "ftp://api.example.com/next", "file:///etc/passwd", "file://localhost/etc/passwd", "data:text/plain,x",
        "javascript:alert(1)", "mailto:a@b.example", "ws://api.example.com/", "app://callback?code=hunter2",
        "about:blank", "http://user:hunter2@api.example.com/next?token=hunter2&page=2",
    ]) func refusesOtherSchemesAndMasksTheirSecrets(location: String) async throws {
        let client = ScriptedClient(.status(302, headers: [.location: location]), .status(200))
        let error = try await client.failure(of: Endpoint<Data, Data>())
        #expect(error.transportCode == .redirectRefused)
        #expect(client.requests.count == 1)
        #expect(!"\(error)".contains("hunter2") || !location.hasPrefix("http"))
        #expect("\(error)".contains("page=2") == location.contains("page=2"))
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 309, 401, 404, 503])
    func otherStatusesAreNotFollowed(status: Int) async throws {
        let client = ScriptedClient(.status(status, headers: [.location: "/next"]), .text("followed"))
        do {
            #expect(try await client.send(Endpoint<String, Data>()) == "")
        } catch {
            #expect(error.status == status)
        }
        #expect(client.requests.count == 1)
    }

    // MARK: - Limits

    private func redirects(_ count: Int) -> ScriptedClient {
        let hops = (0..<count).map { HTTPResponse.status(302, headers: [.location: "/hop/\($0)"]) }
        return ScriptedClient(hops + [.text("done")])
    }

    private func endpoint(limit: Int) -> Endpoint<String, Data> {
        Endpoint(options: RequestOptions(redirects: .follow(limit: limit)))
    }

    @Test(arguments: [-1, 0, 1, 2, 20, 100]) func followsUpToTheLimitAndFailsBeyondIt(limit: Int) async throws {
        if limit >= 0 {
            let client = redirects(limit)
            #expect(try await client.send(endpoint(limit: limit)) == "done")
            #expect(client.requests.count == limit + 1)
        }
        let client = redirects(max(limit, 0) + 1)
        let error = try await client.failure(of: endpoint(limit: limit))
        #expect(error.transportCode == .tooManyRedirects)
        #expect(client.requests.count == max(limit, 0) + 1)
        #expect(error.transport?.url == client.requests.last?.url)
    }

    @Test(arguments: ["/things", "https://api.example.com/things", "?"])
    func loopsEndAfterTwentyRedirects(location: String) async throws {
        let client = ScriptedClient(.status(302, headers: [.location: location]))
        #expect(try await client.failure(of: Endpoint<String, Data>()).transportCode == .tooManyRedirects)
        #expect(client.requests.count == 21)
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func refuseReturnsTheRedirect(status: Int) async throws {
        let options = RequestOptions(redirects: .refuse)
        let client = ScriptedClient(.status(status, headers: [.location: "https://other.example.com/"]), .status(200))
        let rejection = try #require(try await client.failure(of: Endpoint<Data, Data>(options: options)).rejection)
        #expect(rejection.response.head.status == status)
        #expect(rejection.response.head.headers[.location] == "https://other.example.com/")
        #expect(client.requests.count == 1)
    }

    @Test func endpointsMayAcceptARefusedRedirect() async throws {
        enum Target: APIResponse {
            typealias Model = String?
            static func isSuccess(_ head: HTTPResponse.Head) -> Bool { head.status == 302 }
            static func process(data: Data) throws -> String? { nil }
            static func process(response: HTTPResponse) async throws -> String? { response.head.headers[.location] }
        }
        let client = ScriptedClient(.status(302, headers: [.location: "app://callback?code=7"]))
        let endpoint = Endpoint<Target, Data>(options: RequestOptions(redirects: .refuse))
        #expect(try await client.send(endpoint) == "app://callback?code=7")
    }

    @Test func errorsNameTheirHop() async throws {
        struct Trouble: Error {}
        let endings: [(description: String, response: @Sendable () throws -> HTTPResponse)] = [
            (": connectionLost", { throw TransportError(.connectionLost) }), (": 404", { .status(404) }),
            (" was not sent", { throw RequestError(.header, "no token") }), ("", { throw Trouble() }),
        ]
        for ending in endings {
            let client = ImmediateClient { request in
                guard request.url.path == "/next" else { return .status(303, headers: [.location: "/next"]) }
                var response = try ending.response()
                response.head.url = request.url
                return response
            }
            let endpoint = Endpoint<Data, Data>(method: .post, body: .data(Data([1]), contentType: nil))
            let error = try await client.failure(of: endpoint)
            #expect(error.description.hasPrefix("GET https://api.example.com/next\(ending.description)"), "\(error)")
            #expect(error.transport?.method ?? .get == .get)
            #expect(error.transport?.url?.path ?? "/next" == "/next")
        }
    }
}
