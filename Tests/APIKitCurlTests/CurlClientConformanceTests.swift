#if os(Linux)
import APIKitCore
import APIKitCurl
import EngineConformance
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct CurlClientConformanceTests {
    private static let client = CurlClient(configuration)
    private static var configuration: CurlClient.Configuration {
        var configuration = CurlClient.Configuration()
        configuration.idleTimeout = .milliseconds(200)
        return configuration
    }

    @Test(arguments: EngineCheck.all) func conforms(check: EngineCheck) async throws {
        try await check.run(Engine("CurlClient", Self.client))
    }
}
#endif
