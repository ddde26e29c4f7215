import APIKitCore

/// The dates of something that may happen five times within a minute.
struct RecentDates: Sendable {
    private var dates: [Date] = []

    /// Adds a date, unless there are five already. Rejected dates do not count: otherwise, a program that keeps
    /// trying could never succeed.
    ///
    /// - Returns: Whether the date was added.
    mutating func add(_ date: Date) -> Bool {
        dates.removeAll { !Self.isRecent($0, at: date) }
        guard dates.count < 5 else { return false }
        dates.append(date)
        return true
    }

    /// Whether a date was less than a minute ago. A date in the future is not recent: the clock has been set back.
    static func isRecent(_ date: Date, at now: Date) -> Bool {
        (0..<60).contains(now.timeIntervalSince(date))
    }
}
