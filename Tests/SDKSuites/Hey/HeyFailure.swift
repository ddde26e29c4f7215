public import APIKit

/// The kinds of failures.
public enum HeyFailure: String, Sendable {
    case usage, forbidden, network, validation
    case authentication = "auth_required"
    case notFound = "not_found"
    case rateLimit = "rate_limit"
    case api = "api_error"
}

extension APIError where Failure == HeyError {
    /// The kind of failure.
    public var kind: HeyFailure {
        switch status {
        case 401: .authentication
        case 403: .forbidden
        case 404: .notFound
        case 422: .validation
        case 429: .rateLimit
        case nil: transportError == nil ? .usage : .network
        default: .api
        }
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch kind {
        case .rateLimit, .network: true
        case .api: (500...).contains(status ?? 0)
        default: false
        }
    }

    /// The server's identifier of the request.
    public var requestID: String? { response?.head.headers["X-Request-Id"] }
}
