import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite struct DataAPIResponseTests {
    @Test(
        arguments: [[], [0], [0xFF, 0xD8, 0, 1], Array("text".utf8), Array(repeating: 0xEF, count: 100_000)]
            as [[UInt8]])
    func givesTheBodyAsItIs(bytes: [UInt8]) async throws {
        let client = ImmediateClient(.status(200, body: Data(bytes)))
        #expect(try await client.send(Endpoint<Data, Data>()) == Data(bytes))
        #expect(try Data.process(data: Data(bytes)) == Data(bytes))
    }

    @Test func isWhatAFailureIsUnlessToldOtherwise() async throws {
        let client = ImmediateClient(.text("no", status: 418))
        let error = try await client.failure(of: PlainRequest())
        #expect(error.rejection?.failure == Data("no".utf8))
        #expect(error.status == 418)
    }

    private struct PlainRequest: APIRequest {
        typealias Response = NoContent
        let base: APIBase = "https://api.example.com"
        let path: URLPath = ""
    }
}
