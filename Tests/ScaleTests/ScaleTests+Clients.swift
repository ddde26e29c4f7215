import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport

@testable import APIKitClients
@testable import APIKitCore
@testable import APIKitRecording
@testable import APIKitStreams

extension ScaleTests {
    private static let url = URL(string: "https://api.example.com/users")!

    /// So many requests at once, which a base client holds until all have been made.
    private static func concurrent(
        _ name: String, request: @escaping @Sendable (Int) -> HTTPRequest = { _ in HTTPRequest(url: url) },
        _ end: @escaping @Sendable ([Task<HTTPResponse, any Error>]) -> Void = { _ in },
        _ client: @escaping @Sendable (GatedClient) -> any APIClient
    ) -> Row {
        Row(name) { size in
            let base = GatedClient(.json("[]"))
            let client = client(base)
            let requests = (0..<size).map(request)
            return {
                let tasks = requests.map { request in Task.startingImmediately { try await client.perform(request) } }
                end(tasks)
                base.open()
                for task in tasks { _ = await task.result }
            }
        }
    }

    /// So many requests one after another.
    private static func sequence(
        _ name: String, request: @escaping @Sendable (Int) -> HTTPRequest = { _ in HTTPRequest(url: url) },
        _ client: @escaping @Sendable () -> any APIClient
    ) -> Row {
        Row(name) { size in
            let client = client()
            let requests = (0..<size).map(request)
            return { for request in requests { _ = try await client.perform(request) } }
        }
    }

    private static func start(_ count: Int, through client: any APIClient) -> [Task<HTTPResponse, any Error>] {
        (0..<count).map { _ in Task.startingImmediately { try await client.perform(HTTPRequest(url: url)) } }
    }

    private static func user(_ number: Int) -> HTTPRequest {
        HTTPRequest(url: url, headers: [.authorization: "Bearer \(number)"])
    }

    private static func page(_ number: Int) -> HTTPRequest { HTTPRequest(url: URL(string: "\(url)/\(number)")!) }

    private static func origin(_ number: Int) -> HTTPRequest {
        HTTPRequest(url: URL(string: "https://\(number).example.com/users")!)
    }

    private static func cached(bytes: Int = 1 << 30) -> any APIClient {
        ImmediateClient(fresh).cached(in: ResponseCache(bytes: bytes))
    }

    private static let cancelAll: @Sendable ([Task<HTTPResponse, any Error>]) -> Void = {
        for task in $0 { task.cancel() }
    }

    private static let fresh = HTTPResponse.json("[]", headers: [.cacheControl: "max-age=60", .vary: "Authorization"])

