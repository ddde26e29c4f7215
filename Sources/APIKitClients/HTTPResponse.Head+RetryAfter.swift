public import APIKitCore
import APIKitSupport

extension HTTPResponse.Head {
    /// The pause that the server asks for before the next request, if any.
    ///
    /// It is read as of the response's own `Date`, so that a wrong device clock does not matter; without a `Date`, as
    /// of now. See ``retryAfter(now:)``.
    public var retryAfter: Duration? { retryAfter(now: date) }

    /// The pause that the server asks for before the next request, as of a given time, if any.
    ///
    /// This is `Retry-After-Ms`, in milliseconds, or else `Retry-After`, in whole seconds or as an HTTP date (RFC 9110,
    /// section 10.2.3), or else the time until a rate limit that is used up is reset. `RateLimit`
    /// (draft-ietf-httpapi-ratelimit-headers) has it for each limit: `"hour";r=0;t=50`. `RateLimit-Reset` and
    /// `X-RateLimit-Reset` count if `RateLimit-Remaining` or `X-RateLimit-Remaining` is 0, or if neither is there and
    /// the status is 429. Their value is in seconds; a number from 1,000,000,000 is a Unix time.
    ///
    /// A time in the past is zero; more than 2³¹ seconds (68 years) are 2³¹ seconds; an invalid value is ignored.
    public func retryAfter(now: Date) -> Duration? {
        if let text = headers["Retry-After-Ms"], let milliseconds = DelayText.seconds(text) {
            return DelayText.duration(milliseconds / 1000)
        }
        if let text = headers[.retryAfter], let seconds = Self.secondsOfRetryAfter(text, now: now) {
            return DelayText.duration(seconds)
        }
        return rateLimitReset(now: now)
    }

    /// The time until a used-up rate limit is reset, as of the response's own `Date`; nil if no limit is used up.
    var rateLimitReset: Duration? { rateLimitReset(now: date) }

    private var date: Date {
        if let text = headers[.date], let date = Date(httpDate: text) { return date }
        return Date()
    }

    /// Reads `Retry-After`: whole seconds, or an HTTP date as the seconds from a time on; nil for any other text.
    private static func secondsOfRetryAfter(_ text: String, now: Date) -> Double? {
        let isFraction = text.utf8.contains(UInt8(ascii: "."))
        if isFraction { return nil }
        if let seconds = DelayText.seconds(text) { return seconds }
        return Date(httpDate: text, now: now)?.timeIntervalSince(now)
    }

    /// The time until a used-up rate limit is reset, as of a given time; of several limits, the longest one.
    private func rateLimitReset(now: Date) -> Duration? {
        var longest: Double?
        for value in headers.values(for: "RateLimit") {
            for limit in RateLimit.limits(in: value) {
                guard let seconds = limit.secondsUntilReset else { continue }
                longest = max(seconds, longest ?? seconds)
            }
        }
        if let longest { return DelayText.duration(longest) }
        return resetOfSeparateHeaders(now: now)
    }

    /// The time until the reset, for an API that sends one header for each number instead of `RateLimit`; nil if its
    /// limit is not used up. Without a number of remaining requests, only the status 429 says that it is.
    private func resetOfSeparateHeaders(now: Date) -> Duration? {
        let isUsedUp: Bool
        if let remaining = headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"] {
            isUsedUp = DelayText.seconds(remaining) == 0
        } else {
            isUsedUp = status == 429
        }
        guard isUsedUp, let text = headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"],
            let reset = DelayText.seconds(text)
        else { return nil }
        // As a Unix time, 1e9 is in the year 2001; as a number of seconds, it is 31 years.
        let isUnixTime = reset >= 1e9
        return DelayText.duration(isUnixTime ? reset - now.timeIntervalSince1970 : reset)
    }
}

/// Reads the delays in headers.
private enum DelayText {
    /// Reads a number of ASCII digits. A fraction is allowed, since some rate limits have one.
    @inline(never)
    static func seconds(_ text: String) -> Double? {
        let digits = text.trimmingSpaces()
        guard digits.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(digits)
    }

    /// A pause from zero to 2³¹ seconds; nil for NaN.
    static func duration(_ seconds: Double) -> Duration? {
        guard !seconds.isNaN else { return nil }
        return .seconds(min(max(seconds, 0), Double(Int64(1) << 31)))
    }
}

/// One limit of a `RateLimit` header, such as `"hour";r=0;t=50` (draft-ietf-httpapi-ratelimit-headers, section 4): an
/// item of a structured field with parameters (RFC 9651).
private struct RateLimit {
    /// The number of remaining requests.
    private var remaining: Double?
    /// The seconds until the limit is reset.
    private var reset: Double?

    /// The limits in the value of a header.
    static func limits(in value: String) -> [RateLimit] {
        Array(value.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")).map(RateLimit.init)
    }

    /// The seconds until this limit is no longer used up; nil if it is not.
    var secondsUntilReset: Double? { remaining == 0 ? reset : nil }

    /// Reads the parameters `r` and `t` of a limit, such as `"hour";r=0;t=50`. Others are ignored.
    private init(_ item: ArraySlice<UInt8>) {
        let parameters = item.splitOutsideQuotes(at: UInt8(ascii: ";")).dropFirst()
        for parameter in parameters {
            // If a parameter appears more than once, the last one counts (RFC 9651, section 4.2.3.2).
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let number = parts.count == 2 ? DelayText.seconds(String(decoding: parts[1], as: UTF8.self)) : nil
            switch String(decoding: parts[0], as: UTF8.self).trimmingSpaces() {
            case "r": remaining = number
            case "t": reset = number
            default: break
            }
        }
    }
}
