public import APIKit

/// How many requests are left; asking costs nothing.
public struct GetRateLimitRequest: GitHubRequest {

    /// Creates a value.
    public init() {
    }

    public var path: URLPath { "rate_limit" }

    /// Response.
    public struct Response: JSONResponse {
        /// `resources`
        public let resources: [String: RateLimit]

        /// RateLimit.
        public struct RateLimit: Decodable, Sendable {
            /// `limit`
            public let limit: Int
            /// `remaining`
            public let remaining: Int
            /// When the count starts anew, in seconds since 1970.
            public let reset: Int
            /// `used`
            public let used: Int
        }
    }
}
