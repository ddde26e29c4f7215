import APIKitSupport

/// One request on its way over an engine: the engine reports what happens to it, and the exchange delivers the response
/// once, as the request wants it, within its limits, with progress and timing. <doc:WritingAnEngine> shows how.
///
/// An engine reports the events of one request one after another: ``sent(total:)``, ``receive(_:decoding:)``,
/// ``receive(_:)`` and ``finish(trailers:)`` or ``fail(_:beforeSending:)``. A response that has arrived as a whole is
/// one event, ``finish(with:body:trailers:decoding:)``. Reports after the end are ignored. Every method may be called
/// from any thread, but none from within the closures of ``begin(stop:resume:)``.
///
/// If the engine can make the server wait, it pauses while ``shouldPause`` is true. If it cannot, files are written as
/// they arrive, and a stream whose unread bytes exceed ``RequestOptions/sizeLimit`` fails, as it does if an engine goes
/// on reporting while it should pause.
public final class Exchange: Sendable {
    /// The request that the engine sends: checked, and with a compressed body if its options ask for that.
    public let request: HTTPRequest
    /// The call that it is sent for.
    public let call: Call
    /// Whether the request is sent again because its connection broke. Send it over a new connection.
    public let isResend: Bool
    let state: Locked<ExchangeState>

    /// The closures by which the exchange controls the engine's transfer. A class, since each event copies it.
    final class Transport: Sendable {
        let stop: @Sendable () -> Void
        let resume: (@Sendable () -> Void)?

        init(stop: @escaping @Sendable () -> Void, resume: (@Sendable () -> Void)?) {
            self.stop = stop
            self.resume = resume
        }

        var canPause: Bool { resume != nil }
    }

    /// The number of the work that the call does for this exchange at the deadline; nil if there is no deadline.
    private let deadlineWorkID = Locked<Int?>(nil)

    /// Creates an exchange, which fails at the deadline of its call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call that it is sent for.
    ///   - runningTime: The time of the first attempt, if the request is sent again; nil for a new request.
    ///   - isResend: Whether the request is sent again.
    init(_ request: HTTPRequest, in call: Call, runningTime: Stopwatch? = nil, isResend: Bool = false) {
        state = Locked(ExchangeState(of: request, in: call, runningTime: runningTime))
        // Only the state has the closures of the caller and of clients, and releases them as soon as it can. What they
        // capture must not live as long as the exchange, which a stream keeps alive.
        let callWithoutClosures = call.withoutClosures
        self.request = request
        self.call = callWithoutClosures
        self.isResend = isResend
        if let deadline = request.options.deadline { call.limit(to: deadline) }
        // The call may also have a deadline from before, which applies to all of its requests.
        if call.hasDeadline {
            let workID = callWithoutClosures.atDeadline { [weak self] in
                self?.fail(callWithoutClosures.missedDeadline)
            }
            deadlineWorkID.withLock { $0 = workID }
        }
    }

    deinit {
        if let workID = deadlineWorkID.withLock({ $0 }) { call.removeWork(workID) }
    }

    // MARK: - Effects

    /// Changes the state under the lock, and runs the effects of the change after releasing it.
    func update<Value: Sendable>(_ change: (inout ExchangeState) -> Value) -> Value {
        let (value, effects) = state.withLock { state in
            let value = change(&state)
            return (value, state.takeEffects())
        }
        for effect in effects { perform(effect) }
        return value
    }

    /// Performs an effect: what the state wants done, outside of the lock, as a consequence of an event.
    private func perform(_ effect: ExchangeState.Effect) {
        switch effect {
        case .resumeCaller(let caller, let result): caller.resume(with: result)
        case .resumeReader(let reader, let result): reader.resume(with: result)
        // The feeder is the task of a client that produces the body itself, such as a stub.
        case .resumeFeeder(let feeder): feeder.resume()
        case .report(let progress, let reporter): reporter.report(progress)
        case .reportLast(let progress, let reporter):
            reporter.report(progress)
            reporter.afterReports { self.complete() }
        case .stop(let transport): transport.stop()
        case .unpause(let transport): transport.resume?()
        // The effect holds the last reference to the value. Both are released after this function has returned.
        case .releaseTransport, .release: break
        }
    }

    private func complete() {
        update { $0.complete() }
    }
}
