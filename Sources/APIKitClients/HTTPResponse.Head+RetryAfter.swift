public import APIKitCore

extension HTTPResponse.Head {
    /// How long the server asks to wait before the next request; nil if it does not say.
    ///
    /// It is read as of the response's own `Date`, so that a wrong device clock does not matter; without a `Date`, as
    /// of now. See ``retryAfter(now:)``.
    public var retryAfter: Duration? {
        retryAfter(now: headers[.date].flatMap { Date(httpDate: $0) } ?? Date())
    }

    /// How long the server asks to wait before the next request, as of a given time; nil if it does not say.
    ///
    /// This is `Retry-After-Ms`, in milliseconds, or else `Retry-After`, in whole seconds or as an HTTP date (RFC 9110,
    /// section 10.2.3), or else `RateLimit-Reset` or `X-RateLimit-Reset`. These name the start of the next window of a
    /// rate limit, so they count only if the limit is used up: if `RateLimit-Remaining` or `X-RateLimit-Remaining` is
    /// 0, or if neither is there and the status is 429. Their value is in seconds; a number from 1,000,000,000 is a
    /// Unix time.
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
        let remaining = headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"]
        guard remaining.map({ Self.seconds($0) == 0 }) ?? (status == 429),
            let reset = (headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"]).flatMap(Self.seconds)
        else { return nil }
        return Self.duration(reset < 1e9 ? reset : reset - now.timeIntervalSince1970)
    }

    /// A number of ASCII digits; some rate limits have a fraction.
    private static func seconds(_ text: String) -> Double? {
        let text = text.trimmingSpaces()
        return text.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } ? Double(text) : nil
    }

    private static func duration(_ seconds: Double) -> Duration? {
        seconds.isNaN ? nil : .seconds(min(max(seconds, 0), Double(Int64(1) << 31)))
    }
}
