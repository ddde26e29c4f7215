public import APIKitCore

/// Decides when a request is sent again, how often, and after which pauses.
///
/// ```swift
/// var policy = RetryPolicy.backoff(attempts: 6, maximumDelay: .seconds(60))
/// policy.shouldRetry = { attempt in
///     attempt.isTemporary || attempt.response?.head.status == 403 && attempt.response?.head.retryAfter != nil
/// }
/// ```
///
/// Whatever the closures return, no request is sent more often than ``attempts`` allows. An engine's retry after a kept
/// connection was closed counts as an attempt, but not towards the ``budget``.
public struct RetryPolicy: Sendable {
    /// The most times that a request is sent, the first one included; less than 1 counts as 1.
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
    /// `false` is not.
    public var statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504, 529]
    /// The transient failures: by default `cannotConnect`, `nameNotResolved`, `timedOut` and `connectionLost`. An
    /// untrusted certificate, for example, is not transient.
    public var failures: Set<TransportError.Code> = TransportError.Code.transient
    /// Whether a request may be sent more than once: by default ``HTTPRequest/isRepeatable``.
    ///
    /// Of any other request, such as a POST, the server may have done what it asks for even if no response arrived.
    /// A request that may not be repeated is sent once, whatever fails.
    public var isRepeatable: @Sendable (HTTPRequest) -> Bool = { $0.isRepeatable }
    /// Whether to send a request again after an attempt has failed: by default if ``Attempt/isTemporary``.
    ///
    /// A failure is an error, or a status from 400 that the endpoint does not accept. Called only for requests that are
    /// repeatable.
    public var shouldRetry: @Sendable (Attempt) -> Bool = { $0.isTemporary }

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

    /// A request that was sent and failed.
    public struct Attempt: Sendable {
        /// The request.
        public let request: HTTPRequest
        /// The call that it was sent for.
        public let call: Call
        /// The number of times that the request has been sent, this attempt included.
        public let number: Int
        /// The response with a status that the endpoint does not accept, nil if none arrived.
        public let response: HTTPResponse?
        /// The error, if no response arrived.
        public let error: (any Error)?
        /// Whether the policy's ``RetryPolicy/statuses`` or ``RetryPolicy/failures`` list the failure, or its response
        /// has `X-Should-Retry: true`.
        public let isTemporary: Bool
    }
}

extension HTTPResponse.Head {
    /// The server's advice on repeating the request, if it gives any.
    fileprivate var shouldRetry: Bool? { headers["X-Should-Retry"].flatMap { Bool($0) } }
}

extension RetryPolicy {
    /// Whether a response is a transient failure.
    func isTemporary(_ head: HTTPResponse.Head, in call: Call) -> Bool {
        head.status >= 400 && !call.isSuccess(head)
            && head.shouldRetry ?? statuses.contains(head.status)
    }

    /// The attempt as the policy's closures see it; nil if it succeeded or was cancelled.
    func failure(
        of request: HTTPRequest, in call: Call, number: @autoclosure () -> Int,
        _ result: Result<HTTPResponse, any Error>
    ) -> Attempt? {
        switch result {
        case .success(let response):
            let status = response.head.status
            // A cache's own 504 would be the same again.
            guard status >= 400, response.source == .network, !call.isSuccess(response.head) else { return nil }
            return Attempt(
                request: request, call: call, number: number(), response: response, error: nil,
                isTemporary: response.head.shouldRetry ?? statuses.contains(status))
        case .failure(is CancellationError), .failure(is Cancellation): return nil
        case .failure(let error):
            let code = (error as? TransportError)?.code ?? (error as? any APIFailure)?.transportCode
            return Attempt(
                request: request, call: call, number: number(), response: nil, error: error,
                isTemporary: code.map(failures.contains) ?? false)
        }
    }

    /// The backoff after an attempt, without what the server asks for.
    func backoff(after number: Int) -> Duration {
        let limit = maximumDelay.clampedForSleep
        // No duration needs more steps than this.
        return (1..<min(max(number, 1), 128)).reduce(min(initialDelay.clampedForSleep, limit)) { wait, _ in
            min(wait * 2, limit)
        }
    }
}

extension HTTPResponse.Head {
    /// The pause that the server asks for before the next request, if any.
    ///
    /// It is read as of the response's own `Date`, so that a wrong device clock does not matter; without a `Date`, as
    /// of now. See ``retryAfter(now:)``.
    public var retryAfter: Duration? { retryAfter(now: date) }

    private var date: Date { headers[.date].flatMap { Date(httpDate: $0) } ?? Date() }

    /// How long a rate limit stays used up, as of the response's own `Date`; nil if none is.
    var rateLimitReset: Duration? { rateLimitReset(now: date) }

    /// The pause that the server asks for before the next request, as of a given time, if any.
    ///
    /// This is `Retry-After-Ms`, in milliseconds, or else `Retry-After`, in whole seconds or as an HTTP date (RFC 9110,
    /// section 10.2.3), or else what is left of the window of a rate limit that is used up. `RateLimit`
    /// (draft-ietf-httpapi-ratelimit-headers) says it for each limit: `"hour";r=0;t=50`. `RateLimit-Reset` and
    /// `X-RateLimit-Reset` count if `RateLimit-Remaining` or `X-RateLimit-Remaining` is 0, or if neither is there and
    /// the status is 429. Their value is in seconds; a number from 1,000,000,000 is a Unix time.
    ///
    /// A time in the past is zero; more than 2³¹ seconds (68 years) are 2³¹ seconds; an invalid value is ignored.
    public func retryAfter(now: Date) -> Duration? {
        if let milliseconds = headers["Retry-After-Ms"].flatMap(Self.seconds) {
            return Self.duration(milliseconds / 1000)
        }
        if let text = headers[.retryAfter] {
            let isFraction = text.utf8.contains(UInt8(ascii: "."))
            let wait = isFraction ? nil : Self.seconds(text) ?? Date(httpDate: text, now: now)?.timeIntervalSince(now)
            if let wait { return Self.duration(wait) }
        }
        return rateLimitReset(now: now)
    }

    private func rateLimitReset(now: Date) -> Duration? {
        let limits = headers.values(for: "RateLimit").flatMap(\.listElements)
        if let longest = limits.compactMap(Self.reset).max() { return Self.duration(longest) }
        let remaining = headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"]
        guard remaining.map({ Self.seconds($0) == 0 }) ?? (status == 429),
            let reset = (headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"]).flatMap(Self.seconds)
        else { return nil }
        return Self.duration(reset < 1e9 ? reset : reset - now.timeIntervalSince1970)
    }

    /// The seconds until a limit, such as `"hour";r=0;t=50`, is no longer used up; nil if it is not.
    @inline(never)
    private static func reset(of limit: Substring) -> Double? {
        func value(_ name: String) -> Double? {
            limit.split(separator: ";").dropFirst().map { $0.trimmingSpaces() }.first { $0.hasPrefix("\(name)=") }
                .flatMap { seconds(String($0.dropFirst(name.count + 1))) }
        }
        return value("r") == 0 ? value("t") : nil
    }

    /// A number of ASCII digits; some rate limits have a fraction.
    @inline(never)
    private static func seconds(_ text: String) -> Double? {
        let text = text.trimmingSpaces()
        return text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } ? Double(text) : nil
    }

    private static func duration(_ seconds: Double) -> Duration? {
        seconds.isNaN ? nil : .seconds(min(max(seconds, 0), Double(Int64(1) << 31)))
    }
}
