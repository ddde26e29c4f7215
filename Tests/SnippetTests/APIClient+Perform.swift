import APIKit

extension APIClient {
    /// Performs a request in a call of its own, by public API alone: `Scripts/typecheck` compiles this folder
    /// outside of the package.
    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await perform(request, in: Call(clock: clock))
    }
}
