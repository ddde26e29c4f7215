public import APIKitCore
import APIKitSupport

/// Decides when a request is sent again, how often, and after which pauses.
///
/// ```swift
/// var policy = RetryPolicy.backoff(attempts: 6, maximumDelay: .seconds(60))
/// policy.shouldRetry = { attempt in
///     guard let head = attempt.response?.head, head.status == 403 else {
///         return attempt.isTemporary
///     }
///     return attempt.isTemporary || head.retryAfter != nil
/// }
/// ```
///
/// A request's ``RequestOptions/retries`` replace ``attempts`` and ``statuses`` for that request. Whatever the closures
/// return, no request is sent more often than these attempts allow. An engine's own retry, after a
/// kept connection was closed or the server has refused the request without processing it, is subject to the same
/// rules: it counts as an attempt, and takes place only if ``shouldRetry`` allows it. But it comes without a pause, and
/// does not count towards the ``budget``.
public struct RetryPolicy: Sendable {
    /// The most times that a request is sent, the first one included; less than 1 counts as 1. For a request whose
    /// ``RequestOptions/retries`` have attempts, these count instead.
    public var attempts: Int
    /// The longest pause after the first attempt; it doubles with each further one. Negative counts as zero.
    public var initialDelay: Duration
    /// The maximum backoff. A server that asks for a longer one gets it, up to ``retryAfterLimit``.
    public var maximumDelay: Duration
    /// The pause for a backoff; by default a random time from zero to the backoff (full jitter).
    public var jitter: @Sendable (Duration) -> Duration
    /// The longest pause that a server may ask for, 60 seconds by default. If it asks for more, its response is
    /// returned at once.
    public var retryAfterLimit = Duration.seconds(60)
    /// The share of all requests that may be sent again; nil for any number.
    public var budget: Budget? = Budget()
    /// The transient statuses: by default 408, 425, 429, 500, 502, 503, 504, and 529, which some APIs send when they
    /// are overloaded. A response with `X-Should-Retry: true` is transient too, whatever its status, and one with
    /// `false` is not. For a request whose ``RequestOptions/retries`` have statuses, these count instead.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504, 529]
    /// The transient failures: by default `cannotConnect`, `nameNotResolved`, `timedOut` and `connectionLost`. An
    /// untrusted certificate, for example, is not transient.
    public var failures: Set<TransportError.Code> = TransportError.Code.transient
    /// Whether a request may be sent more than once: by default ``HTTPRequest/isIdempotent``.
    ///
    /// Of any other request, such as a POST, the server may have done what it asks for even if no response arrived.
    /// A request that may not be repeated is sent once, whatever fails, unless the server has refused it without
    /// processing it (RFC 9113, section 8.7).
    public var isIdempotent: @Sendable (HTTPRequest) -> Bool = { $0.isIdempotent }
    /// Whether to send a request again after an attempt: by default if ``Attempt/isTemporary``.
    ///
    /// Called while attempts are left, for requests that are repeatable or were refused without being processed: for
    /// errors, also before an engine sends again by itself, and for all responses from the network but redirects. A
    /// response that the endpoint accepts is among them, since some servers report a failure under a 200:
    ///
    /// ```swift
    /// policy.shouldRetry = {
    ///     $0.isTemporary || $0.response?.head.contentType?.essence == "text/html"
    /// }
    /// ```
    ///
    /// If the request is sent again, the response is released, with its stream or file.
    public var shouldRetry: @Sendable (Attempt) -> Bool {
        get { ownDecision ?? { $0.isTemporary } }
        set { ownDecision = newValue }
    }
    /// The closure that ``shouldRetry`` was set to; nil if it has its default, which never retries a success. Then the
    /// client need not ask about successes.
    private var ownDecision: (@Sendable (Attempt) -> Bool)?

    init(
        attempts: Int, initialDelay: Duration, maximumDelay: Duration,
        jitter: @escaping @Sendable (Duration) -> Duration
    ) {
        self.attempts = attempts
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.jitter = jitter
    }

    /// Exponential backoff with full jitter: each pause is a random time up to one that doubles.
    ///
    /// - Parameters:
    ///   - attempts: How often a request is sent at most, the first time included.
    ///   - initialDelay: The longest pause after the first attempt.
    ///   - maximumDelay: The maximum backoff.
    ///   - jitter: Returns the pause for a backoff.
    /// - Returns: The policy, whose further settings are properties.
    public static func backoff(
        attempts: Int = 4, initialDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(30),
        jitter: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0...1) }
    ) -> RetryPolicy {
        RetryPolicy(attempts: attempts, initialDelay: initialDelay, maximumDelay: maximumDelay, jitter: jitter)
    }
}

