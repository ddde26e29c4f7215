/// Reports progress, and ends the sequence of reports once no request refers to it any more.
///
/// A stream reports after `send` has returned, which therefore cannot know when the last report has come; without an
/// end, the task that shows the reports would never finish.
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
