import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

struct PartialJSONTests {
    @Test(
        arguments: [
            ("", nil), (" ", nil), ("{", "{}"), (#"{"ci"#, "{}"), (#"{"city""#, "{}"), (#"{"city":"#, "{}"),
            (#"{"city": ""#, #"{"city": ""}"#), (#"{"city": "Zür"#, #"{"city": "Zür"}"#),
            (#"{"city": "Zürich", "#, #"{"city": "Zürich"}"#), (#"{"city": "Zürich", "day"#, #"{"city": "Zürich"}"#),
            (#"{"a": 12"#, "{}"), (#"{"a": 12,"#, #"{"a": 12}"#), (#"{"a": tru"#, "{}"),
            (#"{"a": true "#, #"{"a": true}"#),
            (#"{"a": [1, {"b": ["x"#, #"{"a": [1, {"b": ["x"]}]}"#),
            (#"{"a": {}, "b": [[], "#, #"{"a": {}, "b": [[]]}"#),
            (#"["a\"#, #"["a"]"#), (#"["a\n"#, #"["a\n"]"#), (#"["a\u00"#, #"["a"]"#), (#"["a\u00e4"#, #"["a\u00e4"]"#),
            (#"["\ud83d"#, #"[""]"#), (#"["\ud83d\"#, #"[""]"#), (#"["\ud83d\udc"#, #"[""]"#),
            (#"["\ud83d\udc4b"#, #"["\ud83d\udc4b"]"#), (#"["\\"#, #"["\\"]"#), (#"["\\\"#, #"["\\"]"#),
            (#"["\""#, #"["\""]"#),
            (#"{"\"": "x"#, #"{"\"": "x"}"#), (#""te"#, #""te""#), ("[1, 2] ", "[1, 2]"),
        ] as [(String, String?)])
    func closesWhatIsOpen(text: String, closed: String?) {
        #expect(PartialJSON(text).textSoFar == closed)
        // However it arrives.
        var pieces = PartialJSON()
        for character in text.unicodeScalars { pieces.append(String(character)) }
        #expect(pieces.textSoFar == closed)
        #expect(pieces.text == text)
    }

    @Test func everyStartIsJSONThatGrows() throws {
        let text = #"{"q": "a\\b \"c\" 😀 é\n", "n": [1, -2.5e3, {"t": true, "z": null}], "o": {"k": "v"}}"#
        var partial = PartialJSON()
        var (last, count) = (0, 0)
        for character in text {
            partial.append(String(character))
            guard let soFar = partial.textSoFar else { continue }
            let object = try JSONSerialization.jsonObject(with: Data(soFar.utf8))
            #expect(object is [String: Any], "\(soFar)")
            #expect(soFar.utf8.count + 8 >= last)
            last = soFar.utf8.count
            count += 1
        }
        #expect(count == text.count)
        #expect(partial.textSoFar == text)
    }

    @Test func aTextThatIsKeptStaysAsItWas() {
        var partial = PartialJSON("{\"q\": \"\u{600}")
        // The last character before the closing quote would be one with it.
        let first = partial.textSoFar
        partial.append("swift")
        #expect(first == "{\"q\": \"\u{600}\"}")
        #expect(partial.textSoFar == "{\"q\": \"\u{600}swift\"}")
    }

    @Test func whatIsTooDeepIsNotClosed() throws {
        var partial = PartialJSON(String(repeating: "[", count: 512))
        #expect(partial.textSoFar == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        partial.append("[")
        #expect(partial.textSoFar == String(repeating: "[", count: 513))
        #expect(throws: DecodingError.self) { try partial.decodeSoFar(Search.self) }
        partial.append("]")
        #expect(partial.textSoFar?.utf8.count == 514 + 512)
    }

    private struct Search: Decodable, Equatable {
        var query: String?
        var limit: Int?
    }

    @Test func decodesWhatIsThereAndTheWhole() throws {
        var partial = PartialJSON()
        #expect(try partial.decodeSoFar(Search.self) == nil)
        partial.append(#"{"query": "swi"#)
        #expect(try partial.decodeSoFar(Search.self) == Search(query: "swi"))
        #expect(throws: DecodingError.self) { try partial.decode(Search.self) }
        partial.append(#"ft", "limit": 5}"#)
        #expect(try partial.decode(Search.self) == Search(query: "swift", limit: 5))
    }

    @Test(arguments: ["}", "]]", "{]", #"{"a" 1}"#, "nul]", ",,,", #"{"a":}"#, "\"a\" \"b\"", "[\u{0}"])
    func whatIsNotJSONIsTheDecodersError(text: String) {
        let partial = PartialJSON(text)
        #expect(throws: DecodingError.self) { try partial.decode(Search.self) }
        _ = try? partial.decodeSoFar(Search.self)
    }
}
