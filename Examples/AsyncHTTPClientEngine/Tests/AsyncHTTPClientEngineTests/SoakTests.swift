import AsyncHTTPClientEngine
import EngineConformance
import Testing

/// Not in the suite of the other tests, whose time limit it exceeds.
@Suite(.serialized) struct SoakTests {
    @Test(.enabled(if: EngineCheck.isSoaking, "run by Scripts/nightly")) func bearsLoad() async throws {
        try await EngineCheck.load.run(Engine("AsyncHTTPClientEngine", AsyncHTTPClientEngine(configuration: .test)))
    }
}
