public import APIKit

public struct RateLimitRequest: GitHubRequest {
    public init() {}

    public var path: URLPath { "rate_limit" }

    public struct Response: JSONEnvelope {
        public let resources: [String: RateLimit]
        public var content: [String: RateLimit] { resources }
    }
}

public struct RateLimit: GitHubModel {
    /// The requests that are left.
    public let remaining: Int
    /// When the count starts again, in seconds since 1970.
    public let reset: Int
    /// The requests so far.
    public let used: Int
    public let limit: Int
}
