/// Tells a caller how far a transfer has come: one report at a time, and not on the session's queue, which nothing that
/// a caller does may hold up. Of reports that come faster than they are taken, it tells the last.
final class ProgressReporter: Sendable {
    private let tell: @Sendable (TransferProgress) -> Void
    private let waiting = Locked<TransferProgress?>(nil)
    private let queue = DispatchQueue(label: "APIKit.progress")

    init(_ tell: @escaping @Sendable (TransferProgress) -> Void) {
        self.tell = tell
    }

    /// Tells how far it has come, soon.
    func report(_ progress: TransferProgress) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting = progress }
            return waiting == nil
        }
        guard isFirst else { return }
        queue.async { [self] in
            if let progress = waiting.withLock({ $0.take() }) { tell(progress) }
        }
    }

    /// Does something behind all reports.
    func afterwards(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
