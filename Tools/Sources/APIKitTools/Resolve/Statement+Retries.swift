import OpenAPIRules

extension Statement {
    /// Reads how often a request is sent, and after which statuses again; nil if the value does not say it in a known
    /// way:
    ///
    ///     {"maxAttempts": 3, "retryOn": [429, 503]}               x-basecamp-retry
    ///     {"max": 3, "retry_on": [429, 503]}                      a behavior model
    ///     {"strategy": "backoff", "statusCodes": ["429", "5XX"]}  x-speakeasy-retries
    ///     {"disabled": true}                                      x-fern-retries
    mutating func retries() -> Behavior.Retries? {
        let never = Behavior.Retries(attempts: 1)
        let isDisabled = flag("disabled") == true
        let hasNoStrategy = text("strategy") == "none"
        if isDisabled || hasNoStrategy { return never }
        var retries = Behavior.Retries()
        if let attempts = number("maxAttempts", "max_attempts", "attempts", "max") {
            retries.attempts = max(attempts, 1)
        } else if let repetitions = number("maxRetries", "max_retries"), repetitions < .max {
            retries.attempts = max(repetitions, 0) + 1
        }
        retries.statuses = value(
            "retryOn", "retry_on", "statusCodes", "status_codes", "statuses", as: Self.statuses)
        return retries == Behavior.Retries() ? nil : retries
    }

    /// The statuses in a list of numbers and texts such as `429` and `5XX`; nil if it has anything else, or nothing.
    private static func statuses(_ node: Node) -> Set<Int>? {
        guard let elements = node.elements, !elements.isEmpty else { return nil }
        var statuses: Set<Int> = []
        for element in elements {
            let text: String
            switch element.content {
            case .number(let number): text = number
            case .text(let name): text = name
            default: return nil
            }
            switch ResponseStatus(text) {
            case .code(let code)? where 100...599 ~= code: statuses.insert(code)
            case .hundred(let digit)?: statuses.formUnion(digit * 100...digit * 100 + 99)
            default: return nil
            }
        }
        return statuses
    }

    /// How requests may be repeated.
    enum Idempotency {
        /// The description says nothing that matters.
        case unchanged
        /// A request may be sent again.
        case natural
        /// A request may be sent again with the same `Idempotency-Key`.
        case byKey
    }

    /// Reads whether a request may be sent again; nil if the value does not say it in a known way:
    ///
    ///     true                              x-idempotent, a behavior model
    ///     {"natural": true}                 x-basecamp-idempotent
    ///     {"keySupported": true}            the same, by a header
    ///
    /// An extension that is called "idempotency", or is Fern's, may only mean that the operation accepts a header. If
    /// it is `true`, it counts only with that header: `headers` are those that the description names for it.
    mutating func idempotency(headers: [String]) -> Idempotency? {
        if let flag {
            if !flag { return .unchanged }
            let isAboutHeader = name == "x-fern-idempotent" || name.hasSuffix("idempotency")
            if !isAboutHeader { return .natural }
            return headers.contains(where: Self.isStandardKey) ? .byKey : nil
        }
        let hasKey = flag("keySupported", "key_supported")
        let header = text("keyHeader", "key_header")
        let isNatural = flag("natural")
        if isNatural == true { return .natural }
        if hasKey == true { return Self.isStandardKey(header ?? "Idempotency-Key") ? .byKey : nil }
        return hasKey == false || isNatural == false ? .unchanged : nil
    }

    private static func isStandardKey(_ header: String) -> Bool { header.lowercased() == "idempotency-key" }
}
