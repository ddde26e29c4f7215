public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that sends a request again after a transient failure: a lost connection, or a status such as
    /// 503.
    ///
    /// ```swift
    /// let client = URLSession.api.retrying(.backoff(attempts: 5))
    /// ```
    ///
    /// An endpoint whose operation needs other attempts or statuses than the policy sets ``RequestOptions/retries``.
    ///
    /// A request is repeated only if that cannot repeat its effect: ``RetryPolicy/isIdempotent``. A response that the
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

    /// Sends a request until the policy accepts the result or no attempt is left, with pauses in between.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        balance?.addRequest()
        let isRepeatable = policy.isIdempotent(request)
        let count = AttemptCount(limit: policy.attempts(for: request))
        // If an attempt may be repeated, only the beginning of its response's body is kept.
        let inner = decidingOnResends(of: request, in: call, isRepeatable: isRepeatable, count).replacing {
            [policy] head in
            isRepeatable && count.hasMore && policy.isTemporary(head, to: request, in: call)
        }
        while isRepeatable, count.hasMore {
            switch try await perform(request, in: inner, count) {
            case .returning(let response): return response
            case .retrying(let pause): try await call.clock.sleep(for: pause)
            }
            count.add()
        }
        // The result of the last attempt is final.
        return try await base.perform(request, in: inner)
    }

    /// Returns the call with the policy's decision on whether the engine sends the request again by itself, over a new
    /// connection.
    ///
    /// This counts as an attempt, but is not taken from the budget, since a closed connection does not mean that the
    /// server is down. It needs no pause.
    private func decidingOnResends(
        of request: HTTPRequest, in call: Call, isRepeatable: Bool, _ count: AttemptCount
    ) -> Call {
        call.resending(
            if: { [policy] resend in
                // What the server has not processed can be sent again, whatever it does.
                guard isRepeatable || resend.isRefused, count.hasMore else { return false }
                return policy.shouldRetry(policy.attempt(count.value, at: request, in: call, error: resend.error))
            },
            // To the clients around this one, all attempts are one request.
            notifiesOuterClients: false,
            then: { _ in count.add() })
    }

    private enum Step {
        case returning(HTTPResponse)
        case retrying(after: Duration)
    }

    /// Sends a request once, and decides whether to retry.
    ///
    /// This is a function of its own so that a response that is not returned is released before the pause, together
    /// with its connection and its place in a limited client.
    private func perform(_ request: HTTPRequest, in call: Call, _ count: AttemptCount) async throws -> Step {
        let response: HTTPResponse
        do {
            response = try await base.perform(request, in: call)
        } catch {
            guard policy.decides(about: error), mayRetry(count) else { throw error }
            let attempt = policy.attempt(count.value, at: request, in: call, error: error)
            guard let pause = spendRetry(after: attempt) else { throw error }
            return .retrying(after: pause)
        }
        guard policy.decides(about: response, in: call), mayRetry(count) else { return .returning(response) }
        let attempt = policy.attempt(count.value, at: request, in: call, response: response)
        guard let pause = spendRetry(after: attempt) else { return .returning(response) }
        return .retrying(after: pause)
    }

    private func mayRetry(_ count: AttemptCount) -> Bool { count.hasMore && !Task.isCancelled }

    /// Decides whether to retry after an attempt and, if so, takes the retry from the budget.
    ///
    /// - Returns: The pause before the next attempt. Nil if there is no retry: the policy does not want one, the server
    ///   asks for a pause above the limit, the deadline would pass during the pause, or the budget is used up.
    private func spendRetry(after attempt: RetryPolicy.Attempt) -> Duration? {
        guard policy.shouldRetry(attempt) else { return nil }
        let requested = attempt.response?.head.retryAfter ?? .zero
        guard requested <= max(policy.retryAfterLimit, .zero) else { return nil }
        let backoff = policy.jitter(policy.backoff(after: attempt.number)).clampedForSleep
        let pause = max(backoff, requested)
        if let timeLeft = attempt.call.timeLeft, pause >= timeLeft { return nil }
        // The budget is last, so that no retry is taken from it for an attempt that is not made.
        if let balance, !balance.takeRetry() { return nil }
        return pause
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

/// The number of retries that the budget has left.
///
/// It counts millionths of a retry. As a sum of binary fractions, ten times 0.1 would be less than one retry.
private final class RetryBalance: Sendable {
    private static let retry: Int64 = 1_000_000

    /// The millionths that each request adds.
    private let ratio: Int64
    private let capacity: Int64
    private let saved: Locked<Int64>

    init(_ budget: RetryPolicy.Budget) {
        // The upper limits keep the sums far below an overflow.
        ratio = budget.ratio > 0 ? Int64((min(budget.ratio, 1e9) * Double(Self.retry)).rounded()) : 0
        capacity = Int64(min(max(budget.capacity, 1), 1_000_000_000)) * Self.retry
        saved = Locked(capacity)
    }

    /// Adds the share of a retry that each request earns.
    func addRequest() {
        saved.withLock { $0 = min($0 + ratio, capacity) }
    }

    /// Takes one retry; returns false if less than one is left.
    func takeRetry() -> Bool {
        saved.withLock { saved in
            guard saved >= Self.retry else { return false }
            saved -= Self.retry
            return true
        }
    }
}
