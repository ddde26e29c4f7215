import APIKitCore
import Foundation
import Testing

@Suite struct DataDecoderTests {
    @Test func foundationsDecodersAreDataDecoders() throws {
        let json: any DataDecoder = JSONDecoder()
        #expect(try json.decode([Int].self, from: Data("[1]".utf8)) == [1])
        let list: any DataDecoder = PropertyListDecoder()
        #expect(try list.decode([Int].self, from: try PropertyListEncoder().encode([1])) == [1])
    }
}
