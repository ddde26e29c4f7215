import APIKitCore
import Foundation
import TestSupport
import Testing

/// How errors of other libraries appear in our descriptions.
@Suite struct ErrorTextTests {
    private func text(_ error: any Error) -> String { TransportError(.other, underlying: error).description }

    private struct Plain: Error { let number = 7 }
    private struct Described: Error, CustomStringConvertible { let description: String }
    private struct Localized: LocalizedError { let errorDescription: String? }
    private struct Both: LocalizedError, CustomStringConvertible {
        let errorDescription: String?
        let description = "described"
    }
    private enum Key: String, CodingKey { case name, list, password }
    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "Index \(intValue ?? 0)" }
        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    @Test func usesDescriptionOfError() {
        #expect(text(Plain()) == "other: Plain(number: 7)")
        #expect(text(Described(description: "no luck")) == "other: no luck")
        #expect(text(Localized(errorDescription: "no luck")) == "other: no luck")
        #expect(text(Both(errorDescription: "localized")) == "other: localized")
        #expect(text(Both(errorDescription: nil)) == "other: described")
        #expect(text(RequestError(.body, "no luck")) == "other: no luck")
    }

    @Test func describesErrorsOfPackage() {
        let inner = TransportError(.timedOut, "too slow")
        #expect(text(inner) == "other: timedOut: too slow")
        #expect(text(APIError<Data>.cancelled) == "other: the request was cancelled")
    }

    @Test func spellsCodingPathsAsInCode() {
        let path: [any CodingKey] = [Key.list, Index(intValue: 3), Key.name]
        let context = DecodingError.Context(codingPath: path, debugDescription: "words")
        #expect(text(DecodingError.typeMismatch(Int.self, context)) == "other: list[3].name is not an Int")
        #expect(text(DecodingError.valueNotFound(Int.self, context)) == "other: list[3].name is null, not an Int")
        #expect(text(DecodingError.keyNotFound(Key.name, context)) == "other: list[3].name.name is missing")
        #expect(text(DecodingError.dataCorrupted(context)) == "other: list[3].name: words")
        let invalid = EncodingError.invalidValue(1, EncodingError.Context(codingPath: path, debugDescription: "words"))
        #expect(text(invalid) == "other: list[3].name: words")
        let top = DecodingError.Context(codingPath: [], debugDescription: "words")
        #expect(text(DecodingError.typeMismatch(Int.self, top)) == "other: the top level is not an Int")
        let first = DecodingError.Context(codingPath: [Index(intValue: 0)], debugDescription: "words")
        #expect(text(DecodingError.typeMismatch(Int.self, first)) == "other: [0] is not an Int")
    }

    @Test func masksMessageOfCoderIfPathNamesSecret() {
        let path: [any CodingKey] = [Key.password, Index(intValue: 0)]
        let context = DecodingError.Context(codingPath: path, debugDescription: "no such case: hunter2")
        #expect(text(DecodingError.dataCorrupted(context)) == "other: password[0]: ***")
        let encoding = EncodingError.Context(codingPath: path, debugDescription: "hunter2")
        #expect(text(EncodingError.invalidValue("hunter2", encoding)) == "other: password[0]: ***")
    }

    @Test(arguments: ["one\ntwo", "one\r\ntwo", "one\u{2028}two", "one\n\n\ntwo"]) func joinsLines(words: String) {
        #expect(text(Described(description: words)) == "other: one two")
        #expect(text(RequestError(.body, words)) == "other: one two")
    }

    @Test(arguments: ["Bearer hunter2", "token=hunter2", "https://u:hunter2@h/", #"{"password":"hunter2"}"#])
    func masksSecrets(words: String) {
        #expect(!text(Described(description: words)).contains("hunter2"))
        struct Refused: Error { let token: String? }
        #expect(text(Refused(token: "hunter2")) == "other: Refused(token: ***")
        #expect(!text(Localized(errorDescription: words)).contains("hunter2"))
        #expect(!text(NSError(domain: "d", code: 7, userInfo: [NSLocalizedDescriptionKey: words])).contains("hunter2"))
    }
}
