import APIKitCore

/// The sleepers of a ``ManualClock`` by the ends of their sleeps. Each operation takes logarithmic time.
struct SleeperQueue: Sendable {
    private struct Sleep: Sendable, Comparable {
        let end: ManualClock.Instant
        let number: Int
        let id: UUID

        /// The earlier one, or the one that began first.
        static func < (left: Sleep, right: Sleep) -> Bool {
            (left.end, left.number) < (right.end, right.number)
        }
    }

    /// A binary heap, also of sleeps that were cancelled.
    private var heap: [Sleep] = []
    private var sleepers: [UUID: CheckedContinuation<Void, any Error>] = [:]
    private var lastNumber = 0

    var count: Int { sleepers.count }

    /// The end of the next sleep; nil if nobody sleeps.
    var nextEnd: ManualClock.Instant? { heap.first?.end }

    mutating func insert(_ sleeper: CheckedContinuation<Void, any Error>, id: UUID, until end: ManualClock.Instant) {
        lastNumber += 1
        sleepers[id] = sleeper
        heap.append(Sleep(end: end, number: lastNumber, id: id))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the sleeper whose sleep ends next.
    mutating func removeFirst() -> CheckedContinuation<Void, any Error>? {
        heap.first.flatMap { remove($0.id) }
    }

    mutating func remove(_ id: UUID) -> CheckedContinuation<Void, any Error>? {
        let sleeper = sleepers.removeValue(forKey: id)
        while let first = heap.first, sleepers[first.id] == nil { removeTop() }
        if heap.count > 2 * sleepers.count {
            // A sorted list is a heap.
            heap = heap.filter { sleepers[$0.id] != nil }.sorted()
        }
        return sleeper
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while let child = [2 * parent + 1, 2 * parent + 2].filter({ $0 < heap.count }).min(by: { heap[$0] < heap[$1] }),
            heap[child] < heap[parent]
        {
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
