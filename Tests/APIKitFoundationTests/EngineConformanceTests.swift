import APIKitFoundation
import EngineConformance
import Testing

/// One check at a time, since some of them measure how long things take.
@Suite(.serialized) struct EngineConformanceTests {
    static let engines = [
        Engine("URLSession.api", URLSession.api, quirks: [.joinsHeaders, .hasNoBackPressure]),
        Engine("api(configuration:delegate:)", configured, quirks: [.joinsHeaders, .hasNoBackPressure]),
        Engine("URLSession.shared", URLSession.shared, quirks: shared),
    ]

    /// Every session but those set up for API calls; a cache that ends the process is Linux's alone.
    static let shared: Set<Engine.Quirk> = [
        .joinsHeaders, .losesSomeBodies, .mayNotRaceCancels, .keepsCookies, .deliversDataAlone,
    ]

    static var configured: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpAdditionalHeaders = ["X-Configured": "1"]
        return .api(configuration: configuration, delegate: NoChallenges())
    }

    @Test(.timeLimit(.minutes(1)), arguments: engines, EngineCheck.all)
    func conforms(engine: Engine, check: EngineCheck) async throws {
        try await check.run(engine)
    }

    private final class NoChallenges: NSObject, URLSessionTaskDelegate {}
}
