public import APIKitCore

extension APIClient {
    /// Returns a client that sends a request again after a transient failure: a lost connection, or a status such as
    /// 503.
    ///
    /// ```swift
    /// let client = URLSession.api.retrying(.backoff(attempts: 5))
    /// ```
    ///
    /// A request is repeated only if that cannot repeat its effect: ``RetryPolicy/isRepeatable``. A response that the
    /// endpoint accepts is requested again only if ``RetryPolicy/shouldRetry`` says so, and never once it was returned:
    /// the caller handles a stream that breaks later. The caller gets the last response or error, unchanged; but while
    /// attempts are left, at most 64 KiB of the body of a transient status are received.
    ///
    /// The pause before a retry is random, up to the policy's backoff, and at least what the server asks for
    /// (``HTTPResponse/Head/retryAfter``). If the pause would exceed ``RetryPolicy/retryAfterLimit`` or the time left
    /// until ``RequestOptions/deadline``, the caller gets the failure at once. Cancelling ends a pause at once.
    ///
    /// - Parameter policy: What is repeated, how often, and after which pauses.
    /// - Returns: The client. Its budget is shared by its copies.
    public func retrying(_ policy: RetryPolicy = .backoff()) -> some APIClient {
        RetryingClient(base: self, policy: policy, balance: policy.budget.map(RetryBalance.init))
    }
}

private struct RetryingClient: WrappingClient {
    let base: any APIClient
    let policy: RetryPolicy
    let balance: RetryBalance?

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        balance?.earn()
        let count = AttemptCount(limit: policy.isRepeatable(request) ? policy.attempts : 1)
        let inner = call.counting(in: count).replacing { [policy] head in
            count.hasMore && policy.isTemporary(head, in: call)
        }
        while count.hasMore {
            switch try await perform(request, in: inner, count) {
            case .returning(let response): return response
            case .retrying(let pause): try await call.clock.sleep(for: pause)
            }
            count.add()
        }
        return try await base.perform(request, in: inner)
    }

    private enum Step {
        case returning(HTTPResponse)
        case retrying(after: Duration)
    }

    /// Sends a request once. A response that is not returned is released before the pause, with what it occupies.
    private func perform(_ request: HTTPRequest, in call: Call, _ count: AttemptCount) async throws -> Step {
        let response: HTTPResponse
        do {
            response = try await base.perform(request, in: call)
        } catch {
            guard policy.decides(about: error), mayRetry(count) else { throw error }
            let attempt = policy.attempt(count.value, at: request, in: call, error: error)
            guard let pause = pause(after: attempt) else { throw error }
            return .retrying(after: pause)
        }
        guard policy.decides(about: response, in: call), mayRetry(count) else { return .returning(response) }
        let attempt = policy.attempt(count.value, at: request, in: call, response: response)
        guard let pause = pause(after: attempt) else { return .returning(response) }
        return .retrying(after: pause)
    }

    private func mayRetry(_ count: AttemptCount) -> Bool { count.hasMore && !Task.isCancelled }

    /// The pause before the next attempt; nil if there is none.
    private func pause(after attempt: RetryPolicy.Attempt) -> Duration? {
        guard policy.shouldRetry(attempt) else { return nil }
        let requested = attempt.response?.head.retryAfter ?? .zero
        guard requested <= max(policy.retryAfterLimit, .zero) else { return nil }
        let backoff = policy.jitter(policy.backoff(after: attempt.number)).clampedForSleep
        let pause = max(backoff, requested)
        if let timeLeft = attempt.call.timeLeft, pause >= timeLeft { return nil }
        if let balance, !balance.spend() { return nil }
        return pause
    }
}

extension Call {
    /// The same call, in which an engine's own repetition, over a new connection, is an attempt too. It costs nothing
    /// of the budget, since it does not mean that the server is down.
    fileprivate func counting(in count: AttemptCount) -> Call {
        resending { _ in
            guard count.hasMore else { return false }
            count.add()
            return true
        }
    }
}

/// The number of times that a request has been sent, the current attempt included.
private final class AttemptCount: Sendable {
    private let limit: Int
    private let count = Locked(1)

    init(limit: Int) {
        self.limit = limit
    }

    var value: Int { count.withLock { $0 } }
    var hasMore: Bool { value < limit }

    func add() {
        count.withLock { $0 += 1 }
    }
}

/// The number of retries left, in millionths: sums of binary fractions would miss whole retries.
private final class RetryBalance: Sendable {
    private static let retry: Int64 = 1_000_000

    private let ratio: Int64
    private let capacity: Int64
    private let saved: Locked<Int64>

    init(_ budget: RetryPolicy.Budget) {
        ratio = budget.ratio > 0 ? Int64((min(budget.ratio, 1e9) * Double(Self.retry)).rounded()) : 0
        capacity = Int64(min(max(budget.capacity, 1), 1_000_000_000)) * Self.retry
        saved = Locked(capacity)
    }

    func earn() {
        saved.withLock { $0 = min($0 + ratio, capacity) }
    }

    /// Takes one retry, if there is one.
    func spend() -> Bool {
        saved.withLock { saved in
            guard saved >= Self.retry else { return false }
            saved -= Self.retry
            return true
        }
    }
}
