#if canImport(FoundationNetworking)
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(1))) struct ConnectionQueueTests {
    private final class Order: Sendable {
        let values = Locked<[Int]>([])
    }

    @Test func placesAreGivenInOrderOfArrival() async throws {
        let queue = ConnectionQueue()
        var first: ConnectionQueue.Place? = try await queue.place(at: "a", limit: 1)
        let order = Order()
        var waiters: [Task<Void, any Error>] = []
        for index in 0..<5 {
            waiters.append(
                Task {
                    let place = try await queue.place(at: "a", limit: 1)
                    order.values.withLock { $0.append(index) }
                    _ = place
                })
            while queue.waitingCount(at: "a") <= index { await Task.yield() }
        }
        #expect(first != nil)
        #expect(order.values.withLock { $0 }.isEmpty)
        first = nil
        for waiter in waiters { try await waiter.value }
        #expect(order.values.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test func anotherHostDoesNotWait() async throws {
        let queue = ConnectionQueue()
        let places = [try await queue.place(at: "a", limit: 1), try await queue.place(at: "b", limit: 1)]
        #expect(places.count == 2)
    }

    @Test func aCancelledWaiterLeavesNoHole() async throws {
        let queue = ConnectionQueue()
        var first: ConnectionQueue.Place? = try await queue.place(at: "a", limit: 1)
        let cancelled = Task { _ = try await queue.place(at: "a", limit: 1) }
        let patient = Task { _ = try await queue.place(at: "a", limit: 1) }
        while queue.waitingCount(at: "a") < 2 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(first != nil)
        first = nil
        try await patient.value
        _ = try await queue.place(at: "a", limit: 1)
    }

    @Test func aRequestWaitsForAConnectionNoLongerThanItsTimeout() async throws {
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitForClient]) }
        let configuration = URLSessionConfiguration.api
        configuration.httpMaximumConnectionsPerHost = 1
        let session = URLSession.api(configuration: configuration)
        let first = Task { try await session.send(Probe<String>(baseURL: server.url, method: .post)) }
        await server.waitForRequests(1)
        let second = Probe<String>(
            baseURL: server.url, method: .post, options: RequestOptions(timeout: .seconds(1)))
        let error = await #expect(throws: APIError<ServerError>.self) { try await session.send(second) }
        #expect(error?.transportCode == .timedOut)
        #expect(server.requests.count == 1)
        first.cancel()
        _ = await first.result
    }

    @Test func requestsWithConnectionsOfTheirOwnKeepToTheLimitOfTheSession() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps)
        }
        let configuration = URLSessionConfiguration.api
        configuration.httpMaximumConnectionsPerHost = 4
        let session = URLSession.api(configuration: configuration)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { try await session.send(Probe<String>(baseURL: server.url, method: .post)) }
            }
            await server.waitForRequests(4)
            #expect(server.openConnections == 4)
            gate.open()
            for try await text in group { #expect(text == "ok") }
        }
        #expect(server.requests.count == 20)
    }
}
#endif
