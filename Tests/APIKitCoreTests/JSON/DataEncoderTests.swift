import APIKitCore
import Foundation
import Testing

@Suite struct DataEncoderTests {
    @Test func foundationsEncodersAreDataEncoders() throws {
        let encoders: [any DataEncoder] = [JSONEncoder(), PropertyListEncoder(), JSONEncoder.api]
        for encoder in encoders { #expect(try !encoder.encode(["a": 1]).isEmpty) }
    }
}
