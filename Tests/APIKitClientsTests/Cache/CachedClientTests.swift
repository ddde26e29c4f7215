import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// How the client applies the rules of RFC 9111; the names begin with the section.
@Suite struct CachedClientTests {
    private let tagged = HTTPResponse.of("one", [.eTag: "\"1\"", .cacheControl: "max-age=10"])

    @Test func section4FreshResponsesAreUsedWithTheirAge() async throws {
        let server = CachedServer(.of("one", [.cacheControl: "max-age=10", .age: "3", "X": "y"]), .of("two"))
        #expect(try await server.get().source == .network)
        let second = try await server.get(after: 4.5)
        #expect(second.source == .cache)
        #expect(second.text == "one")
        #expect(second.head.status == 200)
        #expect(second.head.headers[.age] == "7")
        #expect(second.head.headers["X"] == "y")
        #expect(try await server.get(after: 2.5).text == "two")
        #expect(server.requests.count == 2)
    }

    @Test func section4_2_3TheTimeOfATransferCounts() async throws {
        let first: HTTPHeaders = [.eTag: "\"1\"", .cacheControl: "max-age=10, stale-if-error=10", .age: "1"]
        let server = CachedServer(
            [.success(.of("one", first)), .success(.of("", status: 304)), .failure(TransportError(.timedOut))],
            delay: 3)
        try await server.get()
        #expect(try await server.get(after: 5).head.headers[.age] == "9")
        #expect(try await server.get(after: 1).source == .revalidated)
        #expect(try await server.get().head.headers[.age] == "3")
        #expect(try await server.get(after: 14).head.headers[.age] == "20")
        // It could replace an error when it was asked for, but no longer when the error came.
        await #expect(throws: TransportError.self) { try await server.get() }
    }

    @Test func section2TheKeyIsTheURL() async throws {
        let server = CachedServer(.of("one", [.cacheControl: "max-age=10"]), .of("two", [.cacheControl: "max-age=10"]))
        for (path, text) in [("a?b=1", "one"), ("a?b=2", "two"), ("a?b=1", "one"), ("a?b=1#part", "one")] {
            #expect(try await server.get(path: path).text == text)
        }
        #expect(server.requests.count == 2)
    }

    // RFC 10008.
    @Test func theKeyOfAQueryHasItsBodyAndType() async throws {
        let server = CachedServer(
            [.success(.of("one", [.cacheControl: "max-age=10"])), .success(.of("two", [.cacheControl: "max-age=10"]))])
        func query(_ body: String, _ type: MIMEType = .json) async throws -> HTTPResponse {
            try await server.client.perform(
                HTTPRequest(
                    method: .query, url: server.url(), headers: [.contentType: type.rawValue],
                    body: .data(Data(body.utf8), contentType: type)))
        }
        #expect(try await query("a").text == "one")
        #expect(try await query("b").text == "two")
        #expect(try await query("a").text == "one")
        #expect(try await query("a").source == .cache)
        #expect(try await query("a", "text/plain").source == .network)
        #expect(try await server.get().source == .network)
        #expect(server.requests.count == 4)
        _ = try await server.get(method: .post)
        #expect(try await query("a").source == .network)
    }

