/// Lets a limited number of requests have a connection of their own to a host; the others wait in line.
///
/// A `URLSession` limits its own connections to a host, but not those of other sessions.
package final class ConnectionQueue: Sendable {
    /// One connection to a host; it is free again when the last reference to this goes away.
    package final class Place: Sendable {
        private let queue: ConnectionQueue
        private let host: String

        fileprivate init(_ queue: ConnectionQueue, _ host: String) {
            self.queue = queue
            self.host = host
        }

        deinit {
            queue.leave(host)
        }
    }

    private struct Waiter: Sendable {
        let id: UUID
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Line: Sendable {
        var placesTaken = 0
        var waiting: [Waiter] = []
    }

    private let lines = Locked<[String: Line]>([:])

    package init() {}

    /// Takes a place if one is free.
    package func freePlace(at host: String, limit: Int) -> Place? {
        let isFree = lines.withLock { lines in
            guard lines[host, default: Line()].placesTaken < limit else { return false }
            lines[host, default: Line()].placesTaken += 1
            return true
        }
        return isFree ? Place(self, host) : nil
    }

    /// Waits for a place, first come first served.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func place(at host: String, limit: Int) async throws -> Place {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = lines.withLock { lines -> Result<Void, any Error>? in
                    // A cancel before this found nobody to resume, but had marked the task.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if lines[host, default: Line()].placesTaken < limit {
                        lines[host, default: Line()].placesTaken += 1
                        return .success(())
                    }
                    lines[host]?.waiting.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = lines.withLock { lines -> Waiter? in
                let index = lines[host]?.waiting.firstIndex { $0.id == id }
                return index.flatMap { lines[host]?.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
        return Place(self, host)
    }

    /// How many wait for a place at a host.
    package func waitingCount(at host: String) -> Int {
        lines.withLock { $0[host]?.waiting.count ?? 0 }
    }

    private func leave(_ host: String) {
        let next = lines.withLock { lines -> Waiter? in
            guard var line = lines[host] else { return nil }
            if !line.waiting.isEmpty { return lines[host]?.waiting.removeFirst() }
            line.placesTaken -= 1
            lines[host] = line.placesTaken == 0 ? nil : line
            return nil
        }
        next?.continuation.resume()
    }
}
