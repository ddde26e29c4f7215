public import APIKit
import Foundation

/// What an SDK reported about a call.
public struct Outcome: Sendable {
    /// Why the call failed, in the words that all SDKs of a suite share.
    public struct Failure: Sendable {
        /// The kind of failure, such as `not_found`.
        public var code: String
        /// The text for people.
        public var message: String
        /// The status of the response; nil without one.
        public var status: Int?
        /// Whether the same call may succeed later.
        public var isRetryable: Bool
        /// The server's identifier of the request.
        public var requestID: String?

        /// Creates a failure.
        public init(code: String, message: String, status: Int?, isRetryable: Bool, requestID: String?) {
            self.code = code
            self.message = message
            self.status = status
            self.isRetryable = isRetryable
            self.requestID = requestID
        }
    }

    /// Why the call failed; nil if it succeeded.
    public var failure: Failure?
    /// What the SDK says about a list, by name: `totalCount`, `truncated`, `nextPage`.
    public var meta: [String: JSONValue]
    /// What the call returned.
    public var result: JSONValue?

    /// Creates an outcome.
    public init(failure: Failure? = nil, meta: [String: JSONValue] = [:], result: JSONValue? = nil) {
        self.failure = failure
        self.meta = meta
        self.result = result
    }
}

extension JSONValue {
    /// A model as JSON; nil if it cannot be encoded.
    public init?(encoded model: Any) {
        guard let model = model as? any Encodable, let data = try? JSONEncoder().encode(model),
            let value = try? JSONValue.process(data: data)
        else { return nil }
        self = value
    }
}
