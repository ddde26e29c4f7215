import APIKit
import EngineConformance
import Testing

/// Against nginx, in `make interop`.
@Suite(.enabled(if: EngineCheck.hasSecureServer), .serialized) struct SecureTests {
    @Test(.timeLimit(.minutes(1)), arguments: EngineCheck.secure)
    func conforms(check: EngineCheck) async throws { try await check.run(Engine("URLSession.api", URLSession.api)) }
}
