public import APIKit

/// The kinds of failures.
public enum BasecampFailure: String, Sendable {
    case usage, forbidden, network, validation
    case authentication = "auth_required"
    case notFound = "not_found"
    case rateLimit = "rate_limit"
    case api = "api_error"
    case limitExceeded = "limit_exceeded"
}

extension APIError where Failure == BasecampError {
    /// The kind of failure.
    public var kind: BasecampFailure {
        switch status {
        case 401: .authentication
        case 403: .forbidden
        case 404: .notFound
        case 429: .rateLimit
        case 400, 422: .validation
        case 507: .limitExceeded
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

    /// The API's own words, or one line that says what went wrong.
    public var message: String {
        // A body may have members of other types than the model, and names that it does not have.
        let body = response?.body.data.flatMap { try? JSONValue.process(data: $0) }
        let message = body?["error"]?.string ?? body?["message"]?.string
        let fields = (body?["errors"] ?? (message == nil ? body : nil))?.object ?? [:]
        let lines = fields.compactMap { name, value in
            value.array.map { "\(name): \($0.compactMap(\.string).joined(separator: "; "))" }
        }
        if lines.isEmpty { return message ?? localizedDescription }
        let text = lines.sorted().joined(separator: ", ")
        return message.map { "\($0) (\(text))" } ?? text
    }
}
