import Foundation
import OpenAPIRules
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

    @Test func secretOfOneExchangeIsMaskedInAllOthers() throws {
        let folder = try TemporaryFolder()
        let entries = [
            entry("GET", "a/quite-hidden/b?q=quite%2Dhidden", status: 200, type: "application/json", text: #""{}""#),
            entry("GET", "c", status: 200, type: "application/json", text: #""{\"quite-hidden\": \"quite-hidden.\"}""#),
            entry("GET", "d", status: 200, type: "application/json", text: #""{\"token\": \"quite-hidden\"}""#),
            // The host stays, although it is also the value of a member with a secret name.
            entry("GET", "e", status: 200, type: "application/json", text: #""{\"auth\": \"api.example.com\"}""#),
        ]
        let file = try folder.write(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#, to: "a.har")
        let exchanges = try Archive(file).exchanges
        #expect(exchanges[0].path == ["a", "***", "b"])
        #expect(exchanges[0].query.map(\.value) == ["***"])
        #expect(exchanges[1].response == Node(.object(["***": Node(.text("***."))])))
        #expect(exchanges.allSatisfy { $0.origin == "https://api.example.com" })
    }

    @Test func entryHasTheLineAndThePathOfItsPlace() throws {
        let folder = try TemporaryFolder()
        let entry = entry("GET", "a", status: 200, type: "application/json", text: #""{}""#)
        let file = try folder.write("{\"log\": {\n\"entries\": [\n\(entry),\n\n\(entry)]}}", to: "a.har")
        let places = try Archive(file).exchanges.map(\.place.description)
        #expect(places == ["a.har, line 3, /log/entries/0", "a.har, line 6, /log/entries/1"])
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
