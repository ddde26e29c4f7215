import APIKitCore
import APIKitTesting
import Foundation
import Testing

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
        try await client.send(AccountsRequest())
        try await client.send(AccountsRequest())
        #expect(base.requests.count == 2)
    }

    @Test(arguments: [
        HTTPRequest(url: URL(string: "https://api.example.com/b")!),
        HTTPRequest(method: .head, url: URL(string: "https://api.example.com/a")!),
        HTTPRequest(url: URL(string: "https://api.example.com/a")!, headers: [.accept: "text/plain"]),
        HTTPRequest(url: URL(string: "https://api.example.com/a")!, options: RequestOptions(timeout: .seconds(1))),
        HTTPRequest(url: URL(string: "https://api.example.com/a")!, delivery: .stream),
        HTTPRequest(url: URL(string: "https://api.example.com/a")!, progress: { _ in }),
        HTTPRequest(url: URL(string: "https://api.example.com/a")!, endpoint: AccountsRequest()),
    ]) func differentRequestsAreNotMerged(other: HTTPRequest) async throws {
        let base = GatedClient(.json("[]"))
        let client = base.coalesced()
        async let first = client.perform(HTTPRequest(url: URL(string: "https://api.example.com/a")!))
        async let second = client.perform(other)
        await base.arrivals(2)
        base.open()
        _ = try await (first, second)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func unsafeMethodsAreNotMerged(method: HTTPMethod) async throws {
        let base = GatedClient(.json("[]"))
        let client = base.coalesced()
        let request = HTTPRequest(method: method, url: URL(string: "https://api.example.com/a")!)
        async let first = client.perform(request)
        async let second = client.perform(request)
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
        let task = Task { try await client.perform(HTTPRequest(url: URL(string: "https://api.example.com/a")!)) }
        _ = await base.arrival()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // A request after that does not join the cancelled transfer.
        let next = Task { try await client.perform(HTTPRequest(url: URL(string: "https://api.example.com/a")!)) }
        #expect(await base.arrival() != nil)
        next.cancel()
        _ = await next.result
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

/// Holds every request until it is opened, and counts them.
final class GatedClient: APIClient {
    private struct State {
        var count = 0
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var observers: [(Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())
    private let answer: @Sendable () throws -> HTTPResponse

    init(_ answer: @escaping @Sendable () throws -> HTTPResponse) { self.answer = answer }

    convenience init(_ response: HTTPResponse) { self.init { response } }

    var count: Int { state.withLock { $0.count } }

    /// Waits until at least so many requests have arrived.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count < count { state.observers.append((count, continuation)) }
                return state.count >= count
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        await withCheckedContinuation { continuation in
            let (isOpen, observers) = state.withLock { state in
                state.count += 1
                if !state.isOpen { state.waiting.append(continuation) }
                let reached = state.observers.filter { $0.0 <= state.count }.map(\.1)
                state.observers.removeAll { $0.0 <= state.count }
                return (state.isOpen, reached)
            }
            for observer in observers { observer.resume() }
            if isOpen { continuation.resume() }
        }
        return try answer()
    }
}
