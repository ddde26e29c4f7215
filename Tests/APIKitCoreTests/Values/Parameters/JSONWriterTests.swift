import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private func json(_ parameters: Parameters) throws -> String { try JSONProbe(parameters: parameters).bodyText() }

    private static let none: String? = nil

    @Test(
        arguments: [
            (["b": 1, "a": "x", "c": true], #"{"b":1,"a":"x","c":true}"#),
            (["a": .null, "b": none, "c": .list([nil, .null])], #"{"a":null,"c":[null]}"#),
            (
                ["a": .object(["b": .list([.object([:]), .list([]), 1])]), "e": [String: Int]()],
                #"{"a":{"b":[{},[],1]},"e":{}}"#
            ),
            (
                ["x": .object(["x": 1]), "y": .list([.object(["x": 1]), .object(["x": 2])])],
                #"{"x":{"x":1},"y":[{"x":1},{"x":2}]}"#
            ),
            // Different bytes are different members (RFC 8259, section 8.3), although Swift's == calls these equal.
            (["\u{E9}": 1, "e\u{301}": 2], "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        ] as [(Parameters, String)])
    func writesMembersInTheirOrder(parameters: Parameters, text: String) throws {
        #expect(Array(try json(parameters).utf8) == Array(text.utf8))
    }

    @Test(
        arguments: [
            ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\n", #"\n"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#),
            ("\t", #"\t"#),
            ("\0", #"\u0000"#), ("\u{8}", #"\u0008"#), ("\u{B}", #"\u000b"#), ("\u{1F}", #"\u001f"#),
            ("\u{7F}", "\u{7F}"),
            ("\u{2028}", "\u{2028}"), ("\u{1F600}", "\u{1F600}"), ("e\u{301}", "e\u{301}"),
            ("\"\u{301}", "\\\"\u{301}"),
        ] as [(String, String)])
    func escapesForbiddenCharacters(text: String, escaped: String) throws {
        #expect(Array(try json([text: text]).utf8) == Array("{\"\(escaped)\":\"\(escaped)\"}".utf8))
    }

    @Test(arguments: [0.0, -0.0, 0.1, 1e-7, 1e21, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -123456.789, 1 / 3])
    func numbersReadBackExactly(number: Double) throws {
        let read = try JSONDecoder().decode([String: Double].self, from: Data(json(["n": number]).utf8))
        #expect(read["n"]?.bitPattern == number.bitPattern || read["n"] == number)
    }

    @Test func rejectsRepeatedNames() throws {
        try JSONProbe(parameters: ["a": 1, "b": 2, "a": 3]).expectFault(.parameters, "\"a\"")
        #expect(try JSONProbe(parameters: ["o": .object(["x": 1, "x": 2])]).fault().message.contains("\"x\""))
    }

    @Test func rejectsFilesAtAnyDepth() throws {
        let file = FilePart(Data("hunter2".utf8), filename: "a.txt")
        for parameters: Parameters in [
            ["photo": file], ["photo": .list([.object(["photo": file])])], ["photo": [file]],
        ] {
            let error = try JSONProbe(parameters: parameters).fault()
            #expect(error.code == .parameters)
            #expect(error.message.contains("\"photo\""))
            #expect(!error.message.contains("hunter2"))
        }
    }

    @Test func anyTextIsReadBackUnchanged() throws {
        for text in SeededText.texts(2_000, seed: 20) {
            let read = try JSONDecoder().decode([String: String].self, from: Data(json(["text": text]).utf8))
            #expect(Array((read["text"] ?? "").utf8) == Array(text.utf8), "\(text.debugDescription)")
        }
    }
}
