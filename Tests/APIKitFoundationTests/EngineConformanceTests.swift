import APIKitFoundation
import EngineConformance
import Testing

/// One check at a time, since some of them measure how long things take.
@Suite(.serialized) struct EngineConformanceTests {
    static let engines = [
        Engine("URLSession.api", URLSession.api, quirks: api),
        Engine("api(configuration:delegate:)", configured, quirks: api),
        Engine("URLSession.shared", URLSession.shared, quirks: linux.union(shared)),
        Engine("every client around URLSession.api", stacked(on: URLSession.api), quirks: api),
    ]

    /// Each client around a session alone, for the nightly run.
    static let clients = layers.map { Engine("\($0.name) around URLSession.api", $0.wrap(URLSession.api), quirks: api) }

    static let api = linux.union([.joinsHeaders, .hasNoBackPressure])

    /// Every session but those set up for API calls; a cache that ends the process is Linux's alone.
    static let shared: Set<Engine.Quirk> = [
        .joinsHeaders, .losesSomeBodies, .mayNotRaceCancels, .keepsCookies, .deliversDataAlone,
    ]

    /// What Foundation on Linux does to every session; the article "What URLSession does on Linux" lists it.
    #if canImport(FoundationNetworking)
    static let linux: Set<Engine.Quirk> = [
        .diesOfLegalResponses, .takesLateResponses, .refusesSomeHeaderValues, .losesBodiesWithoutLocation,
    ]
    #else
    static let linux: Set<Engine.Quirk> = []
    #endif

    static var configured: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpAdditionalHeaders = ["X-Configured": "1"]
        return .api(configuration: configuration, delegate: NoChallenges())
    }

    private static let hangs = Locked(0)

    /// Ends after three checks that hang: all sessions of a process share a queue on Linux, so that the others would
    /// take their time limit too.
    @Test(.timeLimit(.minutes(1)), arguments: engines, EngineCheck.all)
    func conforms(engine: Engine, check: EngineCheck) async throws {
        guard Self.hangs.withLock({ $0 < 3 }) else { return }
        try await withTaskCancellationHandler {
            try await check.run(engine)
        } onCancel: {
            Self.hangs.withLock { $0 += 1 }
        }
    }

    /// `URLSession.shared` has a cache, which ends the process by itself.
    @Test(.timeLimit(.minutes(1))) func aSessionOfOnesOwnWithoutACacheBearsCancels() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        try await EngineCheck.redirectsWithRacingCancels(1_000).run(Engine("a session of one's own", session))
    }

    @Test(
        .enabled(if: EngineCheck.isSoaking, "run by Scripts/nightly"), .timeLimit(.minutes(1)),
        arguments: clients, EngineCheck.all)
    func clientConforms(client: Engine, check: EngineCheck) async throws {
        try await check.run(client)
    }

    @Test(.enabled(if: EngineCheck.isSoaking, "run by Scripts/nightly"), arguments: engines, EngineCheck.soak)
    func survives(engine: Engine, check: EngineCheck) async throws {
        try await check.run(engine)
    }

    private final class NoChallenges: NSObject, URLSessionTaskDelegate {}
}
