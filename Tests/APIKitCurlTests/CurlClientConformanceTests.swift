#if os(Linux)
import APIKitCore
import APIKitCurl
import EngineConformance
import Foundation
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlClientConformanceTests {
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
