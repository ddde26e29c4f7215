import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct CoalescedTests {
    /// Sends the same request many times, until each one waits for its response.
    private func send(_ count: Int, through client: any APIClient) async -> [Task<HTTPResponse, any Error>] {
        let tasks = (0..<count).map { _ in
            Task { @OneAtATime in try await client.perform(HTTPRequest(url: Self.url)) }
        }
        await OneAtATime.settle()
        return tasks
    }

    @Test func sameRequestsAtTheSameTimeAreOneTransfer() async throws {
        let base = GatedClient(.text("a"))
        let tasks = await send(100, through: base.coalesced())
        base.open()
        for task in tasks { #expect(try await task.value.body.data == Data("a".utf8)) }
        #expect(base.count == 1)
    }

    @Test func queriesWithTheSameBodyAreOneTransfer() async throws {
        let base = GatedClient(.text("a"))
        let client = base.coalesced()
        let request = HTTPRequest(
            method: .query, url: Self.url, body: .data(Data("{}".utf8), contentType: .json))
        let tasks = (0..<3).map { _ in Task { @OneAtATime in try await client.perform(request) } }
        await OneAtATime.settle()
        base.open()
        for task in tasks { #expect(try await task.value.body.data == Data("a".utf8)) }
        #expect(base.count == 1)
    }

    @Test func laterRequestIsATransferOfItsOwn() async throws {
        let base = ScriptedClient(.json("[]"))
        let client = base.coalesced()
        for _ in 0..<2 { try await client.send(AccountsRequest()) }
        #expect(base.requests.count == 2)
    }

    private static let url = URL(string: "https://api.example.com/a")!
    private static let different: [[HTTPRequest]] = [
        HTTPRequest(url: URL(string: "https://api.example.com/b")!), HTTPRequest(method: .head, url: url),
        HTTPRequest(url: url, headers: [.accept: "text/plain"]),
        HTTPRequest(method: .query, url: url, body: .data(Data("a".utf8), contentType: .json)),
        HTTPRequest(url: url, options: RequestOptions(timeout: .seconds(1))), HTTPRequest(url: url, delivery: .stream),
    ].map { [HTTPRequest(url: url), $0] }
    /// Pairs of requests that are equal as texts, but not as bytes.
    private static let spelledDifferently: [[HTTPRequest]] = [
        ["\u{E9}", "e\u{301}"],
        // Of the same length.
        ["a\u{323}\u{307}", "a\u{307}\u{323}"],
    ].flatMap { values in
        [
            values.map { HTTPRequest(url: url, headers: ["X-Name": $0]) },
            values.map { value in
                let type = MIMEType(rawValue: "text/x; a=\(value)")
                return HTTPRequest(method: .query, url: url, body: .data(Data("a".utf8), contentType: type))
            },
            values.map { value in
                var form = MultipartForm(boundary: "b")
                form.append("a", for: value)
                return HTTPRequest(method: .query, url: url, body: .multipart(form))
            },
        ]
    }
    private static let unsafe: [[HTTPRequest]] = [HTTPMethod.post, .put, .patch, .delete].map { method in
        Array(repeating: HTTPRequest(method: method, url: url), count: 2)
    }

    @Test func requestsOfOtherEndpointsAndThoseWithProgressAreNotMerged() async throws {
        for call in [Call(endpoint: AccountsRequest()), Call(progress: .anywhere { _ in })] {
            let base = GatedClient(.json("[]"))
            let client = base.coalesced()
            async let first = client.perform(HTTPRequest(url: Self.url))
            async let second = client.perform(HTTPRequest(url: Self.url), in: call)
            await base.arrivals(2)
            base.open()
            _ = try await (first, second)
        }
    }

    @Test(arguments: different + spelledDifferently + unsafe)
    func otherRequestsAreNotMerged(requests: [HTTPRequest]) async throws {
        let base = GatedClient(.json("[]"))
        let client = base.coalesced()
        async let first = client.perform(requests[0])
        async let second = client.perform(requests[1])
        await base.arrivals(2)
        base.open()
        _ = try await (first, second)
    }

    @Test func cancelOfOneWaiterLeavesTheOthers() async throws {
        let base = GatedClient(.status(204))
        let tasks = await send(10, through: base.coalesced())
        for task in tasks.prefix(5) { task.cancel() }
        for task in tasks.prefix(5) { await #expect(throws: CancellationError.self) { try await task.value } }
        base.open()
        for task in tasks.suffix(5) { #expect(try await task.value.head.status == 204) }
        #expect(base.count == 1)
    }

    @Test func lastCancelEndsTheTransfer() async throws {
        let base = HangingClient()
        let client = base.coalesced()
        // A request after a cancelled one does not join its transfer.
        for _ in 0..<2 {
            let task = Task { try await client.perform(HTTPRequest(url: Self.url)) }
            #expect(await base.arrival() != nil)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func failureReachesEveryWaiter() async throws {
        let base = GatedClient { throw TransportError(.connectionLost) }
        let tasks = await send(5, through: base.coalesced())
        base.open()
        for task in tasks { await #expect(throws: TransportError.self) { try await task.value } }
        #expect(base.count == 1)
    }
}
