import APIKitCore

/// What a private cache may do with one response, by the rules of RFC 9111, to which the sections refer. Times are in
/// seconds.
struct CachePolicy: Sendable, Hashable {
    /// The time for which the response is fresh, from its creation (4.2.1).
    let lifetime: Double
    /// The age of the response when it arrived (4.2.3).
    private let initialAge: Double
    private let responseTime: Date
    /// Whether each use needs a confirmation (5.2.2.4). `no-cache="field"` counts as `no-cache`.
    private let needsValidation: Bool
    /// Whether no use of a stale response is allowed (5.2.2.2).
    private let mustRevalidate: Bool
    /// The time for which a stale response may replace an error (RFC 5861, section 4).
    private let staleIfError: Double?

    /// - Parameters:
    ///   - head: The response, with headers as they were received.
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the response arrived.
    ///   - heuristicFraction: The part of its age at creation for which a response is fresh if it does not say how
    ///     long.
    init(_ head: HTTPResponse.Head, requestTime: Date, responseTime: Date, heuristicFraction: Double) {
        let control = CacheControl(head.headers)
        // A response without a valid date was created when it arrived (RFC 9110, section 6.6.1).
        let date = head.headers[.date].flatMap { Date(httpDate: $0) } ?? responseTime
        let firstAge = head.headers[.age]?.listElements.first.map(String.init)
        let ageOnArrival = (firstAge?.deltaSeconds ?? 0) + max(responseTime.timeIntervalSince(requestTime), 0)
        initialAge = max(responseTime.timeIntervalSince(date), ageOnArrival)
        self.responseTime = responseTime
        needsValidation = control.contains("no-cache")
        mustRevalidate = control.contains("must-revalidate")
        staleIfError = control.seconds("stale-if-error")
        if let seconds = control.seconds("max-age") {
            lifetime = seconds
        } else if let expires = head.headers[.expires] {
            // An invalid date, `0` above all, is in the past (5.3).
            lifetime = Date(httpDate: expires).map { $0.timeIntervalSince(date) } ?? 0
        } else if control.contains("public") || head.isHeuristicallyCacheable,
            let modified = head.headers[.lastModified].flatMap({ Date(httpDate: $0) })
        {
            lifetime = min(max(date.timeIntervalSince(modified), 0) * heuristicFraction, 86_400)  // 4.2.2
        } else {
            lifetime = 0
        }
    }

    /// Whether a private cache may store the response to a GET (section 3).
    static func allowsStoring(_ head: HTTPResponse.Head) -> Bool {
        let control = CacheControl(head.headers)
        let isFinalAndWhole = 200..<600 ~= head.status && head.status != 206 && head.status != 304
        let isCacheable =
            head.isHeuristicallyCacheable || head.headers[.expires] != nil
            || ["public", "private", "max-age"].contains(where: control.contains)
        return isFinalAndWhole && isCacheable && !control.contains("no-store") && head.variesBy != nil
    }

    /// The age now (4.2.3). A clock that was set back by more than a minute cannot measure it.
    func age(at now: Date) -> Double {
        let residentTime = now.timeIntervalSince(responseTime)
        return residentTime < -60 ? .infinity : initialAge + max(residentTime, 0)
    }

    /// Whether the response may be used without asking the server (section 4, and 5.2.1 for the request's directives).
    func allowsUse(by request: CacheControl, at now: Date) -> Bool {
        guard !needsValidation, !request.contains("no-cache") else { return false }
        let age = age(at: now)
        let staleness = age - lifetime
        let maxStale = mustRevalidate ? nil : request.seconds("max-stale", withoutArgument: .infinity)
        return age <= request.seconds("max-age") ?? .infinity
            && (staleness < 0 || staleness <= maxStale ?? -.infinity)
            && request.seconds("min-fresh").map { staleness + $0 <= 0 } ?? true
    }

    /// Whether the response may be used since the server failed (4.2.4; RFC 5861, section 4).
    func allowsUseOnError(by request: CacheControl, at now: Date) -> Bool {
        let staleness = age(at: now) - lifetime
        guard !needsValidation, !request.contains("no-cache"), !mustRevalidate || staleness < 0 else { return false }
        return [staleIfError, request.seconds("stale-if-error")].contains { $0.map { staleness <= $0 } ?? false }
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
        let names = Set(text.listElements.map { $0.lowercased() }).subtracting([""])
        return names.contains("*") ? nil : names.sorted()
    }
}
