import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

/// Generates code from documents with hostile texts, and compares it with that of harmless ones.
final class HostileOutput {
    /// How many cases led to code.
    private(set) var compared = 0
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Checks a document with a text added at one place, or at all.
    func check(_ document: Node, at place: Int?, with text: String, isRecording: Bool) {
        let hostile = files(TextChange.changed(document, at: place, by: text, isHarmless: false), isRecording)
        let harmless = files(TextChange.changed(document, at: place, by: text, isHarmless: true), isRecording)
        check(hostile, harmless, "\(text.debugDescription) at \(place.map { "\($0)" } ?? "all")")
    }

    /// Checks a description with a text in the places marked by `TEXT`.
    func check(_ description: String, with text: String) {
        let (hostile, harmless) = (Self.quoted(text), Self.quoted(HostileText.harmless(text)))
        check(
            files(description.replacing("TEXT", with: hostile), false),
            files(description.replacing("TEXT", with: harmless), false), text.debugDescription)
    }

    private static func quoted(_ text: String) -> String {
        Mutation.json(Node(.text(text))).dropFirst().dropLast().description
    }

    private func check(_ hostile: [SourceFile]?, _ harmless: [SourceFile]?, _ what: String) {
        #expect(hostile?.map(\.path) == harmless?.map(\.path), "\(what)")
        guard let hostile, let harmless else { return }
        compared += 1
        for (file, other) in zip(hostile, harmless) {
            let (tokens, expected) = (SwiftTokens(file.text).all, SwiftTokens(other.text).all)
            if tokens != expected {
                let first = zip(tokens, expected).prefix { $0 == $1 }.count
                let (found, wanted) = (tokens[first...].prefix(8), expected[first...].prefix(8))
                Issue.record("\(file.path) has \(found), not \(wanted), with \(what)")
            }
            let hidden = file.text.unicodeScalars.first { $0 != "\n" && Self.isHidden($0) }
            #expect(hidden == nil, "\(file.path), \(what)")
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private func files(_ document: Node, _ isRecording: Bool) -> [SourceFile]? {
        files(Mutation.json(document), isRecording)
    }

    /// The files; nil if the document is an error.
    private func files(_ text: String, _ isRecording: Bool) -> [SourceFile]? {
        do {
            let file = try folder.write(text, to: isRecording ? "session.har" : "api.json")
            var generation = try Generation(name: "Text")
            generation.writesOAuthSource = true
            let (plan, samples) = try generation.prepared(file)
            let sources = try SourceWriter(plan: plan, filter: Filter([])).files()
            return try sources + TestWriter(plan: plan, samples: samples, filter: Filter([])).files()
        } catch is DescriptionError {
            return nil
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