    // The body's own type, and what else of the headers is about the body. The last two spell one value in other bytes.
    @Test(
        arguments: [
            ([:], "application/json", [:], "text/x"),
            ([:], "application/json", [.contentType: "text/x"], "application/json"),
            ([.contentEncoding: "gzip"], "text/x", [.contentEncoding: "identity"], "text/x"),
            ([.contentLanguage: "de"], "text/x", [:], "text/x"),
            ([.contentLanguage: "\u{E9}"], "text/x", [.contentLanguage: "e\u{301}"], "text/x"),
            ([:], "text/x; a=\u{E9}", [:], "text/x; a=e\u{301}"),
        ] as [(HTTPHeaders, MIMEType, HTTPHeaders, MIMEType)])
    func queriesWhoseBodiesDifferInTypeOrCodingAreKeptApart(
        headers: HTTPHeaders, type: MIMEType, otherHeaders: HTTPHeaders, otherType: MIMEType
    ) async throws {
        let fresh: HTTPHeaders = [.cacheControl: "max-age=10"]
        let server = CachedServer(.of("one", fresh), .of("two", fresh))
        for (headers, type, text) in [(headers, type, "one"), (otherHeaders, otherType, "two"), (headers, type, "one")]
        {
            let body = RequestBody.data(Data("a".utf8), contentType: type)
            let request = HTTPRequest(method: .query, url: server.url(), headers: headers, body: body)
            #expect(try await server.client.perform(request).text == text)
        }
        #expect(server.requests.count == 2)
    }

    @Test func aQueryIsTheSameWhetherItsTypeIsInItsHeadersOrItsBody() async throws {
        let server = CachedServer(.of("one", [.cacheControl: "max-age=10"]), .of("two"))
        let body = RequestBody.data(Data("a".utf8), contentType: .json)
        for headers in [[:], [.contentType: "application/json"]] as [HTTPHeaders] {
            let request = HTTPRequest(method: .query, url: server.url(), headers: headers, body: body)
            #expect(try await server.client.perform(request).text == "one")
        }
    }

    @Test func aQueryWhoseBodyIsAStreamIsNotAnsweredFromTheCache() async throws {
        let server = CachedServer(.of("one", [.cacheControl: "max-age=10"]))
        let body = RequestBody.stream(length: 1, contentType: .json) { ByteStream([Data("a".utf8)]) }
        for _ in 0..<2 {
            let request = HTTPRequest(method: .query, url: server.url(), body: body)
            #expect(try await server.client.perform(request).source == .network)
        }
    }

    // MARK: - 3, what is stored

    @Test func section3_1HeadersOfTheConnectionAreNotStored() async throws {
        let headers: HTTPHeaders = [
            .cacheControl: "max-age=10", "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "5",
            "Proxy-Authenticate": "Basic", "Set-Cookie": "a=b", "X-End": "2",
        ]
        let server = CachedServer(.of("one", headers))
        #expect(try await server.get().head.headers["X-Hop"] == "1")
        #expect(try await server.get().head.headers.map(\.name) == [.cacheControl, .setCookie, "X-End", .age])
    }

