import APIKitCore
import Foundation

#if canImport(Darwin)
extension Exchange {
    /// Reports what a session measured of the connection, if it measured anything.
    func connected(_ metrics: URLSessionTaskMetrics) {
        guard let transaction = metrics.transactionMetrics.last else { return }
        connected(
            isReused: transaction.isReusedConnection,
            nameLookup: Self.time(transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            connect: Self.time(
                transaction.connectStartDate, transaction.secureConnectionStartDate ?? transaction.connectEndDate),
            secureHandshake: Self.time(transaction.secureConnectionStartDate, transaction.secureConnectionEndDate))
    }

    private static func time(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
#endif
