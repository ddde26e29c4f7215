import APIKitCore
import APIKitSupport

/// A line of waiting requests for each origin whose rate limit is used up. The line remains as long as requests are in
/// it, even after the limit was reset, so that they keep their order.
final class OriginLines: Sendable {
    private struct Line: Sendable {
        /// One request at a time has the place, which is to be the next one that starts.
        let queue: StartQueue
        /// The number of requests in line.
        var count = 0

        var isNeeded: Bool { count > 0 || queue.isPaused }
    }

    /// The position of a request in the line of its origin.
    final class Position: Sendable {
        let origin: URIReference.Origin?
        let line: StartQueue
        let number: StartQueue.Number

        fileprivate init(origin: URIReference.Origin?, line: StartQueue, number: StartQueue.Number) {
            self.origin = origin
            self.line = line
            self.number = number
        }
    }

    private struct State: Sendable {
        var lines: [URIReference.Origin?: Line] = [:]
        /// How many lines there may be before those that are no longer needed are removed.
        var limit = State.smallestLimit

        static let smallestLimit = 16

        /// Removes the lines that are no longer needed, if there are many: those without requests whose rate limit was
        /// reset. So there are at most about twice as many lines as used-up limits, and a line is examined about twice
        /// on average.
        mutating func removeUnneededIfMany() {
            guard lines.count >= limit else { return }
            lines = lines.filter { $0.value.isNeeded }
            limit = max(2 * lines.count, Self.smallestLimit)
        }
    }

    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Puts a request at the end of its origin's line.
    ///
    /// - Returns: Its position, which ends with ``leave(_:)``; nil if the origin needs no line.
    func join(for request: HTTPRequest) -> Position? {
        // The URL is not parsed if there are no lines.
        let areNone = state.withLock { $0.lines.isEmpty }
        if areNone { return nil }
        let origin = request.url.origin
        return state.withLock { state in
            guard var line = state.lines[origin] else { return nil }
            guard line.isNeeded else {
                state.lines[origin] = nil
                return nil
            }
            line.count += 1
            state.lines[origin] = line
            return Position(origin: origin, line: line.queue, number: line.queue.join())
        }
    }

    /// Counts a request as no longer in line.
    func leave(_ origin: URIReference.Origin?) {
        state.withLock { state in
            guard var line = state.lines[origin] else { return }
            line.count -= 1
            state.lines[origin] = line.isNeeded ? line : nil
        }
    }

    /// Delays the starts of requests to an origin by a duration, by a minute at most, and begins its line if there is
    /// none.
    func pause(_ origin: URIReference.Origin?, for duration: Duration) {
        state.withLock { state in
            state.removeUnneededIfMany()
            let line = state.lines[origin] ?? Line(queue: StartQueue(places: 1, interval: .zero, clock: clock))
            line.queue.pause(for: duration)
            state.lines[origin] = line
        }
    }
}
