/// Tells a caller how far a transfer has come: one report at a time, and not where the transfer happens, which nothing
/// that a caller does may hold up. Of reports that come faster than they are taken, it tells the last.
struct ProgressReports: Sendable {
    private let source: AsyncStream<(TransferProgress, then: (@Sendable () -> Void)?)>.Continuation

    init(_ tell: @escaping @Sendable (TransferProgress) -> Void) {
        let (reports, source) = AsyncStream.makeStream(
            of: (TransferProgress, then: (@Sendable () -> Void)?).self, bufferingPolicy: .bufferingNewest(1))
        self.source = source
        // For as long as the exchange: whoever is told may take any time, and may wait for what the engine is to do.
        Task {
            for await report in reports {
                tell(report.0)
                report.then?()
            }
        }
    }

    func report(_ progress: TransferProgress) {
        source.yield((progress, nil))
    }

    /// Tells the last report, and does something behind it.
    func finish(_ progress: TransferProgress, then work: @escaping @Sendable () -> Void) {
        source.yield((progress, work))
        source.finish()
    }

    func cancel() {
        source.finish()
    }
}
