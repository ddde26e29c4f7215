import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(3))) struct ConnectionQueueTests {
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
}
