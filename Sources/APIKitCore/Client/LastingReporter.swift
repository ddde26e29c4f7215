/// Reports progress until the request that holds it is released: that of a stream outlives `send`.
final class LastingReporter: Sendable {
    private let reports: AsyncStream<TransferProgress>.Continuation

    init(_ reports: AsyncStream<TransferProgress>.Continuation) {
        self.reports = reports
    }

    deinit {
        reports.finish()
    }

    @Sendable func report(_ progress: TransferProgress) {
        reports.yield(progress)
    }
}
