import APIKit
public import Foundation

/// Why a call of the API failed.
public struct BasecampFailure: Error, LocalizedError {
    /// The kinds of failures.
    public enum Code: String, Sendable {
        case usage, forbidden, network, validation
        case authentication = "auth_required"
        case notFound = "not_found"
        case rateLimit = "rate_limit"
        case api = "api_error"
        case limitExceeded = "limit_exceeded"
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

    init(_ error: any APIFailure, message: String? = nil) {
        code =
            switch error.status {
            case 401: .authentication
            case 403: .forbidden
            case 404: .notFound
            case 429: .rateLimit
            case 400, 422: .validation
            case 507: .limitExceeded
            case nil: error.requestError == nil ? .network : .usage
            default: .api
            }
        let body = error.response?.body.data.flatMap { try? JSONValue.process(data: $0) }
        self.message = message ?? body.flatMap(Self.text) ?? error.localizedDescription
        status = error.status
        requestID = error.response?.head.headers["X-Request-Id"]
    }

    /// The words of a body: its message, the messages for fields, or both.
    private static func text(of body: JSONValue) -> String? {
        let message = body["error"]?.string ?? body["message"]?.string
        let fields = (body["errors"] ?? (message == nil ? body : nil))?.object ?? [:]
        let lines = fields.compactMap { name, value in
            value.array.map { "\(name): \($0.compactMap(\.string).joined(separator: "; "))" }
        }
        guard !lines.isEmpty else { return message }
        let text = lines.sorted().joined(separator: ", ")
        return message.map { "\($0) (\(text))" } ?? text
    }
}
