public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client whose requests in flight a tracker counts and can cancel.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func tracked(by tracker: RequestTracker) -> some APIClient {
        TrackedClient(base: self, tracker: tracker)
    }
}

private struct TrackedClient: WrappingClient {
    let base: any APIClient
    let tracker: RequestTracker

    /// Performs the request in a task that the tracker can cancel, and likewise each read of a stream.
    ///
    /// The request is in flight as long as its place is referenced: by this function, and then by the closure that
    /// reads the stream.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let place = tracker.begin(call)
        var response = try await place.transfer.run { [base] in try await base.perform(request, in: call) }
        response.body = response.body.readingStream { next in
            defer { withExtendedLifetime(place) {} }
            do {
                return try await place.transfer.run(next)
            } catch is Call.Cancellation {
                // A loop over a stream throws the same error whether its task was cancelled or the tracker has done it.
                throw CancellationError()
            }
        }
        return response
    }
}

/// Counts and cancels requests in flight, across any number of clients.
///
/// ```swift
/// let tracker = RequestTracker()
/// let client = URLSession.api.tracked(by: tracker)
///
/// for await count in tracker.counts { indicator.isHidden = count == 0 }
/// ```
///
/// ```swift
/// tracker.cancelAll()  // when the user logs out
/// ```
///
/// A request is in flight until its response is complete: a stream, until it has ended or was released.
public final class RequestTracker: Sendable {
    private struct State: Sendable {
        var transfers: [ObjectIdentifier: Transfer] = [:]
        var observers: [(id: UUID, continuation: AsyncStream<Int>.Continuation)] = []
    }

    private let state = Locked(State())

    /// Creates a tracker. Several clients may share one.
    public init() {}

    /// The number of requests in flight.
    public var count: Int { state.withLock { $0.transfers.count } }

    /// The number of requests in flight, now and after each change. A slow reader gets the newest number only.
    public var counts: AsyncStream<Int> {
        let id = UUID()
        let (counts, observer) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        observer.onTermination = { [weak self] _ in
            self?.state.withLock { $0.observers.removeAll { $0.id == id } }
        }
        state.withLock { state in
            state.observers.append((id, observer))
            observer.yield(state.transfers.count)
        }
        return counts
    }

    /// Cancels every request in flight. Its caller, or the loop over its stream, gets
    /// ``APIError/cancelled``; a stream that nobody reads at the moment ends when it is read again or released.
    public func cancelAll() {
        cancel { _ in true }
    }

    /// Cancels every request in flight that was built from an endpoint of one type.
    public func cancelAll<R: APIRequest>(of type: R.Type) {
        cancel { $0 is R }
    }

    private func cancel(where matches: @Sendable ((any APIRequest)?) -> Bool) {
        let transfers = state.withLock { state in state.transfers.values.filter { matches($0.endpoint) } }
        for transfer in transfers { transfer.cancel() }
    }

    /// Registers a request as in flight until the returned place is released.
    fileprivate func begin(_ call: Call) -> Place {
        let transfer = Transfer(endpoint: call.endpoint)
        change { $0[ObjectIdentifier(transfer)] = transfer }
        return Place(transfer, in: self)
    }

    /// Changes the transfers in flight and notifies the observers. This happens under the lock, so that the counts
    /// arrive in the order of the changes.
    fileprivate func change(_ change: (inout [ObjectIdentifier: Transfer]) -> Void) {
        state.withLock { state in
            change(&state.transfers)
            for observer in state.observers { observer.continuation.yield(state.transfers.count) }
        }
    }

    /// Keeps a transfer registered as in flight until this object is released.
    fileprivate final class Place: Sendable {
        let transfer: Transfer
        private let tracker: RequestTracker

        init(_ transfer: Transfer, in tracker: RequestTracker) {
            self.transfer = transfer
            self.tracker = tracker
        }

        deinit {
            tracker.change { $0[ObjectIdentifier(transfer)] = nil }
        }
    }

    /// The work of one request, which the tracker can cancel: the request itself, and then each read of its stream.
    final class Transfer: Sendable {
        private struct State: Sendable {
            var isCancelled = false
            /// Cancels the current task; nil while no task is running.
            var cancelTask: (@Sendable () -> Void)?
        }

        fileprivate let endpoint: (any APIRequest)?
        private let state = Locked(State())

        fileprivate init(endpoint: (any APIRequest)?) {
            self.endpoint = endpoint
        }

        /// Cancels the current task, and each later one as soon as it has started.
        fileprivate func cancel() {
            let cancelTask = state.withLock { state in
                state.isCancelled = true
                return state.cancelTask
            }
            cancelTask?()
        }

        /// Runs work in a task of its own, since only a task can be cancelled from outside.
        ///
        /// - Throws: What the work throws; ``Call/Cancellation`` if the tracker has cancelled it, whatever it returns.
        func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
            try Task.checkCancellation()
            let task = Task.startingImmediately(work)
            noteStart { task.cancel() }
            let result = await task.resultCancelledWithCaller
            try noteEnd()
            return try result.get()
        }

        private func noteStart(_ cancelTask: @escaping @Sendable () -> Void) {
            // The tracker may have cancelled the transfer before it had the task to cancel.
            let isCancelled = state.withLock { state in
                state.cancelTask = cancelTask
                return state.isCancelled
            }
            if isCancelled { cancelTask() }
        }

        private func noteEnd() throws {
            let wasCancelled = state.withLock { state in
                state.cancelTask = nil
                return state.isCancelled
            }
            if wasCancelled { throw Call.Cancellation() }
        }
    }
}
