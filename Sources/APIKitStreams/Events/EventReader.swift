import APIKitCore
import APIKitSupport

/// Reads values from events, by the rules of the stream.
final class EventReader<Base: AsyncIteratorProtocol, Value: Sendable>: AsyncIteratorProtocol
where Base.Element == ServerSentEvents.Event {
    private var base: Base
    private let rules: EventRules<Value>
    private let context: ReadingContext?
    private let clock: any Clock<Duration>
    private var timeSinceValue: Stopwatch
    /// The number of events so far, for error messages.
    private var number = 0
    private var isOver = false

    init(base: Base, rules: EventRules<Value>, context: ReadingContext?) {
        self.base = base
        self.rules = rules
        self.context = context
        clock = context?.clock ?? ContinuousClock()
        timeSinceValue = Stopwatch(clock)
    }

    /// Returns the next value, or nil at the end of the stream. Events without a value, such as comments, are skipped.
    ///
    /// Throws the failure that an event reports, an error if the stream breaks, ends too early or has no value for too
    /// long, and an error for a value that cannot be read. After all but the last, the iterator is at its end.
    @concurrent
    func next() async throws -> Value? {
        guard !isOver else { return nil }
        // Any error ends the iterator, unless this is reset below.
        isOver = true
        while let event = try await base.next() {
            if !event.isComment { number.addClamping(1) }
            if let failure = rules.failure, failure.matches(event) { throw await rejection(by: event) }
            let isEnd = rules.end?.matches(event) ?? false
            // The event that ends the stream is also a value if its type has a case.
            let isValueToo = rules.cases.contains(event.type)
            if isEnd, !isValueToo { return nil }
            if let value = try value(of: event) {
                isOver = isEnd
                if rules.longestGap != nil { timeSinceValue = Stopwatch(clock) }
                return value
            }
            try checkTimeSinceValue()
        }
        if let end = rules.end, rules.requiresEnd {
            throw failure(TransportError(.connectionLost, "the stream ended before \(end)"))
        }
        return nil
    }

    /// Reads the value of an event; nil if the event is skipped.
    private func value(of event: ServerSentEvents.Event) throws -> Value? {
        guard !event.isComment else { return nil }
        do {
            return try rules.value(event)
        } catch {
            // The next event may be readable, so this error does not end the iterator.
            isOver = false
            throw failure(ContentError.unreadableElement(number, of: event.data.utf8Data, error))
        }
    }

    /// Throws an error if the last value was longer ago than the rules allow.
    private func checkTimeSinceValue() throws {
        guard let limit = rules.longestGap, timeSinceValue.elapsed > limit else { return }
        throw failure(TransportError(.timedOut, "the stream had no value for \(limit)"))
    }

    /// Returns the error for an event that reports a failure: the endpoint's, if the events come from `send`.
    private func rejection(by event: ServerSentEvents.Event) async -> any Error {
        let data = event.data.utf8Data
        return await context?.rejection(of: data) ?? ContentError.failureEvent(number, of: data)
    }

    /// Wraps an error in the endpoint's error type if the events come from `send`.
    private func failure(_ error: any Error) -> any Error {
        context?.failure(error) ?? error
    }
}
