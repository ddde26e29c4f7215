import APIKitCore
import Foundation
import Testing

@Suite struct DataEncoderTests {
    @Test func foundationsEncodersPlugIn() throws {
        let encoders: [any DataEncoder] = [JSONEncoder(), PropertyListEncoder(), StandardJSON.encoder]
        for encoder in encoders {
            #expect(try !encoder.encode(["a": 1]).isEmpty)
        }
    }

    @Test func theStandardOneWritesTheSameEachTime() throws {
        let value = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", "a/b") })
        let text = value.keys.sorted().map { "\"\($0)\":\"a/b\"" }.joined(separator: ",")
        #expect(try StandardJSON.encoder.encode(value) == Data("{\(text)}".utf8))
    }
}
