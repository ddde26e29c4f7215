import Testing

@testable import APIKitJSON

@Suite struct JSONTokensTests {
    /// The tokens as text, such as `open {`, of a text that arrives in pieces.
    private func tokens(of text: String, pieceSize: Int = .max) -> [String] {
        let bytes = Array(text.utf8)
        var tokens = JSONTokens()
        var found: [String] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(pieceSize, bytes.count))
            tokens.append(bytes[start..<end])
            start = end
            while let token = tokens.next() {
                found.append("\(token.kind) \(String(decoding: bytes[token.range], as: UTF8.self))")
            }
        }
        return found
    }

    @Test(
        arguments: [
            ("", []), (" \t\r\n", []), ("\u{FEFF}{}", ["open(isObject: true) {", "close }"]),
            (
                #"{"a": [1, -2.5e3], "b":true}"#,
                [
                    "open(isObject: true) {", #"string "a""#, "colon :", "open(isObject: false) [", "scalar 1",
                    "comma ,",
                    "scalar -2.5e3", "close ]", "comma ,", #"string "b""#, "colon :", "scalar true", "close }",
                ]
            ),
            // Brackets and escaped quotes in strings are part of the string.
            (#""{\"]\\" "#, [#"string "{\"]\\""#]),
            (#""\u0022" "#, [#"string "\u0022""#]), (#""é😀" "#, [#"string "é😀""#]),
            // A scalar at the end may continue, and a string without its closing quote is not complete.
            ("12", []), ("12 ", ["scalar 12"]), (#""ab"#, []), (#""ab\""#, []),
            // Damaged texts.
            ("}, 12 \"a\"", ["close }", "comma ,", "scalar 12", #"string "a""#]),
            ("nul\"a\"", ["scalar nul", #"string "a""#]), (#""\u"1 "#, [#"string "\u""#, "scalar 1"]),
            ("é:", ["scalar é", "colon :"]), ("a{", ["scalar a", "open(isObject: true) {"]),
        ] as [(String, [String])])
    func splitsTextsIntoTokens(text: String, expected: [String]) {
        #expect(tokens(of: text) == expected)
        for pieceSize in 1...3 {
            #expect(tokens(of: text, pieceSize: pieceSize) == expected, "in pieces of \(pieceSize)")
        }
    }

    @Test(
        arguments: [
            (#"{"a"#, 1, nil), (#"["ab\"#, 1, 4), (#"["ab\n"#, 1, nil), (#"["\u00e"#, 1, 2), (#"["\u00e9"#, 1, nil),
            (#"["\\"#, 1, nil), (#"["\\\"#, 1, 4),
            // The first of two surrogates is half of a character.
            (#"["\ud83d"#, 1, 2), (#"["\ud83d\"#, 1, 2), (#"["\ud83d\ude0"#, 1, 2), (#"["\ud83d\ude00"#, 1, nil),
            // Invalid: a surrogate alone, and an escape without its digits.
            (#"["\ud83dx"#, 1, nil), (#"["\ude00"#, 1, nil), (#"["\u0x"#, 1, nil), (#"["\u0\"#, 1, 5),
        ] as [(String, Int, Int?)])
    func findsTheIncompleteCharacterOfAnIncompleteString(text: String, start: Int, character: Int?) throws {
        var tokens = JSONTokens(Array(text.utf8))
        while tokens.next() != nil {}
        let string = try #require(tokens.incompleteString)
        #expect(string.start == start)
        #expect(string.incompleteCharacter == character)
    }

    @Test(arguments: ["", "[", #"["a""#, #"{"a": 12"#]) func hasNoIncompleteStringOutsideOfStrings(text: String) {
        var tokens = JSONTokens(Array(text.utf8))
        while tokens.next() != nil {}
        #expect(tokens.incompleteString == nil)
    }
}
