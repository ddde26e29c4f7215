import Dispatch

/// Calls a caller's progress closure: one report at a time, and on a queue of its own, since the closure may take any
/// time and wait for what the engine has yet to do. It drops intermediate reports that the closure is too slow for.
final class ProgressReporter: Sendable {
    private let handler: @Sendable (TransferProgress) -> Void
    private let pending = Locked<TransferProgress?>(nil)
    private let queue = DispatchQueue(label: "APIKit.progress")

    init(_ handler: @escaping @Sendable (TransferProgress) -> Void) {
        self.handler = handler
    }

    /// Reports progress soon.
    func report(_ progress: TransferProgress) {
        let isFirst = pending.withLock { pending in
            defer { pending = progress }
            return pending == nil
        }
        guard isFirst else { return }
        queue.async { [self] in
            if let progress = pending.withLock({ $0.take() }) { handler(progress) }
        }
    }

    /// Runs `work` after all reports.
    func afterReports(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
