import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct JSONLinesTests {
    struct Change: Codable, Hashable {
        let id: Int
        var note: String?
    }

    struct Snake: JSONResponse, Hashable {
        let userName: String
        static let decoder: any DataDecoder = {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }()
    }

    private func changes(_ text: String) async throws -> [Change] {
        try await JSONLines(bytes: ByteStream(text)).collected()
    }

    private func failure<Value: Decodable & Sendable>(_ text: String, as type: Value.Type) async throws -> ContentError
    {
        try await #require(throws: ContentError.self) {
            _ = try await JSONLines<Value>(bytes: ByteStream(text)).collected()
        }
    }

    @Test(
        arguments: [
            ("", []), ("{\"id\":1}", [1]), ("{\"id\":1}\n{\"id\":2}\n", [1, 2]),
            ("{\"id\":1}\r\n{\"id\":2}\r\n", [1, 2]),
            ("\n \n\t\r\n{\"id\":1}\n\n\n{\"id\":2}", [1, 2]), ("  {\"id\":1} \r\n \r", [1]), ("{\r\"id\":\r1}\n", [1]),
        ] as [(String, [Int])])
    func readsOneValuePerLine(text: String, ids: [Int]) async throws {
        #expect(try await changes(text).map(\.id) == ids)
    }

    @Test(arguments: ["a\u{2028}b", "a\u{2029}b", "a\u{85}b", "a\\u000bb"])
    func onlyLineFeedEndsLine(note: String) async throws {
        let changes = try await changes("{\"id\":1,\"note\":\"\(note)\"}\n{\"id\":2}")
        #expect(changes.map(\.id) == [1, 2])
        #expect(changes.first?.note?.unicodeScalars.count == 3)
    }

    @Test(arguments: ["\u{FEFF}{\"id\":1}\n", "\u{FEFF}\n{\"id\":1}", "\u{FEFF}{\"id\":1}"])
    func ignoresByteOrderMark(text: String) async throws {
        #expect(try await changes(text).map(\.id) == [1])
        #expect(try await changes("\u{FEFF}").isEmpty)
    }

    @Test func readsValuesOfAnyKind() async throws {
        #expect(try await JSONLines<Int>(bytes: ByteStream("1\n-2\n3")).collected() == [1, -2, 3])
        #expect(try await JSONLines<[String?]>(bytes: ByteStream("[\"a\"]\n[null]")).collected() == [["a"], [nil]])
        #expect(try await JSONLines<Int?>(bytes: ByteStream("1\nnull\n3")).collected() == [1, nil, 3])
    }

    @Test func usesDecoderOfValue() async throws {
        let text = "{\"a_b\":{\"user_name\":\"ada\"}}\nnull"
        let values = try await JSONLines<[String: Snake?]?>(bytes: ByteStream(text)).collected()
        #expect(values == [["a_b": Snake(userName: "ada")], nil])
    }

    private static let parts: [[UInt8]] =
        ["{\"id\":1}", "{\"id\":2,\"note\":\"\u{E9}\u{1F600}e\u{301}\u{2028}\"}", "\n", "\n", "\n", "\r\n", " ", "\r"]
        .map { Array($0.utf8) }

    @Test(arguments: 0..<100) func ignoresRandomChunkBoundaries(seed: UInt64) async {
        await JSONLines<Change>.expectSameHoweverCut(seed: seed, pieces: Self.parts, count: 15, limits: [12, 1_000])
    }

    @Test func rejectsLongLine() async {
        let lines = JSONLines<Int>(bytes: ByteStream("1234\n\n12345"), elementLimit: 4)
        #expect(await steps(4, of: lines) == ["1234", "TransportError", "nil", "nil"])
        #expect(await Outcome(of: lines).failure?.hasPrefix("bodyTooLarge") == true)
    }

    @Test(
        arguments: [("{\"id\":1}\n\nno\n", 3), ("no", 1), ("\n\n{\"id\":\"x\"}", 3), ("{\"id\":1}\n{\"id\":2", 2)]
            as [(String, Int)])
    func countsBlankLines(text: String, number: Int) async throws {
        let error = try await failure(text, as: Change.self)
        #expect(error.elementNumber == number)
        #expect(error.description.contains("element \(number) "))
    }

    @Test func errorHasCodingPathAndExcerpt() async throws {
        let error = try await failure(#"{"id":"x","note":"hi"}"#, as: Change.self)
        #expect(error.underlying is DecodingError)
        #expect(error.excerpt == #"{"id":"x","note":"hi"}"#)
        #expect(error.description.contains("id is not an Int"))
        #expect(isOneLine(error.description))
    }

    @Test(arguments: [
        #"{"id":"x","password":"hunter2"}"#, #"{"token":"hunter2""#, #"{"id":{"secret":"hunter2"}}"#,
        #"{"id":"x","note":"Authorization: Bearer hunter2"}"#,
        #"{"id":"x","note":"https://u:hunter2@h/?api_key=hunter2"}"#,
    ]) func masksSecrets(line: String) async throws {
        let error = try await failure(line, as: Change.self)
        for text in [error.excerpt ?? "", error.description, "\(error)", error.localizedDescription] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    @Test func limitsExcerpt() async throws {
        let error = try await failure("\"\(String(repeating: "x", count: 10_000))\"", as: Int.self)
        #expect(error.excerpt?.count ?? 0 <= 201)
        #expect(error.localizedDescription == error.description)
    }
}
