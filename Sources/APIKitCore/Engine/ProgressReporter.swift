import Dispatch

/// Reports progress to the caller of `send`: one report at a time, the newest one if there have been several meanwhile.
///
/// Reports come from the engine's threads, which do not wait for the caller's closure.
final class ProgressReporter: Sendable {
    private struct State: Sendable {
        var pending: TransferProgress?
        var afterwards: [@Sendable () -> Void] = []
        var isRunning = false
        var isCancelled = false
    }

    private enum Step {
        case report(TransferProgress)
        case work(@Sendable () -> Void)
    }

    private let handler: TransferProgress.Handler
    private let state = Locked(State())
    private static let queue = DispatchQueue(label: "APIKit.progress", attributes: .concurrent)

    init(_ handler: TransferProgress.Handler) {
        self.handler = handler
    }

    /// Reports progress, unless newer progress comes before the caller has time.
    func report(_ progress: TransferProgress) {
        start { if !$0.isCancelled { $0.pending = progress } }
    }

    /// Does work after all reports so far.
    func afterReports(_ work: @escaping @Sendable () -> Void) {
        start { $0.afterwards.append(work) }
    }

    /// Drops what has not been reported.
    func cancel() {
        state.withLock { ($0.isCancelled, $0.pending) = (true, nil) }
    }

    private func start(_ add: @Sendable (inout State) -> Void) {
        let isIdle = state.withLock { state in
            add(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isIdle else { return }
        switch handler.kind {
        // An unstructured task, since an engine does not wait for its caller.
        case .onMainActor(let report): Task { @MainActor in run(report) }
        case .anywhere(let report): Self.queue.async { self.run(report) }
        }
    }

    private func run(_ report: (TransferProgress) -> Void) {
        while let step = next() {
            switch step {
            case .report(let progress): report(progress)
            case .work(let work): work()
            }
        }
    }

    private func next() -> Step? {
        state.withLock { state in
            if let progress = state.pending.take() { return .report(progress) }
            if !state.afterwards.isEmpty { return .work(state.afterwards.removeFirst()) }
            state.isRunning = false
            return nil
        }
    }
}
