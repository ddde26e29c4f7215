import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct JSONTests {
    private struct Plain: Decodable, Sendable, Equatable { let firstName: String }

    @Test func readsATypeThatKnowsNothingOfResponses() async throws {
        let client = ImmediateClient(.json(#"[{"firstName":"Ada"}]"#))
        #expect(try await client.send(Endpoint<JSON<[Plain]>, Data>()) == [Plain(firstName: "Ada")])
        // RFC 8259, section 8.1: a parser may ignore a byte order mark.
        #expect(try JSON<[Int]>.process(data: Data("\u{FEFF}[7]".utf8)) == [7])
        #expect(try JSON<[String: [Int]]>.process(data: Data(#"{"a":[1,2]}"#.utf8)) == ["a": [1, 2]])
    }

    @Test(arguments: [("7", 7), (" 7\n", 7), ("-0", 0)] as [(String, Int)])
    func readsAFragment(
        text: String, value: Int
    ) throws {
        #expect(try JSON<Int>.process(data: Data(text.utf8)) == value)
    }

    @Test func readsNullAsAnOptionalsNil() throws { #expect(try JSON<Int?>.process(data: Data("null".utf8)) == nil) }

    @Test(arguments: ["", "{", "[1,]", "nul", "\u{FEFF}{", "{\"a\":NaN}"])
    func refusesWhatIsNoJSON(text: String) async throws {
        let error = try await ImmediateClient(.json(text)).failure(of: Endpoint<JSON<[String: Double]>, Data>())
        #expect(error.unreadable?.error is DecodingError)
        #expect(error.unreadable?.response.body.data == Data(text.utf8))
    }
}
