import APIKit
public import Foundation

/// Why a call of the API failed.
public struct AssistantError: Error, Sendable {
    /// The API's own words, or one line that says what went wrong. Never a key.
    public let message: String
    /// The API's name for the failure, such as `insufficient_quota`.
    public let code: String?
    /// The status of the response; nil if there was none.
    public let status: Int?
    /// Whether the caller's own task was cancelled.
    public let isCancellation: Bool

    init(_ error: any Error) {
        let failure = error as? any APIFailure
        let trouble: Trouble? =
            if case APIError<Trouble>.rejected(let trouble?, _) = error {
                trouble
            } else {
                nil
            }
        message = trouble?.message ?? error.localizedDescription
        code = trouble?.code
        status = failure?.status
        isCancellation = failure?.isCancellation ?? false
    }
}

extension AssistantError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
