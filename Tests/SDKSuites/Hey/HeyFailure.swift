import APIKit
public import Foundation

/// Why a call of the API failed.
public struct HeyFailure: Error, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable {
        case usage, forbidden, network, validation
        case authentication = "auth_required"
        case notFound = "not_found"
        case rateLimit = "rate_limit"
        case api = "api_error"
    }

    /// The kind.
    public let code: Code
    /// The API's own words, or one line that says what went wrong.
    public let message: String
    /// The status of the response; nil if there was none.
    public let status: Int?
    /// The server's identifier of the request.
    public let requestID: String?

    /// The message.
    public var errorDescription: String? { message }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .rateLimit, .network: true
        case .api: (500...).contains(status ?? 0)
        default: false
        }
    }

    init(code: Code, message: String) {
        (self.code, self.message, status, requestID) = (code, message, nil, nil)
    }

    init(_ error: any APIFailure) {
        code =
            switch error.status {
            case 401: .authentication
            case 403: .forbidden
            case 404: .notFound
            case 422: .validation
            case 429: .rateLimit
            case nil: error.requestError == nil ? .network : .usage
            default: .api
            }
        let body = error.response?.body.data.flatMap { try? JSONValue.process(data: $0) }
        message = body?["error"]?.string ?? error.localizedDescription
        status = error.status
        requestID = error.response?.head.headers["X-Request-Id"]
    }
}
