import APIKitSupport

extension Clock<Duration> {
    /// Returns a function that returns the current date: that of a `ManualClock` in tests, and otherwise the system's.
    ///
    /// A client that compares dates, such as the expiry of a token, gets them from its clock, so that a test can move
    /// both:
    ///
    /// ```swift
    /// let now = client.clock.dates()
    /// if token.expires < now() { try await refresh() }
    /// ```
    ///
    /// - Returns: The function. Call it each time; finding the kind of the clock takes longer than reading it.
    public func dates() -> @Sendable () -> Date {
        guard let clock = self as? any SimulatedClock else { return { Date() } }
        return { clock.date }
    }
}
