import APIKitCore

/// A limit for what may happen at most so many times within a period.
struct EventLimit: Sendable {
    private let count: Int
    /// The period in seconds.
    private let period: TimeInterval
    private var dates: [Date] = []

    init(_ count: Int, within period: TimeInterval) {
        self.count = count
        self.period = period
    }

    /// Whether it may happen at a date.
    func allowsEvent(at date: Date) -> Bool { recentDates(at: date).count < count }

    /// Whether it has happened within the period before a date.
    func hasRecentEvent(at date: Date) -> Bool { !recentDates(at: date).isEmpty }

    /// Counts that it happens. What the limit does not allow is not counted: otherwise, a program that keeps trying
    /// could never succeed.
    mutating func recordEvent(at date: Date) {
        dates = recentDates(at: date) + [date]
    }

    private func recentDates(at date: Date) -> [Date] { dates.filter { $0.isWithin(period, before: date) } }
}

extension Date {
    /// Whether this date is less than so many seconds before another one. A date after that one is not: the clock has
    /// been set back.
    func isWithin(_ seconds: TimeInterval, before other: Date) -> Bool {
        (0..<seconds).contains(other.timeIntervalSince(self))
    }
}