    static let clients: [Row] = [
        concurrent("limited") { $0.limited(concurrent: 1) },
        concurrent("limited, cancelled", cancelAll) { $0.limited(concurrent: 1) },
        concurrent("limited, cancelled last first", { cancelAll($0.reversed()) }) { $0.limited(concurrent: 1) },
        sequence("limited, many origins whose rate limits are used up", request: origin) {
            ImmediateClient(.status(204, headers: ["RateLimit": #""hour";r=0;t=30"#])).timed(by: ManualClock())
                .limited(concurrent: 1)
        },
        concurrent("limited, in time") { $0.timed(by: ManualClock(skippingSleep: true)).limited(perSecond: 1) },
        concurrent("coalesced") { $0.coalesced() },
        concurrent("coalesced, cancelled last first", { cancelAll($0.reversed()) }) { $0.coalesced() },
        concurrent("coalesced, of many users", request: user) { $0.coalesced() },
        concurrent("coalesced, of many URLs", request: page) { $0.coalesced() },
        concurrent("tracked") { $0.tracked(by: RequestTracker()) },
        Row("tracked, all cancelled") { size in
            let tracker = RequestTracker()
            let client = HangingClient().tracked(by: tracker)
            return {
                let tasks = start(size, through: client)
                tracker.cancelAll()
                for task in tasks { _ = await task.result }
            }
        },
        Row("authorized, one refresh for all") { size in
            let allArrived = Turnstile(size)
            let server = TokenServer(valid: "new") { _ in await allArrived.pass() }
            let client = server.authorized(by: TokenSource("old") { _ in .bearer("new") }, for: APIBase("\(url)"))
            return {
                let tasks = start(size, through: client)
                for task in tasks { _ = try await task.value }
            }
        },
        Row("authorized, by a source that always offers the first credential") { size in
            let client = ImmediateClient(.json("[]")).authorized(
                by: StaleSource(expires: .distantPast), for: APIBase("\(url)"))
            return { for _ in 0..<size { _ = try await client.perform(HTTPRequest(url: url)) } }
        },
        Row("rerouted, links in a field") { size in
            let link = String(repeating: "<http://localhost/v1/users?page=2>; rel=\"next\", ", count: size)
            let client = ImmediateClient(.status(200, headers: [.link: link]))
                .based(at: "http://localhost/v1", insteadOf: "https://api.example.com")
            return { _ = try await client.perform(HTTPRequest(url: url)) }
        },
        sequence("cached, many URLs", request: page) { cached() },
        sequence("cached, many users", request: user) { cached() },
        sequence("cached, one response") { cached() },
        sequence("cached, without space", request: page) { cached(bytes: 100_000) },
        Row("cached, invalidated") { size in
            let client = cached()
            for number in 0..<size { _ = try await client.perform(user(number)) }
            return { for _ in 0..<size { _ = try await client.perform(HTTPRequest(method: .delete, url: url)) } }
        },
        concurrent("retrying") { base in
            ImmediateClient { _ in throw TransportError(.connectionLost) }.timed(by: InstantClock()).retrying()
        },
        concurrent("retrying, in time") { base in
            var policy = RetryPolicy.backoff(attempts: 2)
            policy.budget = nil
            return ImmediateClient(.status(503)).timed(by: ManualClock(skippingSleep: true)).retrying(policy)
        },
        sequence("observed") { ImmediateClient(fresh).observed { _ in } },
        sequence("logged") { ImmediateClient(fresh).logged(headers: true, bodies: true) { _ in } },
        Row("logged, headers") { size in
            let client = ImmediateClient(.status(200, headers: numbered(size))).logged(headers: true, bodies: true) {
                _ in
            }
            return { _ = try await client.perform(user(1)) }
        },
        Row("observed, pieces of a stream") { size in
            let stream = ByteStream(Array(repeating: Data([1]), count: size))
            let response = HTTPResponse(head: .init(status: 200, url: url), body: ResponseBody(stream))
            let base = ImmediateClient(response)
            let client = base.observed { _ in }.limited(concurrent: 1).tracked(by: RequestTracker())
            return { for try await _ in try await client.perform(HTTPRequest(url: url)).body.bytes {} }
        },
        Row("pages") { size in
            let client = ImmediateClient(.json("[]"))
            return { for try await _ in client.pages(of: EndlessRequest(), limit: size) {} }
        },
        Row("connections of events") { size in
            let response = HTTPResponse.json("id: 1\ndata: x\n\n", headers: [.contentType: "text/event-stream"])
            let events = ImmediateClient(response)
                .timed(by: InstantClock()).events(for: Endpoint<ServerSentEvents, NoContent>())
            return {
                var iterator = events.makeAsyncIterator()
                for _ in 0..<size { _ = try await iterator.next() }
            }
        },
    ]

    private struct EndlessRequest: DirectoryRequest, PagedRequest {
        typealias Response = JSON<[Int]>
        var page = 1
        var path: URLPath { "numbers" }
        var parameters: Parameters { ["page": page] }
        func next(after reply: APIReply<[Int]>) -> Self? { EndlessRequest(page: page + 1) }
    }

    // MARK: - For tests

    static let testing: [Row] = [
        sequence("a stub", request: page) {
            StubClient().answering(.get, "/users/**", with: .json("[]")).answering(.delete, "/**", with: .status(204))
        },
        Row("a difference") { size in
            let requests = ["a", "b"].map { text in
                let members = (0..<size).map { #"{"id": \#($0), "name": "\#(text)"}"# }.joined(separator: ",")
                return HTTPRequest(
                    method: .post, url: url, headers: numbered(size),
                    body: .data(Data("[\(members)]".utf8), contentType: .json))
            }
            return { _ = requests[1].difference(from: requests[0]) }
        },
        Row("a replay of equal requests") { size in
            let replay = try Self.replay(of: Array(repeating: "\(url)", count: size))
            return { for _ in 0...size { _ = try await replay.perform(HTTPRequest(url: url)) } }
        },
        Row("a replay of different requests") { size in
            let replay = try Self.replay(of: (0..<size).map { "\(page($0).url)" })
            return { for number in 0..<size { _ = try await replay.perform(page(number)) } }
        },
        Row("reading a recording") { size in return { _ = try replay(of: Array(repeating: "\(url)", count: size)) } },
        Row("reading a recording that is cut off") { size in
            return { _ = try replay(of: Array(repeating: "\(url)", count: size), tail: ", {\"request\": {") }
        },
        Row("recording many requests") { size in try record(.json("[]"), times: size) },
        recording("recording secrets") { "\"access_token\": \"token\($0 * 999_983)\"" },
        recording("recording secrets that begin alike") { "\"access_token\": \"eyJhbGciOiJIUzI1NiJ9.\($0)\"" },
        recording("recording secrets of different lengths") {
            "\"access_token\": \"secret\(String(repeating: "x", count: $0 % 200))\($0)\""
        },
        Row("recording cookies") { size in
            let cookies = (0..<size).map { "a=secret\($0); Path=/, b=other\($0)" }
            return try record(.status(200, headers: HTTPHeaders(cookies.map { .init(name: .setCookie, value: $0) })))
        },
        Row("a clock that is moved to each sleeper") { size in
            let clock = ManualClock()
            return {
                let tasks = sleepers(size, of: clock) { $0 * 7919 % size }
                while clock.advanceToNextSleeper() != nil {}
                for task in tasks { try await task.value }
            }
        },
        Row("a clock whose sleepers are cancelled last first") { size in
            let clock = ManualClock()
            return {
                let tasks = sleepers(size, of: clock) { $0 }
                for task in tasks.reversed() { task.cancel() }
                for task in tasks { _ = await task.result }
            }
        },
    ]

    private static func sleepers(
        _ count: Int, of clock: ManualClock, after seconds: (Int) -> Int
    ) -> [Task<Void, any Error>] {
        (0..<count).map(seconds).map { seconds in
            Task.startingImmediately { try await clock.sleep(for: .seconds(1 + seconds)) }
        }
    }

    private static func recording(_ name: String, _ member: @escaping @Sendable (Int) -> String) -> Row {
        Row(name) { size in try record(.json("[\((0..<size).map { "{\(member($0))}" }.joined(separator: ", "))]")) }
    }

    private static func record(_ response: HTTPResponse, times: Int = 1) throws -> Row.Work {
        let folder = try TemporaryFolder()
        let client = ImmediateClient(response).recording(to: HARFile(folder.place("scale.har")))
        return {
            for _ in 0..<times { _ = try await client.perform(HTTPRequest(url: url)) }
            withExtendedLifetime(folder) {}
        }
    }

    private static func replay(of urls: [String], tail: String = "]}}") throws -> ReplayClient {
        let entries = urls.map {
            #"{"request": {"method": "GET", "url": "\#($0)"}, "response": {"status": 200, "content": {"text": "[]"}}}"#
        }
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ", "))\(tail)"
        return try ReplayClient(HARFile(folder.write(text, to: "scale.har")))
    }
}
