import APIKitCore
import TestSupport

extension APIClient {
    /// Performs a request in a call of its own.
    func perform(
        _ request: HTTPRequest, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        try await perform(request, in: Call(clock: clock, progress: progress.map { .anywhere($0) }))
    }
}
