import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct ResponseCacheTests {
    private func fresh(_ text: String, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        var response = HTTPResponse.of(text, headers)
        response.head.headers[.cacheControl] = "max-age=1000"
        return response
    }

    @Test func trailersAreStoredAndCounted() async throws {
        var response = fresh("a")
        let plain = CachedServer(response)
        try await plain.get()
        response.body = ResponseBody(Data("a".utf8), trailers: ["X-Sum": String(repeating: "1", count: 1000)])
        let server = CachedServer(response)
        for source in [HTTPResponse.Source.network, .cache] {
            let response = try await server.get()
            #expect(response.source == source)
            #expect(response.body.trailers["X-Sum"]?.count == 1000)
        }
        #expect(server.cache.size > plain.cache.size + 1000)
    }

    // MARK: - Credentials

    @Test(arguments: [
        "Authorization", "Cookie", "X-API-Key", "Private-Token", "X-User", "X-Of-No-Known-Name", "Accept-Token",
    ]) func responsesAreKeptApartByCredentials(name: String) async throws {
        let name = HTTPHeaders.Name(rawValue: name)
        let server = CachedServer(fresh("a"), fresh("b"), fresh("none"))
        for _ in 0..<2 {
            #expect(try await server.get([name: "a", .accept: "*/*"]).text == "a")
            #expect(try await server.get([name: "b", .accept: "*/*"]).text == "b")
            #expect(try await server.get([.accept: "*/*"]).text == "none")
        }
        #expect(server.requests.count == 3)
    }

    @Test func harmlessHeadersShareAResponse() async throws {
        let server = CachedServer(fresh("a"))
        try await server.get([.userAgent: "a", "X-Request-Id": "1", .acceptLanguage: "en"])
        #expect(try await server.get([.userAgent: "b", "X-Request-Id": "2"]).source == .cache)
    }

    @Test func credentialsAreComparedByteByByte() async throws {
        let server = CachedServer(fresh("composed"), fresh("decomposed"), fresh("joined"), fresh("apart"))
        try await server.get([.authorization: "\u{E9}"])
        #expect(try await server.get([.authorization: "e\u{301}"]).text == "decomposed")
        try await server.get(["X-A": "b", "X-C": "d"])
        #expect(try await server.get(["X-A": "b, X-C: d"]).text == "apart")
    }

    @Test func credentialsThatARedirectDropsDoNotCount() async throws {
        let stub = StubClient { request in
            var response = fresh("shared", [.location: "https://other.example.com/shared"])
            if request.url.path == "/things" { response.head.status = 302 }
            return response
        }
        let cached = stub.cached(in: ResponseCache(bytes: 1 << 20))
        for user in ["a", "b"] {
            // Adds a credential to every hop, even to another origin.
            let client = cached.intercepted { request, _, next in
                var request = request
                request.headers[.authorization] = user
                return try await next(request)
            }
            try await client.send(Endpoint<NoContent, Data>())
        }
        #expect(stub.requests.map(\.url.path) == ["/things", "/shared", "/things"])
    }

    @Test func descriptionsHoldNoSecret() async throws {
        let server = CachedServer(fresh("hunter2", [.setCookie: "hunter2"]))
        try await server.get([.authorization: "hunter2"], path: "things?token=hunter2")
        #expect(!String(describing: server.cache).contains("hunter2"))
        #expect(!String(reflecting: server.cache).contains("hunter2"))
        #expect("\(server.cache)" == "ResponseCache: \(server.cache.size) of 1048576 bytes")
    }

    // MARK: - Bounds

    @Test func theLeastRecentlyUsedResponseGoesFirst() async throws {
        let server = CachedServer(fresh(String(repeating: "x", count: 10_000)), cache: ResponseCache(bytes: 36_000))
        for path in ["a", "b", "c"] { try await server.get(path: path) }
        for (path, source) in [("a", HTTPResponse.Source.cache), ("d", .network), ("a", .cache), ("c", .cache)] {
            #expect(try await server.get(path: path).source == source)
        }
        #expect(try await server.get(path: "b").source == .network)
        #expect(server.cache.size <= 36_000)
    }

    @Test(arguments: [0, -1, .min, 1, 900]) func tooSmallACacheStoresNothing(bytes: Int) async throws {
        let server = CachedServer(fresh(""), cache: ResponseCache(bytes: bytes))
        try await server.get()
        #expect(try await server.get().source == .network)
        #expect(server.cache.size == 0)
    }

    @Test func tooLargeAResponseRemovesOnlyTheOneItReplaces() async throws {
        let large = String(repeating: "x", count: 60_000)
        let server = CachedServer(
            fresh("a"), .of("b", [.cacheControl: "max-age=1"]), fresh(large), cache: ResponseCache(bytes: 50_000))
        try await server.get(path: "a")
        let size = server.cache.size
        try await server.get(path: "b")
        #expect(server.cache.size > size)
        #expect(try await server.get(path: "b", after: 2).text == large)
        #expect(server.cache.size == size)
    }

    @Test(arguments: [("body", 0), ("header", 1), ("url", 2), ("name", 3)] as [(String, Int)])
    func everyPartCounts(part: String, index: Int) async throws {
        func size(_ text: String) async throws -> Int {
            let texts = (0..<4).map { $0 == index ? text : "" }
            let name = HTTPHeaders.Name(rawValue: "Y\(texts[3])")
            let server = CachedServer(fresh(texts[0], ["X": texts[1], name: "z"]))
            try await server.get(path: texts[2])
            return server.cache.size
        }
        #expect(try await size(String(repeating: "x", count: 5_000)) - size("") == 5_000)
    }

    @Test func removeAllLeavesNothing() async throws {
        let server = CachedServer(fresh("a"))
        for path in ["a", "b"] { try await server.get(path: path) }
        server.cache.removeAll()
        #expect(server.cache.size == 0)
        #expect(try await server.get(path: "a").source == .network)
        #expect(try await server.get(path: "a").source == .cache)
    }

    @Test func distinctResponsesStayWithinTheBound() async throws {
        let cache = ResponseCache(bytes: 1 << 20)
        let body = Data(repeating: 0x20, count: 300)
        let server = ImmediateClient { request in
            .status(200, headers: [.cacheControl: "max-age=60", .vary: "Accept"], body: body)
        }
        let client = server.cached(in: cache)
        for number in 0..<(Effort.isSoaking ? 100_000 : Effort.rounds(6_000, thorough: 20_000)) {
            let url = URL(string: "https://api.example.com/\(number % 3 == 0 ? "same" : "\(number)")")!
            _ = try await client.perform(HTTPRequest(url: url, headers: [.accept: "\(number)"]))
            if number % 1000 == 0 { #expect(cache.size <= 1 << 20) }
        }
        #expect(cache.size <= 1 << 20)
        #expect(cache.size > 1 << 19)
    }

    // MARK: - Requests on their way

    /// A client whose GET waits until it is released.
    private struct SlowClient: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        let arrived = Hold()
        let released = Hold()

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            guard request.method == .get else { return .status(204) }
            arrived.release()
            await released.wait()
            return .status(200, headers: [.cacheControl: "max-age=60"])
        }
    }

    /// A change of a cache while a response is on its way.
    enum Change: CaseIterable { case itself, other, many, removeAll }

    @Test(arguments: Change.allCases) func responsesFromBeforeAnInvalidationAreNotStored(change: Change) async throws {
        let slow = SlowClient()
        let cache = ResponseCache(bytes: 1 << 20)
        let client = slow.cached(in: cache)
        let request = HTTPRequest(url: URL(string: "https://h/things")!)
        async let response = client.perform(request)
        await slow.arrived.wait()
        let paths: [String]
        switch change {
        case .itself: paths = ["things"]
        case .other: paths = ["other"]
        case .many: paths = ["things"] + (0..<2500).map(String.init)
        case .removeAll: paths = []
        }
        for path in paths {
            _ = try await client.perform(HTTPRequest(method: .put, url: URL(string: "https://h/\(path)")!))
        }
        if change == .removeAll { cache.removeAll() }
        slow.released.release()
        _ = try await response
        #expect((cache.size == 0) == (change != .other))
        _ = try await client.perform(request)
        #expect(cache.size > 0)
    }

    @Test func manyTasksMayUseOneCache() async throws {
        let cache = ResponseCache(bytes: 20_000)
        let client = ImmediateClient(fresh("a")).cached(in: cache)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<500 {
                        let method: HTTPMethod = number % 7 == task ? .put : .get
                        let url = URL(string: "https://h/\(number % 30)")!
                        _ = try? await client.perform(HTTPRequest(method: method, url: url))
                    }
                }
            }
        }
        #expect(cache.size <= 20_000)
        cache.removeAll()
        #expect(cache.size == 0)
    }
}
