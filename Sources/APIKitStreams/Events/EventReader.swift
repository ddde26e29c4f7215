import APIKitCore

/// Reads the values of events by their rules.
final class EventReader<Base: AsyncIteratorProtocol, Value: Sendable>: AsyncIteratorProtocol
where Base.Element == ServerSentEvents.Event {
    private var base: Base
    private let rules: EventRules<Value>
    private let context: ReadingContext?
    private let clock: any Clock<Duration>
    private var timeSinceValue: Stopwatch
    private var number = 0
    private var isOver = false

    init(base: Base, rules: EventRules<Value>, context: ReadingContext?) {
        self.base = base
        self.rules = rules
        self.context = context
        clock = context?.clock ?? ContinuousClock()
        timeSinceValue = Stopwatch(clock)
    }

    @concurrent
    func next() async throws -> Value? {
        guard !isOver else { return nil }
        // Any error ends the iterator, unless this is reset below.
        isOver = true
        while let event = try await base.next() {
            if !event.isComment { number.addClamping(1) }
            if let failure = rules.failure, failure.matches(event) { throw await rejection(by: event) }
            let isEnd = rules.end?.matches(event) ?? false
            let isValueToo = rules.cases.contains(event.type)
            if isEnd, !isValueToo { return nil }
            if let value = try value(of: event) {
                isOver = isEnd
                if rules.longestGap != nil { timeSinceValue = Stopwatch(clock) }
                return value
            }
            try checkGap()
        }
        if let end = rules.end, rules.requiresEnd {
            throw failure(TransportError(.connectionLost, "the stream ended before \(end)"))
        }
        return nil
    }

    private func value(of event: ServerSentEvents.Event) throws -> Value? {
        guard !event.isComment else { return nil }
        do {
            return try rules.value(event)
        } catch {
            // The next event may be readable.
            isOver = false
            throw failure(ContentError.unreadableElement(number, of: Data(event.data.utf8), error))
        }
    }

    private func checkGap() throws {
        guard let limit = rules.longestGap, timeSinceValue.elapsed > limit else { return }
        throw failure(TransportError(.timedOut, "the stream had no value for \(limit)"))
    }

    private func rejection(by event: ServerSentEvents.Event) async -> any Error {
        let data = Data(event.data.utf8)
        return await context?.rejection(of: data) ?? ContentError.failureEvent(number, of: data)
    }

    /// The endpoint's error, if the events come from `send`.
    private func failure(_ error: any Error) -> any Error {
        context?.failure(error) ?? error
    }
}
