import APIKitCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitRecording
@testable import APIKitTesting

@Suite(.timeLimit(.minutes(10))) struct HARFileTests {
    private static let entry = """
        {"startedDateTime": "2026-11-22T10:00:00.000Z", "request": {"method": "GET", "url": "https://h.example/old"}, \
        "response": {"status": 204}}
        """
    private static let brackets = String(repeating: "[", count: 10_000)
    private let request = HTTPRequest("https://h.example/new")

    private func expectFailure(
        of har: TemporaryHAR, with message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let stub = StubClient(.status(204))
        let error = await stub.recording(to: har.file).failure(of: request, sourceLocation: sourceLocation)
        #expect(error?.code == .fileFailed, sourceLocation: sourceLocation)
        let text = error?.description ?? ""
        #expect(text.contains(message), "\(text)", sourceLocation: sourceLocation)
        // Nothing was sent.
        #expect(stub.requests.isEmpty, sourceLocation: sourceLocation)
    }

    // MARK: - Continuing

    @Test(arguments: [
        #"{"log": {"pages": [{"id": "1"}], "entries": [\#(entry)], "comment": "kept", "_own": {"entries": []}}}"#,
        "\u{FEFF}{\r\n  \"log\" : {\r\n    \"entries\" : [\r\n      \(entry)\r\n    ]\r\n  }\r\n}\r\n\r\n",
        #"{"_log": {"entries": [1]}, "log": {"_entries": [[{"entries": []}]], "entries":[\#(entry)]},"entries":[], "z": {"entries": [0]}}"#,
        #"{"log":{"creator":{"name":"\"entries\": ["},"entries":[\#(entry)],"pages":[{"entries":[]}]}}"#,
    ])
    func existingFileIsContinuedAndKept(_ text: String) async throws {
        let har = try TemporaryHAR(text)
        for count in 2...4 {
            try await har.record(request)
            #expect(try har.entries.count == count)
        }
        // Only entries were inserted, all in one place.
        let written = try har.text
        let start = String(text[..<text.range(of: Self.entry)!.upperBound])
        #expect(written.unicodeScalars.starts(with: start.unicodeScalars))
        #expect(written.unicodeScalars.reversed().starts(with: text.dropFirst(start.count).unicodeScalars.reversed()))
        #expect(try har.client().unusedEntries.count == 4)
    }

    @Test(arguments: ["", #"{"log":{"entries":[]}}"#, #"{"log":{"entries": [ ] }}"#, nil])
    func firstRequestCreatesFileBeforeItIsSent(_ text: String?) async throws {
        let har = try TemporaryHAR(text)
        let stub = StubClient { _ in
            let entries = try har.entries
            #expect(entries.isEmpty)
            return .status(204)
        }
        _ = try await stub.recording(to: har.file).perform(request)
        try await har.record(request)
        #expect(try har.entries.count == 2)
    }

    @Test func everyPrefixOfFileCanBeReadAndContinued() async throws {
        let whole = try TemporaryHAR()
        for number in 1...3 {
            try await whole.record(HTTPRequest("https://h.example/\(number)"), answer: .json(#"{"a":"]}\"{"}"#))
        }
        let text = Array(try whole.text.utf8)
        let start = try #require(try whole.text.range(of: "\"entries\": [")).upperBound
        let first = try whole.text.utf8.distance(from: whole.text.startIndex, to: start)
        for length in stride(from: first, through: text.count, by: Effort.rounds(31, thorough: 7)) {
            let cut = try TemporaryHAR(String(decoding: text.prefix(length), as: UTF8.self))
            let before = try ReplayClient(cut.file).unusedEntries.count
            try await cut.record(request)
            #expect(try cut.entries.count == before + 1, "cut at \(length)")
        }
    }

    // MARK: - Concurrency

    @Test(arguments: [true, false]) func hundredTasksRecordAtOnce(sharesFile: Bool) async throws {
        let har = try TemporaryHAR()
        let clients = (0..<4).map { _ in
            StubClient { .json("\"\($0.url.path)\"") }.recording(to: sharesFile ? har.file : HARFile(har.url))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { _ = try await clients[number % 4].perform(HTTPRequest("https://h.example/\(number)")) }
            }
            try await group.waitForAll()
        }
        let texts = try har.entries.map { $0["response", "content", "text"] as? String }
        #expect(Set(texts) == Set((0..<100).map { "\"/\($0)\"" }))
        #expect(texts.count == 100)
    }

    @Test func fileIsLockedWhileItIsUpdated() throws {
        let har = try TemporaryHAR("")
        let (url, isOpen) = (har.url, Recorder<Bool>())
        let file = try OpenFile.updating(url)
        Thread.detachNewThread {
            _ = try? OpenFile.updating(url)
            _ = isOpen.append(true)
        }
        for _ in 0..<20_000 { sched_yield() }
        #expect(isOpen.values.isEmpty)
        withExtendedLifetime(file) {}
    }

    @Test func changesByOtherProgramsAreNoticed() async throws {
        let har = try TemporaryHAR()
        try await har.record(request)
        try har.folder.write(#"{"log":{"entries":[\#(Self.entry)],"comment":"other"}}"#, to: "test.har")
        try await har.record(request)
        #expect(try har.entries.count == 2)
        #expect(try har.text.hasSuffix(#"],"comment":"other"}}"#))
        // Of the same length.
        try har.folder.write(har.text.replacing(#"],"comment"#, with: #" ],"commen"#), to: "test.har")
        try await har.record(request)
        #expect(try har.entries.count == 3)
        try FileManager.default.removeItem(at: har.url)
        try await har.record(request)
        #expect(try har.entries.count == 1)
    }

    // MARK: - Failures

    @Test func fileThatCannotBeWrittenFailsRequest() async throws {
        let folder = try TemporaryHAR()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: false)
        try await expectFailure(of: folder, with: "cannot write the file")
        #expect(throws: TransportError.self) { try folder.client() }
        let har = try TemporaryHAR()
        try await har.record(request)
        try FileManager.default.removeItem(at: har.folder.url)
        #expect(await StubClient(.status(204)).recording(to: har.file).failure(of: request)?.code == .fileFailed)
        let missing = try TemporaryHAR()
        try FileManager.default.removeItem(at: missing.folder.url)
        try await expectFailure(of: missing, with: missing.url.path)
        #expect(throws: TransportError.self) { try missing.client() }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write to any file"))
    func readOnlyFileIsNotChanged() async throws {
        let har = try TemporaryHAR(#"{"log":{"entries":[]}}"#)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: har.url.path)
        try await expectFailure(of: har, with: "Permission denied")
    }

    @Test func lostEntryOfStreamFailsNextRequest() async throws {
        let har = try TemporaryHAR()
        let head = HTTPResponse.Head(status: 200, url: request.url)
        let streaming = StubClient { _ in HTTPResponse(head: head, body: ResponseBody(ByteStream("one"))) }
        var response: HTTPResponse? = try await streaming.recording(to: har.file).perform(request)
        #expect(response?.head.status == 200)
        try FileManager.default.removeItem(at: har.folder.url)
        response = nil
        try FileManager.default.createDirectory(at: har.folder.url, withIntermediateDirectories: false)
        #expect(await StubClient(.status(204)).recording(to: har.file).failure(of: request)?.code == .fileFailed)
        // It is reported once.
        try await har.record(request)
        #expect(try har.entries.count == 1)
    }

    @Test(
        arguments: [
            ("[]", "the top level is not"), ("{}", "log is missing"), (#"{"log": {}}"#, "log.entries is missing"),
            (#"{"log": {"entries": {}}}"#, "log.entries is not"), ("\u{0}\u{1}not JSON", "is not a HAR"),
            (#"{"log": {"entr"#, "is not a HAR"), (#"{"log": {"entries": [] "x"}}"#, "is not a HAR"),
            (brackets, "is not a HAR"),
            (#"{"log": {"entries": \#(brackets)\#(brackets.replacing("[", with: "]"))}}"#, "is not a HAR"),
        ] as [(String, String)])
    func whatIsNotHARIsKeptAndNamed(_ text: String, _ message: String) async throws {
        let har = try TemporaryHAR(text)
        try await expectFailure(of: har, with: message)
        #expect(try har.text.utf8.elementsEqual(text.utf8))
        let error = #expect(throws: ContentError.self) { try har.client() }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        #expect(error?.description.contains(har.url.path) == true)
    }

    // MARK: - Files of other tools

    @Test(arguments: [("%%%", "base64"), ("x", "gzip")])
    func unreadableBodyFailsItsRequestAlone(_ text: String, _ encoding: String) async throws {
        let har = try TemporaryHAR(
            entries: Self.entry,
            #"""
            {"request": {"method": "GET", "url": "https://h.example/odd"},
             "response": {"status": 200, "content": {"text": "\#(text)", "encoding": "\#(encoding)"}}}
            """#)
        #expect(try await har.replay(HTTPRequest("https://h.example/old")).head.status == 204)
        let error = try await har.client().failure(of: HTTPRequest("https://h.example/odd"))
        #expect(error?.code == .unsupported)
        #expect(error?.message?.contains("\"\(encoding)\"") == true)
    }

    @Test(arguments: [#""%%%", "_encoding": "base64""#, "7"])
    func unreadableBodyOfRequestMatchesAnyBody(_ text: String) async throws {
        let har = try TemporaryHAR(
            entries: #"""
                {"request": {"method": "PUT", "url": "https://h/", "bodySize": 3, "postData": {"text": \#(text)}},
                 "response": {"status": 204}}
                """#)
        let body = RequestBody.data(Data("any".utf8), contentType: nil)
        #expect(try await har.replay(HTTPRequest(.put, "https://h/", body: body)).head.status == 204)
    }

    @Test(arguments: [
        #""response": {"status": 200, "_error": false, "comment": {}}"#,
        #""startedDateTime": 7, "response": {"status": 200, "content": []}"#,
        #""response": {"status": 200, "headers": {}, "content": {"mimeType": null, "text": 1, "encoding": 2}}"#,
        #""response": {"status": 200, "headers": [{"name": 1}, 7, null, {"value": "x"}, {"name": "X", "value": 1}]}"#,
    ])
    func oddMembersAreIgnored(_ members: String) async throws {
        let request = #"{"method": "GET", "url": "https://h/", "bodySize": "0", "postData": []}"#
        let har = try TemporaryHAR(entries: #"{"request": \#(request), \#(members)}"#, Self.entry)
        #expect(try await har.replay(HTTPRequest("https://h/")).head.status == 200)
        #expect(try await har.replay(HTTPRequest("https://h.example/old")).head.status == 204)
    }

    @Test(arguments: [
        "", #", "response": null"#, #", "response": {}"#, #", "response": {"status": "200"}"#, #", "response": 7"#,
    ])
    func entryWithoutResponseIsSkipped(_ response: String) async throws {
        let har = try TemporaryHAR(
            entries: #"{"request": {"method": "GET", "url": "https://h/"}\#(response)}"#, #"{"request": 7}"#, "{}",
            Self.entry)
        #expect(try har.client().unusedEntries == ["4. GET https://h.example/old (204)"])
        #expect(try await har.client().failure(of: HTTPRequest("https://h/"))?.code == .unsupported)
        try await har.record(request)
        #expect(try har.entries.count == 5)
    }

    @Test func deeplyNestedBodiesDoNotOverflowStack() async throws {
        let har = try TemporaryHAR()
        let nested = String(repeating: #"{"token":["#, count: 5_000) + String(repeating: "]}", count: 5_000)
        let request = HTTPRequest(.post, "https://h.example/", body: .data(Data(nested.utf8), contentType: .json))
        try await har.record(request, answer: .json(nested))
        #expect(try await har.replay(request).head.status == 200)
    }
}
