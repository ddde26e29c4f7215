import APIKit
import EngineConformance
import Testing

/// Against nginx, in `make interop`.
@Suite(.enabled(if: EngineCheck.hasSecureServer), .serialized) struct SecureTests {
    /// libcurl before 8.5 does not tell why it gave up a stream.
    @Test(.timeLimit(.minutes(10)), arguments: EngineCheck.secure)
    func conforms(check: EngineCheck) async throws {
        try await check.run(Engine("URLSession.api", URLSession.api, quirks: [.takesResetsForMalformedHeads]))
    }
}