extension RetryPolicy {
    /// A limit on a client's retries, so that they do not multiply the load of a server that is down.
    ///
    /// Each request that passes through the client earns a share of a retry. What is earned is saved up to the
    /// capacity, and all of that is saved at the start. A retry for which too little is saved is not sent: the caller
    /// gets the failure.
    public struct Budget: Sendable, Hashable {
        /// The retries that a request earns, 0.2 by default: if every request fails, 20 % more are sent.
        /// Negative or not a number counts as zero.
        public var ratio: Double
        /// The most retries that can be saved, 10 by default; less than 1 counts as 1.
        public var capacity: Int

        /// Creates a budget.
        public init(ratio: Double = 0.2, capacity: Int = 10) {
            self.ratio = ratio
            self.capacity = capacity
        }
    }

    /// One sending of a request, and its response or error.
    public struct Attempt: Sendable {
        /// The request.
        public let request: HTTPRequest
        /// The call that it was sent for.
        public let call: Call
        /// The number of times that the request has been sent, this attempt included.
        public let number: Int
        /// The response, nil if none arrived. Its body is in memory unless the endpoint accepts it as a stream or file.
        public let response: HTTPResponse?
        /// The error, if no response arrived.
        public let error: (any Error)?
        /// Whether the failure is transient: the policy's ``RetryPolicy/failures`` or the statuses for this request
        /// list it, or its response has `X-Should-Retry: true`. A response that the endpoint accepts is not a failure.
        public let isTemporary: Bool
    }
}

// MARK: - For the client

extension RetryPolicy {
    /// How often a request is sent at most.
    func attempts(for request: HTTPRequest) -> Int {
        request.options.retries?.attempts ?? attempts
    }

    /// Whether a response to a request is a transient failure.
    func isTemporary(_ head: HTTPResponse.Head, to request: HTTPRequest, in call: Call) -> Bool {
        guard isFailure(head, in: call) else { return false }
        if let shouldRetry = head.shouldRetry { return shouldRetry }
        let statuses = request.options.retries?.statuses ?? statuses
        return statuses.contains(head.status)
    }

    /// Whether ``shouldRetry`` is asked about a response.
    func decides(about response: HTTPResponse, in call: Call) -> Bool {
        // A response from a cache, such as its own 504, would be the same the next time.
        guard response.source == .network else { return false }
        if isFailure(response.head, in: call) { return true }
        // The default never retries a success, so only a closure that the user has set is asked about one.
        return ownDecision != nil && call.isSuccess(response.head)
    }

    /// Whether ``shouldRetry`` is asked about an error.
    func decides(about error: any Error) -> Bool {
        !(error is CancellationError || error is Call.Cancellation)
    }

    /// An attempt that ended with a response.
    func attempt(_ number: Int, at request: HTTPRequest, in call: Call, response: HTTPResponse) -> Attempt {
        Attempt(
            request: request, call: call, number: number, response: response, error: nil,
            isTemporary: isTemporary(response.head, to: request, in: call))
    }

    /// An attempt that ended with an error.
    func attempt(_ number: Int, at request: HTTPRequest, in call: Call, error: any Error) -> Attempt {
        var isTemporary = false
        if let code = TransportError.code(of: error) { isTemporary = failures.contains(code) }
        return Attempt(
            request: request, call: call, number: number, response: nil, error: error, isTemporary: isTemporary)
    }

    /// The backoff after an attempt: the initial delay, doubled for each attempt before this one, up to the maximum. It
    /// does not include the pause that the server asks for.
    package func backoff(after number: Int) -> Duration {
        let limit = maximumDelay.clampedForSleep
        var backoff = min(initialDelay.clampedForSleep, limit)
        for _ in 1..<max(number, 1) {
            // Further doublings change nothing, and could overflow.
            guard backoff > .zero, backoff < limit else { break }
            backoff = min(backoff * 2, limit)
        }
        return backoff
    }

    private func isFailure(_ head: HTTPResponse.Head, in call: Call) -> Bool {
        head.status >= 400 && !call.isSuccess(head)
    }
}

extension HTTPResponse.Head {
    /// The value of `X-Should-Retry`; nil without a valid one.
    fileprivate var shouldRetry: Bool? { headers["X-Should-Retry"].flatMap { Bool($0) } }
}
