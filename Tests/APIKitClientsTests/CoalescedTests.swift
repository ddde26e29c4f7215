import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(3))) struct CoalescedTests {
    @Test func sameRequestsAtTheSameTimeAreOneTransfer() async throws {
        let base = GatedClient(.json(#"[{"id":1,"login":"a"}]"#))
        let client = base.coalesced()
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await client.send(AccountsRequest()) } }
            await base.arrivals(1)
            // The others wait for the first one's transfer, or have yet to come: those find it while it is held.
            for _ in 0..<1000 { await Task.yield() }
            base.open()
            for try await accounts in group { #expect(accounts == [Account(id: 1, login: "a")]) }
        }
        #expect(base.count == 1)
    }

    @Test func laterRequestIsATransferOfItsOwn() async throws {
        let base = ScriptedClient(.json("[]"))
        let client = base.coalesced()
        for _ in 0..<2 { try await client.send(AccountsRequest()) }
        #expect(base.requests.count == 2)
    }

    private static let url = URL(string: "https://api.example.com/a")!
    private static let different = [
        HTTPRequest(url: URL(string: "https://api.example.com/b")!), HTTPRequest(method: .head, url: url),
        HTTPRequest(url: url, headers: [.accept: "text/plain"]),
        HTTPRequest(url: url, options: RequestOptions(timeout: .seconds(1))), HTTPRequest(url: url, delivery: .stream),
        HTTPRequest(url: url, progress: { _ in }), HTTPRequest(url: url, endpoint: AccountsRequest()),
    ].map { [HTTPRequest(url: url), $0] }
    private static let unsafe = [HTTPMethod.post, .put, .patch, .delete].map { method in
        Array(repeating: HTTPRequest(method: method, url: url), count: 2)
    }

    @Test(arguments: different + unsafe) func otherRequestsAreNotMerged(requests: [HTTPRequest]) async throws {
        let base = GatedClient(.json("[]"))
        let client = base.coalesced()
        async let first = client.perform(requests[0])
        async let second = client.perform(requests[1])
        await base.arrivals(2)
        base.open()
        _ = try await (first, second)
    }

    @Test func cancelOfOneWaiterLeavesTheOthers() async throws {
        let base = GatedClient(.json("[]"))
        let client = base.coalesced()
        let tasks = (0..<10).map { _ in Task { try await client.send(AccountsRequest()) } }
        await base.arrivals(1)
        for _ in 0..<1000 { await Task.yield() }
        for task in tasks.prefix(5) { task.cancel() }
        for task in tasks.prefix(5) {
            await #expect { try await task.value } throws: { ($0 as? DirectoryFailure)?.isCancellation == true }
        }
        base.open()
        for task in tasks.suffix(5) { #expect(try await task.value.isEmpty) }
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
        let client = base.coalesced()
        let tasks = (0..<5).map { _ in Task { try await client.failure(of: AccountsRequest()) } }
        await base.arrivals(1)
        base.open()
        for task in tasks { #expect(try await task.value.transportCode == .connectionLost) }
    }
}
