import APIKit
import EngineConformance
import TestTraits
import Testing

@Suite(.exclusive) struct EngineConformanceTests {
    #if os(Linux)
    /// What carries sessions on Linux, with connections that soon close.
    static var api: CurlClient {
        var configuration = CurlClient.Configuration()
        configuration.idleTimeout = .milliseconds(200)
        return CurlClient(configuration)
    }

    static let quirks: Set<Engine.Quirk> = []
    static let engines: [Engine] = [
        Engine("URLSession.api", URLSession.api),
        Engine("URLSession.shared", URLSession.shared, quirks: [.keepsCookies]),
        Engine("clients around a CurlClient", stacked(on: api)),
    ]
    #else
    static var api: URLSession { .api(configuration: .api, delegate: NoChallenges()) }
    static let quirks: Set<Engine.Quirk> = [.joinsHeaders, .hasNoTrailers]
    static let external: Set<Engine.Quirk> = [
        .joinsHeaders, .losesSomeBodies, .mayNotRaceCancels, .keepsCookies, .deliversDataAlone, .hasNoTrailers,
    ]
    static let engines: [Engine] = [
        Engine("URLSession.api", URLSession.api, quirks: quirks),
        Engine("api(configuration:delegate:)", api, quirks: quirks),
        Engine("URLSession.shared", URLSession.shared, quirks: external),
        Engine("clients around URLSession.api", stacked(on: URLSession.api), quirks: quirks),
    ]

    private final class NoChallenges: NSObject, URLSessionTaskDelegate {}
    #endif

    /// Each client around an engine alone, for the nightly run.
    static let clients = layers.map { Engine("\($0.name) around an engine", $0.wrap(api), quirks: quirks) }

    /// The whole contract takes a minute, which `make test` has. `swift test` checks it only for `CurlClient`, in
    /// `APIKitCurlTests`.
    private static let checks = Effort.isThorough ? EngineCheck.all : EngineCheck.brief

    @Test(.timeLimit(.minutes(10)), arguments: engines, checks)
    func conforms(engine: Engine, check: EngineCheck) async throws { try await check.run(engine) }

    @Test(
        .enabled(if: EngineCheck.isSoaking, "run by Scripts/nightly"), .timeLimit(.minutes(10)),
        arguments: clients, EngineCheck.all)
    func clientConforms(client: Engine, check: EngineCheck) async throws { try await check.run(client) }

    @Test(.enabled(if: EngineCheck.isSoaking, "run by Scripts/nightly"), arguments: engines, EngineCheck.soak)
    func survives(engine: Engine, check: EngineCheck) async throws { try await check.run(engine) }

    @Test(.enabled(if: EngineCheck.isSoaking, "run by `make soak` and Scripts/nightly"), arguments: engines)
    func bearsLoad(engine: Engine) async throws { try await EngineCheck.load.run(engine) }
}
