@_spi(Tools) import APIKitJSON
import Testing

@Suite struct JSONWriterTests {
    /// Writes `{"a": [1, {}, []], "b": {"c": "d"}}`.
    private func text(_ layout: JSONWriter.Layout, inner: JSONWriter.Layout, indentation: String = "") -> String {
        var writer = JSONWriter(indentation: indentation)
        writer.beginObject(layout)
        writer.name("a")
        writer.beginArray(layout)
        writer.literal("1")
        writer.beginObject(inner)
        writer.end()
        writer.beginArray(inner)
        writer.end()
        writer.end()
        writer.name("b")
        writer.beginObject(inner)
        writer.name("c")
        writer.string("d")
        writer.end()
        writer.end()
        return writer.text
    }

    @Test func writesWithoutSpaces() {
        #expect(text(.compact, inner: .compact) == #"{"a":[1,{},[]],"b":{"c":"d"}}"#)
    }

    @Test func writesSpacesAfterCommasAndColons() {
        #expect(text(.spaced, inner: .spaced) == #"{"a": [1, {}, []], "b": {"c": "d"}}"#)
    }

    @Test func writesLines() {
        let expected = """
            {
              "a": [
                1,
                {},
                []
              ],
              "b": {
                "c": "d"
              }
            }
            """
        #expect(text(.lines, inner: .lines) == expected)
    }

    @Test func writesSingleLinesWithinIndentedOnes() {
        let expected = """
            {
                "a": [
                  1,
                  {},
                  []
                ],
                "b": {"c": "d"}
              }
            """
        #expect(text(.lines, inner: .spaced, indentation: "  ") == expected)
    }

    @Test(
        arguments: [
            ("", #""""#), ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#), ("\0\u{8}\u{1F}", #""\u0000\u0008\u001f""#),
            ("\u{7F}é\u{2028}", "\"\u{7F}é\u{2028}\""),
        ] as [(String, String)])
    func escapesOnlyForbiddenCharacters(string: String, expected: String) {
        var writer = JSONWriter()
        writer.string(string)
        #expect(writer.bytes == Array(expected.utf8))
    }
}
