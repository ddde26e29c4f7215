import Foundation
import Testing

@testable import APIKitTools

/// What of a recording is an API's.
@Suite struct ArchiveTests {
    private func entry(_ method: String, _ path: String, status: Int, type: String, text: String = "") -> String {
        #"""
        {"request": {"method": "\#(method)", "url": "https://api.example.com/\#(path)"}, "response":
        {"status": \#(status), "content": {"mimeType": "\#(type)", "text": \#(text.isEmpty ? "\"\"" : text)}}}
        """#
    }

    @Test(arguments: ["application/json", "", "x-unknown", "text/plain"])
    func responseWithoutContentIsKeptWhateverItsTypeIs(type: String) throws {
        let folder = try TemporaryFolder()
        let entries = [
            entry("GET", "users", status: 200, type: "application/json", text: #""{\"id\": 1}""#),
            entry("DELETE", "users/1", status: 204, type: type),
        ]
        let file = try folder.write(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#, to: "a.har")
        let archive = try Archive(file)
        #expect(archive.exchanges.map(\.method) == ["GET", "DELETE"])
        #expect(archive.skipped.isEmpty)
    }

    @Test func recordingCorrectsMomentsWithoutAnOffset() throws {
        let folder = try TemporaryFolder()
        let moment = #"{"type": "string", "format": "date-time"}"#
        let schema = ##"{"properties": {"a": {}, "at": \##(moment), "until": \##(moment)}}"##
        let source = try folder.write(TemporaryFolder.description(schema: schema), to: "api.json")
        let json = #""{\"a\": 1, \"at\": \"2020-12-03T19:04:58\", \"until\": \"2020-12-03T19:04:58Z\"}""#
        let entry = entry("GET", "a", status: 200, type: "application/json", text: json)
        var generation = try Generation(name: "Test")
        generation.recording = try folder.write(#"{"log": {"entries": [\#(entry)]}}"#, to: "a.har")
        let plan = try generation.prepared(source).plan
        let text = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(text.contains("let at: String?") && text.contains("let until: Date?"))
        let note = plan.api.notes.first { $0.kind == .corrected }
        #expect(note?.text == "at is a String: the recording has times without an offset from UTC")
    }
}
