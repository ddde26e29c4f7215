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
}
