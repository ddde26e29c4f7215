#if os(Linux)
/// How long the body of a request is still sent after its response is complete.
///
/// Below the status 300, libcurl continues to send, since the server may want all of the body. But the task that
/// produces the body may wait for the end of the response, or the server may not read the body any more. So the rest is
/// given up once nothing was sent for a while.
struct UploadPatience {
    /// How long nothing may be sent.
    let limit: Duration
    /// When the response was complete.
    private let start: ContinuousClock.Instant

    /// Begins to wait for progress.
    ///
    /// - Parameters:
    ///   - timeout: The timeout of the request, which must not run out before.
    ///   - start: The present time.
    init(timeout: Duration, from start: ContinuousClock.Instant) {
        // Longer than a task waits for its turn on a busy machine.
        limit = min(.seconds(10), timeout / 2)
        self.start = start
    }

    /// Returns how long the rest of the body is still waited for.
    ///
    /// - Parameters:
    ///   - lastProgress: When libcurl has last taken bytes of the body; nil before that.
    ///   - now: The present time.
    /// - Returns: The time that is left, zero or less if the rest is given up.
    func timeLeft(since lastProgress: ContinuousClock.Instant?, at now: ContinuousClock.Instant) -> Duration {
        let beginning = max(lastProgress ?? start, start)
        return limit - (now - beginning)
    }
}
#endif
