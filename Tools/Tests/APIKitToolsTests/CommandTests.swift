import ArgumentParser
import Foundation
import Testing

@testable import apikit

@Suite struct CommandTests {
    @Test func testsNeedARecording() throws {
        let arguments = ["--into", "Sources/Shop", "--tests", "Tests"]
        #expect(try Endpoints.parse(["shop.har"] + arguments).tests == "Tests")
        let error = #expect(throws: (any Error).self) { try Endpoints.parse(["shop.yaml"] + arguments) }
        #expect(error.map { Endpoints.message(for: $0) }?.hasPrefix("Tests need a recording") == true)
    }

    @Test func failsIfNothingIsWritten() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(TemporaryFolder.description(schema: "{}"), to: "api.json").path
        let output = folder.url.appending(path: "Shop").path
        let failure = #expect(throws: ExitCode.self) {
            try Endpoints.parse([source, "--into", output, "--only", "/nowhere"]).run()
        }
        #expect(failure == .failure)
        try Endpoints.parse([source, "--into", output]).run()
        #expect(FileManager.default.fileExists(atPath: "\(output)/ShopAPI.swift"))
    }

    @Test func readsOnlyTheFolderOfTheDescriptionUnlessToldOtherwise() throws {
        let arguments = ["shop.yaml", "--into", "Sources/Shop"]
        #expect(try !Endpoints.parse(arguments).allowsOutside)
        #expect(try Endpoints.parse(arguments + ["--allow-outside"]).allowsOutside)
    }
}
