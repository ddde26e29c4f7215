package import APIKitCore
import APIKitSupport

/// The time that several requests and the pauses between them may take together.
package struct TimeBudget: Sendable {
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let limit: Duration?

    /// Starts the time; a limit of nil allows any time.
    package init(_ clock: any Clock<Duration>, _ limit: Duration?) {
        self.clock = clock
        self.limit = limit
        stopwatch = Stopwatch(clock)
    }

    /// The rest of the time; nil if it is not limited.
    private var remaining: Duration? {
        guard let limit else { return nil }
        return limit - stopwatch.elapsed
    }

    /// Limits a request to the rest of the time.
    package func limit(_ request: inout HTTPRequest) {
        guard let remaining else { return }
        let own = request.options.deadline?.duration ?? remaining
        request.options.deadline = .after(min(own, remaining))
    }

    /// Waits, by the clock that times the calls.
    ///
    /// - Parameters:
    ///   - pause: How long to wait.
    ///   - work: What the time is for, as the error names it.
    ///   - url: The URL that the error names.
    /// - Throws: ``TransportError`` with the code `timedOut` if the time would be over then; `CancellationError` if the
    ///   task is cancelled.
    package func pause(for pause: Duration, of work: String, at url: URL?) async throws {
        if let limit, let remaining, pause >= remaining {
            throw TransportError(.timedOut, "\(work) is not done after \(limit)", url: url)
        }
        try await clock.sleep(for: pause.clampedForSleep)
    }
}
