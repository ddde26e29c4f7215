import APIKit
import APIKitTesting
import Testing

// The code of the article about caching, unchanged. Scripts/texts compares the two.

func sendCached() async throws {
    let cache = ResponseCache(bytes: 10 << 20)
    let client = URLSession.api.cached(in: cache)
    let reply = try await client.reply(to: UsersRequest())
    print(reply.source.rawValue)  // network, cache or revalidated
}

func client(for token: String, sharing cache: ResponseCache) -> any APIClient {
    Authorized(base: URLSession.api.cached(in: cache), token: token)
}

struct OffersRequest: ShopRequest {
    typealias Response = [Item]
    var isOffline = false
    var path: URLPath { "offers" }
    var headers: HTTPHeaders {
        let offline = "only-if-cached, max-stale"
        return [.cacheControl: isOffline ? offline : "stale-if-error=86400"]
    }
}

@Suite struct CachingSnippets {
    @Test func time() async throws {
        let clock = ManualClock()
        let response = HTTPResponse.json("[]", headers: [.cacheControl: "max-age=60"])
        let stub = StubClient(response, clock: clock)
        let client = stub.cached(in: ResponseCache(bytes: 1 << 20))
        _ = try await client.send(UsersRequest())
        clock.advance(by: .seconds(59))
        #expect(try await client.reply(to: UsersRequest()).source == .cache)
    }
}
