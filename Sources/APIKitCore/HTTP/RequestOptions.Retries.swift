extension RequestOptions {
    /// How often a request is sent, and after which statuses again.
    ///
    /// The `retrying` client obeys it: a value that is set replaces that of its policy for this request. What else the
    /// policy says holds: pauses, budget, failures, and that only a request that is ``HTTPRequest/isIdempotent`` is
    /// sent again.
    ///
    /// A call's values override the endpoint's, and these the API's, one by one.
    public struct Retries: Sendable, Hashable {
        // First, so that the options need fewer bytes.
        /// The statuses after which a request is sent again, instead of those of the policy. A response's
        /// `X-Should-Retry` overrides them.
        public var statuses: Set<Int>?
        /// The most times that a request is sent, the first one included; less than 1 counts as 1.
        ///
        /// Without a `retrying` client, a request is sent once, and once more if a kept connection was closed or the
        /// server has refused it without processing it (<doc:Retrying>); 1 prevents that too.
        public var attempts: Int?

        /// Creates options of retries; unspecified values are those of the API or, without any, of the policy.
        public init(attempts: Int? = nil, statuses: Set<Int>? = nil) {
            self.statuses = statuses
            self.attempts = attempts
        }

        /// Sends a request once.
        public static let never = Retries(attempts: 1)

        /// These values, with missing ones taken from others.
        func addingMissing(from other: Retries) -> Retries {
            Retries(attempts: attempts ?? other.attempts, statuses: statuses ?? other.statuses)
        }
    }
}

extension RequestOptions.Retries: CustomStringConvertible {
    /// The values that are set, such as `attempts: 5, statuses: 429, 503`.
    public var description: String {
        var parts: [String] = []
        if let attempts { parts.append("attempts: \(attempts)") }
        if let statuses { parts.append("statuses: \(statuses.sorted().map(String.init).joined(separator: ", "))") }
        return parts.joined(separator: ", ")
    }
}
