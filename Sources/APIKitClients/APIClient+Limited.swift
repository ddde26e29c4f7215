public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that limits how many requests run at once, and how many start per second; the others wait in
    /// order.
    ///
    /// ```swift
    /// let client = URLSession.api.limited(concurrent: 8, perSecond: 20)
    /// ```
    ///
    /// A request counts until its response is complete: a stream until it has ended, failed or been released. A request
    /// that is cancelled while it waits leaves the queue. Requests that a client inside sends by itself, such as a
    /// token refresh, do not wait. Waiting counts towards ``RequestOptions/deadline``, but not towards
    /// ``RequestOptions/timeout``.
    ///
    /// After a response that says that a rate limit of the server is used up (`RateLimit` and the like, see
    /// ``HTTPResponse/Head/retryAfter``), requests to the same scheme, host and port wait until it no longer is, but
    /// for a minute at most. They keep their order, and requests to other servers do not wait for them. Afterwards,
    /// they start before requests that have come later.
    ///
    /// - Parameters:
    ///   - concurrent: How many requests run at a time; nil for any number, less than 1 counts as 1.
    ///   - perSecond: How many requests start per second, evenly spaced, without bursts: with 20, two starts are at
    ///     least 50 milliseconds apart. Below 1, the space is longer than a second. Nil, zero, a negative number and
    ///     NaN mean any number.
    /// - Returns: The client. Its limits apply to all requests through its copies.
    public func limited(
        concurrent: Int? = nil,
        perSecond: Double? = nil
    ) -> some APIClient {
        var secondsBetweenStarts = 0.0
        // The comparison is false for NaN too.
        if let perSecond, perSecond > 0 { secondsBetweenStarts = min(1 / perSecond, Double(Int64(1) << 31)) }
        let places = max(concurrent ?? .max, 1)
        let queue = StartQueue(places: places, interval: .seconds(secondsBetweenStarts), clock: clock)
        return LimitedClient(base: self, queue: queue, lines: OriginLines(clock: clock))
    }
}

private struct LimitedClient: WrappingClient {
    let base: any APIClient
    /// Where all requests wait for a place and a start time.
    let queue: StartQueue
    /// Where requests wait for the rate limits of their origins.
    let lines: OriginLines

    /// Waits for a place, performs the request, and keeps the place until the body has ended or was released.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        // A request of another client inside, such as a token refresh, is sent on behalf of a request that has a place.
        // If it waited for a place too, both could wait forever.
        guard !TaskOwners.contains(queue) else { return try await base.perform(request, in: call) }
        let place = try await place(for: request)
        var response = try await TaskOwners.adding(queue) { try await base.perform(request, in: call) }
        if response.source == .network, let reset = response.head.rateLimitReset {
            lines.pause(request.url.origin, for: reset)
        }
        response.body = response.body.keeping(place)
        return response
    }

    /// Waits until a request may start: in the queue and, while a rate limit of its origin is used up, in the origin's
    /// line.
    ///
    /// - Returns: The place of the request, which is free again when this is released.
    /// - Throws: `CancellationError` if the task is cancelled.
    private func place(for request: HTTPRequest) async throws -> OnRelease {
        // A request joins its line while it has the turn in the queue, so that the requests of a line keep their order.
        switch try await queue.start(at: queue.join(), unlessWaitingAt: { lines.join(for: request) }) {
        case .starting(let place): return place
        case .waiting(let position): return try await place(after: position)
        }
    }

    /// Waits in a line, and then for a place in the queue.
    private func place(after position: OriginLines.Position) async throws -> OnRelease {
        defer { lines.leave(position.origin) }
        let line = position.line
        // The first one in line keeps its turn there until it has a place in the queue, so that the order is kept.
        let turn = try await line.start(at: position.number)
        defer { withExtendedLifetime(turn) {} }
        while true {
            try await line.waitForStartTime()
            // It has had its turn in the queue before, so all others that wait there have come later, and it goes
            // first. A response may have paused the line while it has waited for the place.
            let start = try await queue.start(at: queue.join(first: true)) { line.isPaused ? position : nil }
            if case .starting(let place) = start { return place }
        }
    }
}
