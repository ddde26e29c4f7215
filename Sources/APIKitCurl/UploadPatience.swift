#if os(Linux)
/// How long the body of a request is still sent after its response is complete.
///
/// Below the status 300, libcurl goes on sending, since the server may want all of the body. But the task that produces
/// the body may wait for the end of the response, or the server may not read the body any more. So the rest is given up
/// once nothing was sent for a while.
struct UploadPatience {
    /// How long nothing may be sent.
    let limit: Duration
    private var bytesSent: Int
    private var lastProgress: ContinuousClock.Instant

    /// Begins to wait for progress.
    ///
    /// - Parameters:
    ///   - timeout: The timeout of the request, which must not run out before.
    ///   - bytesSent: How many bytes of the body libcurl has taken so far.
    ///   - now: The present time.
    init(timeout: Duration, bytesSent: Int, at now: ContinuousClock.Instant) {
        // Longer than a task waits for its turn on a busy machine.
        limit = min(.seconds(10), timeout / 2)
        self.bytesSent = bytesSent
        lastProgress = now
    }

    /// Returns how long the rest of the body is still waited for, zero or less if it is given up.
    mutating func timeLeft(bytesSent: Int, at now: ContinuousClock.Instant) -> Duration {
        if bytesSent != self.bytesSent {
            self.bytesSent = bytesSent
            lastProgress = now
        }
        return limit - (now - lastProgress)
    }
}
#endif
