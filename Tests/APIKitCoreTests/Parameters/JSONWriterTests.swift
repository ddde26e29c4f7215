import APIKitCore
import Foundation
import Testing

@Suite struct JSONWriterTests {
    private func json(_ parameters: Parameters) throws -> String {
        try #require(JSONProbe(parameters: parameters).httpRequest().body).text
    }

    private func fault(_ parameters: Parameters) throws -> RequestError {
        try #require(throws: RequestError.self) { try JSONProbe(parameters: parameters).httpRequest() }
    }

    @Test func writesMembersInTheirOrder() throws {
        #expect(try json(["b": 1, "a": "x", "c": true]) == #"{"b":1,"a":"x","c":true}"#)
    }

    @Test(arguments: [
        ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\n", #"\n"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#), ("\t", #"\t"#),
        ("\0", #"\u0000"#), ("\u{8}", #"\u0008"#), ("\u{B}", #"\u000b"#), ("\u{1F}", #"\u001f"#), ("\u{7F}", "\u{7F}"),
        ("\u{2028}", "\u{2028}"), ("\u{1F600}", "\u{1F600}"), ("e\u{301}", "e\u{301}"), ("\"\u{301}", "\\\"\u{301}"),
    ]) func escapesForbiddenCharacters(text: String, escaped: String) throws {
        #expect(Array(try json([text: text]).utf8) == Array("{\"\(escaped)\":\"\(escaped)\"}".utf8))
    }

    @Test func writesNullAndLeavesNilOut() throws {
        let nothing: String? = nil
        #expect(try json(["a": .null, "b": nothing, "c": .list([nil, .null])]) == #"{"a":null,"c":[null]}"#)
    }

    @Test func writesNestedListsAndObjects() throws {
        let parameters: Parameters = ["a": .object(["b": .list([.object([:]), .list([]), 1])]), "e": [String: Int]()]
        #expect(try json(parameters) == #"{"a":{"b":[{},[],1]},"e":{}}"#)
    }

    @Test(arguments: [0.0, -0.0, 0.1, 1e-7, 1e21, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -123456.789, 1 / 3])
    func numbersReadBackExactly(number: Double) throws {
        let read = try JSONDecoder().decode([String: Double].self, from: Data(json(["n": number]).utf8))
        #expect(read["n"]?.bitPattern == number.bitPattern || read["n"] == number)
    }

    @Test func rejectsRepeatedNames() throws {
        let error = try fault(["a": 1, "b": 2, "a": 3])
        #expect(error.code == .parameters)
        #expect(error.message.contains("\"a\""))
        #expect(try fault(["o": .object(["x": 1, "x": 2])]).message.contains("\"x\""))
    }

    @Test func acceptsTheSameNameInDifferentObjects() throws {
        #expect(
            try json(["x": .object(["x": 1]), "y": .list([.object(["x": 1]), .object(["x": 2])])])
                == #"{"x":{"x":1},"y":[{"x":1},{"x":2}]}"#)
    }

    // Different bytes are different members (RFC 8259, section 8.3), although Swift's == calls these equal.
    @Test func acceptsNamesThatDifferOnlyInUnicodeSpelling() throws {
        #expect(try json(["\u{E9}": 1, "e\u{301}": 2]).utf8.count == #"{"X":1,"Y":2}"#.utf8.count + 3)
    }

    @Test func rejectsFilesAtAnyDepth() throws {
        let file = FilePart(Data("hunter2".utf8), filename: "a.txt")
        for parameters: Parameters in [
            ["photo": file], ["photo": .list([.object(["photo": file])])], ["photo": [file]],
        ] {
            let error = try fault(parameters)
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