    @Test func section5_2_1_5NoStoreRequestsNeitherReadNorWrite() async throws {
        let server = CachedServer(tagged, .of("two", [.cacheControl: "max-age=10"]))
        let noStore: HTTPHeaders = [.cacheControl: "no-store"]
        try await server.get(noStore)
        #expect(server.cache.size == 0)
        #expect(try await server.get().text == "two")
        #expect(try await server.get(noStore).source == .network)
        #expect(try await server.get().text == "two")
        #expect(server.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test(arguments: [ResponseBody.Delivery.stream, .file])
    func streamsAndFilesPassThrough(delivery: ResponseBody.Delivery) async throws {
        let server = try await CachedServer.filled(by: tagged)
        let request = HTTPRequest(url: server.url(), delivery: delivery)
        #expect(try await server.client.perform(request).source == .network)
        #expect(server.requests.last == request)
    }

    @Test func bodiesThatAreNotDataAreNotStored() async throws {
        let account = Account(id: 1, login: "a")
        let stub = StubClient().answering(AccountRequest.self, headers: [.cacheControl: "max-age=9"]) { _ in account }
        let cache = ResponseCache(bytes: 1 << 20)
        #expect(try await stub.cached(in: cache).send(AccountRequest()) == account)
        #expect(try await stub.cached(in: cache).reply(to: AccountRequest()).source == .network)
        #expect(cache.size == 0)
    }

    @Test(
        arguments: [
            [.range: "bytes=0-1"], [.ifNoneMatch: "\"1\""], [.ifMatch: "*"], [.ifModifiedSince: Date.http()],
            ["If-Unmodified-Since": Date.http()], [.ifRange: "\"1\""],
        ] as [HTTPHeaders])
    func requestsWithConditionsPassThrough(headers: HTTPHeaders) async throws {
        let server = try await CachedServer.filled(by: tagged, .of("", status: 304))
        let response = try await server.get(headers)
        #expect(response.head.status == 304)
        #expect(response.source == .network)
        #expect(server.requests.last?.headers == headers)
        #expect(try await server.get().source == .cache)
    }

    @Test(arguments: [HTTPMethod.head, .options, .post]) func otherMethodsPassThrough(method: HTTPMethod) async throws {
        let server = CachedServer(tagged)
        for _ in 0..<2 { try await server.get(method: method) }
        #expect(server.requests.count == 2)
        #expect(server.cache.size == 0)
    }

    // MARK: - 4.1, Vary

    @Test func section4_1VariantsAreKeptApart() async throws {
        let headers: HTTPHeaders = [.cacheControl: "max-age=10", .vary: "accept-language , ACCEPT"]
        let server = CachedServer(.of("en", headers), .of("eo", headers), .of("none", headers))
        for language in ["en", "eo", "none"] {
            let header: HTTPHeaders = [.acceptLanguage: language == "none" ? nil : language]
            #expect(try await server.get(header).text == language)
        }
        #expect(try await server.get(["ACCEPT-Language": "en", .userAgent: "other"]).text == "en")
        #expect(try await server.get([.acceptLanguage: "eo"]).text == "eo")
        #expect(try await server.get().text == "none")
        #expect(server.requests.count == 3)
    }

    @Test func anotherVaryReplacesEarlierVariants() async throws {
        let server = CachedServer(
            .of("a", [.cacheControl: "max-age=10", .vary: "Accept"]),
            .of("b", [.cacheControl: "max-age=10", .vary: "Accept-Language"]))
        try await server.get([.accept: "a"])
        try await server.get([.accept: "b"])
        #expect(try await server.get([.accept: "a"]).text == "b")
        #expect(server.requests.count == 2)
    }

    /// A session adds cookies that the cache does not see, and may add those of another user the next time.
    @Test func responseThatVariesByTheSessionsCookiesIsNotStored() async throws {
        let headers: HTTPHeaders = [.cacheControl: "max-age=10", .vary: "Accept, COOKIE"]
        let server = CachedServer(.of("a", headers), .of("b", headers), .of("c", headers))
        #expect(try await server.get().text == "a")
        #expect(try await server.get().text == "b")
        for _ in 0..<2 { #expect(try await server.get([.cookie: "id=1"]).text == "c") }
        #expect(server.requests.count == 3)
    }

    // MARK: - 5.2.1.7, only-if-cached

    @Test func section5_2_1_7OnlyIfCachedNeverReachesTheServer() async throws {
        let (server, onlyIfCached) = (CachedServer(tagged), [.cacheControl: "only-if-cached"] as HTTPHeaders)
        let missing = try await server.get(onlyIfCached)
        #expect(missing.head.status == 504)
        #expect(missing.source == .cache)
        #expect(server.requests.isEmpty)
        try await server.get()
        #expect(try await server.get(onlyIfCached).text == "one")
        #expect(try await server.get([.cacheControl: "only-if-cached, no-store"]).head.status == 504)
        #expect(try await server.get(onlyIfCached, after: 20).head.status == 504)
        #expect(try await server.get([.cacheControl: "only-if-cached, max-stale"]).head.headers[.age] == "20")
        #expect(server.requests.count == 1)
    }

    @Test func section5_2_1_4NoCacheAsksTheServer() async throws {
        let server = try await CachedServer.filled(by: tagged, .of("", status: 304))
        #expect(try await server.get([.cacheControl: "no-cache"]).source == .revalidated)
        #expect(server.requests.last?.headers == [.cacheControl: "no-cache", .ifNoneMatch: "\"1\""])
    }

    // MARK: - 4.4, invalidation

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "PURGE"], [200, 204, 303])
    func section4_4UnsafeMethodsInvalidate(method: HTTPMethod, status: Int) async throws {
        let server = CachedServer(tagged, .of("", status: status), .of("two"))
        try await server.get([.authorization: "a"])
        try await server.get(method: method)
        #expect(server.cache.size == 0)
        #expect(try await server.get([.authorization: "a"]).text == "two")
    }

