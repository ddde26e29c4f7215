import APIKitSupport
import Dispatch

/// Reports progress to the caller of `send`, one report at a time.
///
/// Engines report progress on their own threads, which do not wait for the caller's closure. If several reports arrive
/// while the closure runs, only the newest one is passed on.
final class ProgressReporter: Sendable {
    private struct State: Sendable {
        /// The newest progress that has not been reported.
        var pending: TransferProgress?
        /// The work to do after the pending report.
        var workAfterReports: [@Sendable () -> Void] = []
        /// Whether a task or a thread performs steps, in ``ProgressReporter/performSteps(_:)``.
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

    /// Reports progress, unless newer progress arrives before the closure has returned from the last report.
    func report(_ progress: TransferProgress) {
        add { if !$0.isCancelled { $0.pending = progress } }
    }

    /// Does work after all reports so far.
    func afterReports(_ work: @escaping @Sendable () -> Void) {
        add { $0.workAfterReports.append(work) }
    }

    /// Drops the pending report and all later ones.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.pending = nil
        }
    }

    /// Adds a step to the state, and starts a task or thread that performs the steps, unless one is already running.
    /// Only one runs at a time, which keeps the steps in order.
    private func add(_ addStep: @Sendable (inout State) -> Void) {
        let wasRunning = state.withLock { state in
            addStep(&state)
            let wasRunning = state.isRunning
            state.isRunning = true
            return wasRunning
        }
        if wasRunning { return }
        switch handler.kind {
        case .onMainActor(let report):
            // An unstructured task, since the engine that reports does not wait for the caller's closure.
            Task { @MainActor in performSteps(report) }
        case .anywhere(let report):
            Self.queue.async { self.performSteps(report) }
        }
    }

    /// Performs steps until none is left, also those that are added meanwhile.
    private func performSteps(_ report: (TransferProgress) -> Void) {
        while let step = takeStep() {
            switch step {
            case .report(let progress): report(progress)
            case .work(let work): work()
            }
        }
    }

    /// Takes the next step: the pending report or, after it, the oldest work. If there is none, clears `isRunning` and
    /// returns nil.
    ///
    /// Both happen under one lock. So a step that is added later finds that nothing is running, and starts to perform
    /// steps again.
    private func takeStep() -> Step? {
        state.withLock { state in
            if let progress = state.pending.take() { return .report(progress) }
            if !state.workAfterReports.isEmpty { return .work(state.workAfterReports.removeFirst()) }
            state.isRunning = false
            return nil
        }
    }
}
