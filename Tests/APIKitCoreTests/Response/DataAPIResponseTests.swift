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
}
