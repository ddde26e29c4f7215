import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

/// No text of a description or a recording gets out of the comments and literals that are written for it.
///
/// Each is added to one place after the other. What is generated must have the tokens that a harmless text with the
/// same words leads to, since names are made of words. `APIKIT_HOSTILE_TEXTS` says how many of the cases run.
@Suite struct InjectionTests {
    private static let count = HostileText.wantedCount ?? 30

    private static let descriptions = ["texts.yaml", "shop.yaml", "access.yaml"]

    private static func document(_ name: String) throws -> Node {
        let source = GoldenTests.tests.appending(path: "Descriptions/\(name)")
        return try Documents.parse(Data(contentsOf: source), file: name)
    }

    @Test(.timeLimit(.minutes(60))) func textsOfADescriptionStayInCommentsAndLiterals() throws {
        let output = try HostileOutput()
        let documents = try Self.descriptions.map(Self.document)
        for test in Self.cases(of: documents) {
            output.check(documents[test.document], at: test.place, with: test.text, isRecording: false)
        }
        #expect(output.compared * 10 > Self.count * 7, "most cases must lead to code")
    }

    @Test(.timeLimit(.minutes(60))) func textsOfARecordingStayInCommentsAndLiterals() throws {
        let output = try HostileOutput()
        let documents = try Recordings.all.map { try JSONParser.parse(Array($0.har.utf8), file: $0.name) }
        for test in Self.cases(of: documents) {
            output.check(documents[test.document], at: test.place, with: test.text, isRecording: true)
        }
        #expect(output.compared * 10 > Self.count * 7, "most cases must lead to code")
    }

    @Test func anyTextMayStandInAllProseNamesAndValues() throws {
        let output = try HostileOutput()
        let document = try Self.document("texts.yaml")
        for text in HostileText.chosen { output.check(document, at: nil, with: text, isRecording: false) }
        #expect(output.compared == HostileText.chosen.count)
    }

    /// Places and texts, the same each time.
    private static func cases(of documents: [Node]) -> [(document: Int, place: Int, text: String)] {
        var cases = documents.indices.flatMap { document in
            (0..<TextChange.count(in: documents[document])).flatMap { place in
                HostileText.all.map { (document: document, place: place, text: $0) }
            }
        }
        var random = SplitMix(state: 5)
        cases.shuffle(using: &random)
        return Array(cases.prefix(count))
    }
}
