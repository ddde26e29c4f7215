public import APIKit

/// How many requests are left; asking costs nothing.
public struct GetRateLimitRequest: GitHubRequest {
    /// Creates a value.
    public init() {}

    /// The path.
    public var path: URLPath { "rate_limit" }

    /// The response.
    public struct Response: JSONResponse {
        /// The resources.
        public let resources: [String: RateLimit]

        /// A rate limit.
        public struct RateLimit: Decodable, Sendable {
            /// The limit.
            public let limit: Int
            /// The requests that are left.
            public let remaining: Int
            /// When the count starts again, in seconds since 1970.
            public let reset: Int
            /// The requests so far.
            public let used: Int
        }
    }
}