    @Test(
        arguments: [
            (HTTPMethod.post, 400), (.post, 500), (.put, 404), (.get, 200), (.head, 200), (.options, 200),
            (.trace, 200),
        ] as [(HTTPMethod, Int)])
    func section4_4ErrorsAndSafeMethodsDoNotInvalidate(method: HTTPMethod, status: Int)
        async throws
    {
        let server = try await CachedServer.filled(by: tagged, .of("", status: status))
        try await server.get([.range: "bytes=0-0"], method: method)
        #expect(try await server.get().text == "one")
    }

    @Test(
        arguments: [
            ("Location", "/things", true), ("Content-Location", "things", true),
            ("Location", "https://api.example.com/things", true),
            ("Location", "https://API.example.com:443/things", false),
            ("Location", "https://other.example.com/things", false), ("Content-Location", "/other", false),
            ("Location", "http://api.example.com/things", false), ("Location", "https://[/things", false),
        ] as [(String, String, Bool)])
    func section4_4SameOriginLocationsAreInvalidated(name: String, location: String, isInvalidated: Bool) async throws {
        let server = try await CachedServer.filled(
            by: tagged, .of("", [HTTPHeaders.Name(rawValue: name): location], status: 201))
        try await server.get(path: "orders", method: .post)
        #expect((server.cache.size == 0) == isInvalidated)
    }

    @Test func section4_4OtherOriginsAreNotInvalidated() async throws {
        let other = URL(string: "https://other.example.com/things")!
        let server = CachedServer(.of("", [.cacheControl: "max-age=60", .location: other.absoluteString]))
        _ = try await server.client.perform(HTTPRequest(url: other))
        let size = server.cache.size
        try await server.get(path: "orders", method: .post)
        #expect(server.cache.size == size)
    }

    // MARK: - Limits

    @Test func sizeLimitOfTheRequestHolds() async throws {
        let server = try await CachedServer.filled(by: .of("12345678", [.cacheControl: "max-age=10"]))
        var request = HTTPRequest(url: server.url(), options: RequestOptions(sizeLimit: 7))
        #expect(try await server.client.perform(request).source == .network)
        #expect(server.requests.last == request)
        request.options.sizeLimit = 8
        #expect(try await server.client.perform(request).source == .cache)
    }

    @Test func worksAroundAnyClientAndCarriesTheSource() async throws {
        let base: any APIClient = StubClient(.json("[]", headers: [.cacheControl: "max-age=60"]))
        let client: any APIClient = base.cached(in: ResponseCache(bytes: 1 << 20))
        #expect(try await client.reply(to: AccountsRequest()).source == .network)
        let reply = try await client.reply(to: AccountsRequest())
        #expect(reply.source == .cache)
        #expect(reply.head.headers[.age] == "0")
        #expect(reply.model.isEmpty)
    }

    @Test func eachHopOfARedirectIsCached() async throws {
        let fresh: HTTPHeaders = [.cacheControl: "max-age=60", .location: "/moved"]
        let base = ScriptedClient(.status(301, headers: fresh), .json("[]", headers: fresh))
        let client = base.cached(in: ResponseCache(bytes: 1 << 20))
        for _ in 0..<2 { #expect(try await client.reply(to: AccountsRequest()).head.url.path == "/moved") }
        #expect(base.requests.count == 2)
    }
}
