import AsyncHTTPClient
import AsyncHTTPClientEngine
import EngineConformance
import NIOSSL
import Testing

/// Against nginx, which `Tests/Environment/with-nginx` starts, with a root of one's own by way of the configuration.
@Suite(.enabled(if: EngineCheck.hasSecureServer), .serialized) struct SecureTests {
    @Test(.timeLimit(.minutes(10)), arguments: EngineCheck.secure)
    func conforms(check: EngineCheck) async throws {
        var configuration = HTTPClient.Configuration.api
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = try .file(#require(EngineCheck.secureServerRoot))
        configuration.tlsConfiguration = tls
        try await check.run(Engine("async-http-client", AsyncHTTPClientEngine(configuration: configuration)))
    }
}
