import Dispatch

/// Tells a caller how far an exchange has come: one report at a time, and on a queue, since whoever is told may take any
/// time, and wait for what the engine is yet to do. Of reports that come faster than they are taken, it tells the last.
struct ProgressReports: Sendable {
    private let tell: @Sendable (TransferProgress) -> Void
    private let afterwards: @Sendable () -> Void
    private let queue = DispatchQueue(label: "APIKit.progress")
    private var isTelling = false
    private var waiting: TransferProgress?

    /// Makes reports that are told to `tell`; `afterwards` has ``tellNext()`` called.
    init(_ tell: @escaping @Sendable (TransferProgress) -> Void, afterwards: @escaping @Sendable () -> Void) {
        self.tell = tell
        self.afterwards = afterwards
    }

    mutating func report(_ progress: TransferProgress) {
        guard !isTelling else {
            waiting = progress
            return
        }
        isTelling = true
        queue.async { [tell, afterwards] in
            tell(progress)
            afterwards()
        }
    }

    mutating func tellNext() {
        isTelling = false
        if let progress = waiting.take() { report(progress) }
    }

    /// Tells the last report, and does something behind it.
    func finish(_ progress: TransferProgress, then work: @escaping @Sendable () -> Void) {
        queue.async { [tell] in
            tell(progress)
            work()
        }
    }
}
