import ArgumentParser
import Testing

@testable import apikit

@Suite struct CommandTests {
    @Test func testsNeedARecording() throws {
        let arguments = ["--into", "Sources/Shop", "--tests", "Tests"]
        #expect(try Endpoints.parse(["shop.har"] + arguments).tests == "Tests")
        let error = #expect(throws: (any Error).self) { try Endpoints.parse(["shop.yaml"] + arguments) }
        #expect(error.map { Endpoints.message(for: $0) }?.hasPrefix("Tests need a recording") == true)
    }
}
