public import APIKit

/// Gets a rate limit.
public struct GetRateLimitRequest: GitHubRequest {
    /// Creates a value.
    public init() {}

    /// The path.
    public var path: URLPath { "rate_limit" }

    /// The response.
    public struct Response: GitHubModel {
        /// The resources.
        public let resources: [String: RateLimit]

        /// A rate limit.
        public struct RateLimit: Decodable, Sendable {
            /// The requests that are left.
            public let remaining: Int
            /// When the count starts again, in seconds since 1970.
            public let reset: Int
            /// The requests so far.
            public let used: Int
            /// The number of items on a page.
            public let limit: Int
        }
    }
}
