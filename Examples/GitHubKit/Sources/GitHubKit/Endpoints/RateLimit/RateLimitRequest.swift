public import APIKit

/// The rate limit.
public struct RateLimitRequest: GitHubRequest {
    /// Creates a value.
    public init() {}

    /// The path.
    public var path: URLPath { "rate_limit" }

    /// The response.
    public struct Response: JSONEnvelope {
        /// The resources.
        public let resources: [String: RateLimit]
        /// The content.
        public var content: [String: RateLimit] { resources }
    }
}

/// A rate limit.
public struct RateLimit: GitHubModel {
    /// The requests that are left.
    public let remaining: Int
    /// When the count starts again, in seconds since 1970.
    public let reset: Int
    /// The requests so far.
    public let used: Int
    /// The number of items on a page.
    public let limit: Int
}
