import APIKitCore
import APIKitSupport

/// Decides whether a private cache may store and use one response, by the rules of RFC 9111.
///
/// Section numbers without an RFC refer to RFC 9111. Times are in seconds.
struct CachePolicy: Sendable {
    /// The time for which the response is fresh, from its creation (4.2.1).
    let lifetime: Double
    /// The age of the response when it arrived (4.2.3).
    private let initialAge: Double
    private let responseTime: Date
    /// Whether the server must confirm the response before each use (5.2.2.4). `no-cache="field"` counts as `no-cache`.
    private let needsValidation: Bool
    /// Whether a stale response must not be used without a confirmation (5.2.2.2).
    private let mustRevalidate: Bool
    /// The time for which a stale response may replace an error (RFC 5861, section 4).
    private let staleIfError: Double?

    /// Reads how long a response is fresh, and which restrictions its headers state.
    ///
    /// - Parameters:
    ///   - head: The response, with headers as they were received.
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the response arrived.
    ///   - heuristicFraction: How long a response that states no lifetime is fresh, as a fraction of the time between
    ///     its last modification and its creation.
    init(_ head: HTTPResponse.Head, requestTime: Date, responseTime: Date, heuristicFraction: Double) {
        let control = CacheControl(head.headers)
        // A response without a valid date was created when it arrived (RFC 9110, section 6.6.1).
        let date = head.date(of: .date) ?? responseTime
        let statedAge = head.headers[.age]?.listElements.first.flatMap { String($0).deltaSeconds } ?? 0
        let transferTime = max(responseTime.timeIntervalSince(requestTime), 0)
        initialAge = max(responseTime.timeIntervalSince(date), statedAge + transferTime)
        self.responseTime = responseTime
        needsValidation = control.contains("no-cache")
        mustRevalidate = control.contains("must-revalidate")
        staleIfError = control.seconds("stale-if-error")
        if let seconds = control.seconds("max-age") {
            lifetime = seconds
        } else if head.headers[.expires] != nil {
            // An invalid date, most often `0`, counts as one in the past (5.3).
            lifetime = head.date(of: .expires)?.timeIntervalSince(date) ?? 0
        } else if let modified = head.date(of: .lastModified),
            control.contains("public") || head.isHeuristicallyCacheable
        {
            let ageOfContent = max(date.timeIntervalSince(modified), 0)
            lifetime = min(ageOfContent * heuristicFraction, 86_400)  // 4.2.2
        } else {
            lifetime = 0
        }
    }

    /// Whether a private cache may store the response to a GET (section 3).
    static func allowsStoring(_ head: HTTPResponse.Head) -> Bool {
        let isFinalAndWhole = 200..<600 ~= head.status && head.status != 206 && head.status != 304
        guard isFinalAndWhole, head.variesBy != nil else { return false }
        let control = CacheControl(head.headers)
        if control.contains("no-store") { return false }
        if head.isHeuristicallyCacheable || head.headers[.expires] != nil { return true }
        return ["public", "private", "max-age"].contains(where: control.contains)
    }

    /// The age at a time (4.2.3).
    ///
    /// If the clock was set back by more than a minute, the age cannot be measured and is infinite, so that the server
    /// is asked. A smaller change may be a correction by a time server and counts as no time.
    func age(at now: Date) -> Double {
        let residentTime = now.timeIntervalSince(responseTime)
        if residentTime < -60 { return .infinity }
        return initialAge + max(residentTime, 0)
    }

    /// Whether the response may be used without asking the server (section 4), with regard to the directives of the
    /// request (5.2.1).
    func allowsUse(by request: CacheControl, at now: Date) -> Bool {
        if needsValidation || request.contains("no-cache") { return false }
        let age = age(at: now)
        if let maxAge = request.seconds("max-age"), age > maxAge { return false }
        let staleness = age - lifetime
        if let minFresh = request.seconds("min-fresh"), staleness + minFresh > 0 { return false }
        return staleness < 0 || allowsStaleness(staleness, by: request)
    }

    /// Whether the request accepts a response that became stale this many seconds ago, by `max-stale`, and the response
    /// permits its use without a confirmation.
    private func allowsStaleness(_ staleness: Double, by request: CacheControl) -> Bool {
        guard !mustRevalidate, let maxStale = request.seconds("max-stale", withoutArgument: .infinity) else {
            return false
        }
        return staleness <= maxStale
    }

    /// Whether the response may be used in place of an error of the server (4.2.4; RFC 5861, section 4).
    func allowsUseOnError(by request: CacheControl, at now: Date) -> Bool {
        if needsValidation || request.contains("no-cache") { return false }
        let staleness = age(at: now) - lifetime
        let isStale = staleness >= 0
        if mustRevalidate, isStale { return false }
        let limits = [staleIfError, request.seconds("stale-if-error")].compactMap { $0 }
        return limits.contains { staleness <= $0 }
    }
}

extension HTTPResponse.Head {
    /// Whether the status alone allows a cache to store the response (RFC 9110, section 15.1).
    fileprivate var isHeuristicallyCacheable: Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// The request headers that the response depends on, in lower case and sorted; nil if it depends on more (RFC 9110,
    /// section 12.5.5).
    var variesBy: [String]? {
        guard let text = headers[.vary] else { return [] }
        var names: [String] = []
        for element in text.listElements where !element.isEmpty { names.append(element.lowercased()) }
        guard !names.contains("*") else { return nil }
        return names.sortedAndUnique
    }

    fileprivate func date(of name: HTTPHeaders.Name) -> Date? {
        headers[name].flatMap { Date(httpDate: $0) }
    }
}
