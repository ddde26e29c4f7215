import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    private let har: TemporaryHAR

    init() throws { har = try TemporaryHAR() }

    // MARK: - The format

    @Test func writesWhatHARRequires() async throws {
        let request = HTTPRequest(
            .post, "https://api.example.com/a%20b?q=red%20blue&flag&q=2", headers: ["X-One": "1", "X-One": "2"],
            body: .json(["a": 1]))
        let answer = HTTPResponse.json("[]", headers: ["Set-Cookie": "theme=dark; Path=/", .location: "/next"])
        try await har.record(request, answer: answer)
        let entry = try #require(try har.entries.first)

        #expect(Set(entry.keys) == ["startedDateTime", "time", "request", "response", "cache", "timings"])
        let date = try #require(entry["startedDateTime"] as? String)
        #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        for step in ["send", "wait", "receive"] {
            #expect(try #require(entry["timings", step] as? Double) >= 0)
        }
        #expect(entry["request", "method"] as? String == "POST")
        #expect(entry["request", "url"] as? String == "https://api.example.com/a%20b?q=red%20blue&flag&q=2")
        #expect(entry["request", "bodySize"] as? Int == 7)
        #expect(entry["request", "postData", "text"] as? String == #"{"a":1}"#)
        #expect(entry["request", "postData", "mimeType"] as? String == "application/json")
        func lines(_ list: String) -> [String] { entry.fields("request", list).map { "\($0.name): \($0.value)" } }
        #expect(lines("queryString") == ["q: red blue", "flag: ", "q: 2"])
        #expect(lines("headers").prefix(2) == ["X-One: 1", "X-One: 2"])
        #expect(entry["response", "status"] as? Int == 200)
        #expect(entry["response", "redirectURL"] as? String == "/next")
        #expect(try har.recordedText == "[]")
        #expect(entry["response", "content", "size"] as? Int == 2)
        #expect(entry["response", "content", "mimeType"] as? String == "application/json")
        #expect(entry.fields("response", "cookies").first?.name == "theme")
    }

    @Test func writesOneMemberPerLineInFixedOrder() async throws {
        try await har.record(HTTPRequest("https://h.example/1"), answer: .json("[1]"))
        let first = try har.text
        try await har.record(HTTPRequest("https://h.example/2"), answer: .json("[2]"))
        let both = try har.text
        #expect(first.hasPrefix("{\n  \"log\": {\n    \"version\": \"1.2\",\n"))
        #expect(both.hasSuffix("\n      }\n    ]\n  }\n}\n"))
        // Another entry changes the line before it alone, by a comma.
        let kept = first.dropLast("\n    ]\n  }\n}\n".count)
        #expect(both.hasPrefix("\(kept),\n      {\n        \"startedDateTime\""))
        #expect(both.contains("\n          \"headers\": [\n            {\"name\": \"Content-Type\", \"value\": "))
    }

    @Test func recordsTimesOfResponse() async throws {
        var answer = HTTPResponse.json("[]")
        answer.timing = HTTPResponse.Timing(
            sent: .milliseconds(2), firstByte: .milliseconds(32), finished: .microseconds(36_500))
        try await har.record(HTTPRequest("https://h.example/"), answer: answer)
        let entry = try #require(try har.entries.first)
        #expect(entry["timings"] as? [String: Double] == ["send": 2, "wait": 30, "receive": 4.5])
        #expect(entry["time"] as? Double == 36.5)
    }

    // MARK: - Bodies

    @Test(arguments: [
        Data(), Data("[]".utf8), Data("\u{FEFF}{\"a\": \"\\u00e9\", \"b\":1.0e5}\r\n".utf8), Data([0xFF, 0xFE, 0, 1]),
        Data("\u{0}\u{1F}\u{7F}\u{2028}e\u{301}\"\\/\t".utf8), Data((0...255).map { UInt8($0) }),
    ])
    func bodiesAreReplayedByteForByte(_ body: Data) async throws {
        for type in ["application/json", "text/plain", "image/png", nil] as [String?] {
            let request = HTTPRequest(.post, "https://h.example/\(UUID())", body: .data(body, contentType: nil))
            try await har.record(request, answer: .status(200, headers: [.contentType: type], body: body))
            #expect(try await har.replay(request).body.data == body)
        }
    }

    @Test func recordsRequestBodiesOfEveryKind() async throws {
        let file = try har.folder.write("from a file", to: "notes.txt")
        var form = MultipartForm(boundary: "b")
        form.append("x", for: "title")
        form.append(FilePart(file), for: "notes")
        let stream = RequestBody.stream(length: nil, contentType: "text/csv") { Chunks("a,b") }
        let bodies: [RequestBody] = [
            .file(file), stream, .multipart(form), .data(Data([0xFF]), contentType: nil), .file(file, range: 2..<6),
        ]
        for body in bodies {
            try await har.record(HTTPRequest(.put, "https://h.example/", body: body))
        }
        let posts = try har.entries.compactMap { $0["request", "postData"] as? [String: String] }
        #expect(posts[0] == ["mimeType": "text/plain", "text": "from a file"])
        #expect(posts[1] == ["mimeType": "text/csv", "text": "a,b"])
        #expect(posts[2]["mimeType"] == "multipart/form-data; boundary=b")
        #expect(posts[2]["text"]?.contains("\r\n\r\nfrom a file\r\n--b--") == true)
        #expect(posts[3] == ["mimeType": "application/octet-stream", "text": "/w==", "_encoding": "base64"])
        #expect(posts[4] == ["mimeType": "text/plain", "text": "om a"])
    }

    @Test func saysWhyRequestBodyIsMissing() async throws {
        struct Broken: Error {}
        let body = RequestBody.stream(length: nil, contentType: "text/csv") { Chunks("a,b", failure: Broken()) }
        let request = HTTPRequest(.put, "https://h.example/", body: body)
        try await har.record(request)
        let post = try #require(try har.entries.first?["request", "postData"] as? [String: String])
        #expect(post["comment"]?.contains("Broken") == true)
        #expect(post["text"] == nil)
        // It matches any body.
        let other = HTTPRequest(.put, "https://h.example/", body: .data(Data("c".utf8), contentType: nil))
        #expect(try await har.replay(other).head.status == 204)
    }

    @Test func bodiesAboveLimitAreNotRecorded() async throws {
        let file = HARFile(har.url, bodyLimit: 4)
        for text in ["four", "fives"] {
            let body = RequestBody.data(Data(text.utf8), contentType: .plainText)
            let request = HTTPRequest(.put, "https://h.example/\(text)", body: body)
            _ = try await StubClient(.text(text)).recording(to: file).perform(request)
            let streaming = HTTPRequest("https://h.example/\(text)", delivery: .stream)
            let stream = StubClient().answering(.get, "/*", with: .stream(text)).recording(to: file)
            #expect(try await stream.perform(streaming).body.bytes.data(upTo: 9) == Data(text.utf8))
        }
        let entries = try har.entries
        #expect(entries.map { $0["response", "content", "text"] as? String } == ["four", "four", nil, nil])
        #expect(entries.map { $0["request", "postData", "text"] as? String } == ["four", nil, nil, nil])
        let message = "the body was not recorded: the body is larger than the limit of 4 bytes"
        #expect(entries[2]["request", "postData", "comment"] as? String == message)
        #expect(entries[2...].map { $0["response", "comment"] as? String } == [message, message])

        let body = RequestBody.data(Data("fives".utf8), contentType: .plainText)
        let error = try await har.client().failure(of: HTTPRequest(.put, "https://h.example/fives", body: body))
        #expect(error?.code == .unsupported)
        #expect(error?.message == message)
    }

    @Test func recordsFileAndPassesItOn() async throws {
        let file = try har.folder.write("bytes", to: "download")
        let request = HTTPRequest("https://h.example/", delivery: .file)
        let answer = HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(removing: file))
        for response in [try await har.record(request, answer: answer), try await har.replay(request)] {
            #expect(try response.body.file.map { try Data(contentsOf: $0) } == Data("bytes".utf8))
        }
    }

    @Test func typedAnswerIsRecordedWithoutBytes() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        #expect(try await stub.recording(to: har.file).send(AccountRequest()).login == "ada")
        #expect((try har.entries.first?["response", "comment"] as? String)?.contains("typed answer") == true)
        let error = try await ReplayClient(har.file).failure(of: AccountRequest())
        #expect(error.transportCode == .unsupported)
    }

    // MARK: - Streams

    private func client(streaming stream: ByteStream) -> some APIClient {
        let head = HTTPResponse.Head(
            status: 200, headers: [.contentType: "text/plain"], url: URL(string: "https://h/")!)
        return StubClient(HTTPResponse(head: head, body: ResponseBody(stream))).recording(to: har.file)
    }

    private static let pieces = ByteStream([Data("one".utf8), Data("two".utf8)])
    private let streaming = HTTPRequest("https://h.example/", delivery: .stream)

    @Test func streamIsRecordedAtItsEnd() async throws {
        let response = try await client(streaming: Self.pieces).perform(streaming)
        #expect(try har.entries.isEmpty)
        #expect(try await response.body.bytes.data(upTo: 100) == Data("onetwo".utf8))
        #expect(try har.recordedText == "onetwo")
        #expect(try await har.replay(streaming).body.bytes.data(upTo: 10) == Data("onetwo".utf8))
    }

    @Test(arguments: [("one\n", "two\n"), ("token=hunter2\n", "token=hunter2&b=two\nx")])
    func replayKeepsTheTimesOfPieces(first: String, second: String) async throws {
        let (clock, request) = (ManualClock(skippingSleep: true), HTTPRequest("https://h.example/x", delivery: .stream))
        let stream = StubClient.Answer<Never>.stream(
            first, second, "3", every: .seconds(7), headers: [.contentType: "text/plain"])
        let stub = StubClient(clock: clock).answering(.get, "/*", with: stream)
        let recorded = try await stub.recording(to: har.file).perform(request).body.bytes
        #expect(try await recorded.data(upTo: 100).count == (first + second).utf8.count + 1)

        let replayClock = ManualClock(skippingSleep: true)
        let replay = try ReplayClient(har.file, clock: replayClock)
        var (times, pieces): ([Duration], [String]) = ([], [])
        for try await piece in try await replay.perform(request).body.bytes {
            times.append(replayClock.elapsed)
            pieces.append(String(decoding: piece, as: UTF8.self))
        }
        #expect(times == [.zero, .seconds(7), .seconds(14)])
        #expect(pieces.joined() == (try har.recordedText))
        #expect(!pieces.joined().contains("hunter2") || !first.contains("token"))
        // Without a clock, all of it comes at once.
        #expect(try await har.replay(request).body.bytes.data(upTo: 100) == Data(pieces.joined().utf8))
    }

    /// Any program may have written the file.
    @Test(arguments: ["1500, 9223372036854774784", "-5, 2005", "4, -9e300", "3, 1997.5", "1e300", "2000, 1"])
    func sizesOfPiecesMayBeWrong(sizes: String) async throws {
        let pieces = sizes.split(separator: ", ").map { #"{"time": 0, "size": \#($0)}"# }.joined(separator: ",")
        let text = String(repeating: "one ", count: 500)
        let har = try TemporaryHAR(
            entries: #"""
                {"startedDateTime": "2026-11-20T18:30:00Z", "time": 1,
                 "request": {"method": "GET", "url": "https://h.example/", "headers": []}, "response": {"status": 200,
                 "headers": [], "content": {"mimeType": "text/plain", "text": "\#(text)", "_pieces": [\#(pieces)]}}}
                """#)
        #expect(try await har.replay(streaming).body.bytes.data(upTo: 2000) == Data(text.utf8))
    }

    /// The error that a replayed stream ends with after its first piece.
    private func replayedFailure() async throws -> TransportError? {
        #expect(try har.recordedText == "one")
        var iterator = try await har.replay(streaming).body.bytes.makeAsyncIterator()
        #expect(try await iterator.next() == Data("one".utf8))
        return await #expect(throws: TransportError.self) { try await iterator.next() }
    }

    @Test func streamThatIsLeftEarlyIsRecordedAsFarAsItWasRead() async throws {
        for try await _ in try await client(streaming: Self.pieces).perform(streaming).body.bytes { break }
        #expect(try await replayedFailure()?.message?.contains("not read to its end") == true)
        _ = try await client(streaming: ByteStream("one")).perform(streaming)
        #expect(try har.entries.count == 2)
    }

    @Test func brokenStreamBreaksAgain() async throws {
        let stream = ByteStream(Chunks("one", failure: TransportError(.connectionLost, "it broke")))
        let response = try await client(streaming: stream).perform(streaming)
        await #expect(throws: TransportError.self) { try await response.body.bytes.data(upTo: 100) }
        let error = try await replayedFailure()
        #expect(error?.code == .connectionLost)
        #expect(error?.message == "it broke")
    }

    // MARK: - Failures

    @Test func failureIsReplayed() async throws {
        let broken = StubClient { _ in throw TransportError(.timedOut, "no data received for 60 s") }
        _ = try await broken.recording(to: har.file).failure(of: AccountRequest())
        #expect(try har.entries.first?["response", "status"] as? Int == 0)
        #expect(try har.entries.first?["response", "_error"] as? String == "timedOut")
        let error = try await ReplayClient(har.file).failure(of: AccountRequest())
        #expect(error.transportCode == .timedOut)
        #expect(error.description.hasSuffix("/accounts/1: timedOut: no data received for 60 s"))
    }

    @Test func requestThatIsCancelledOrNotSentIsNotRecorded() async throws {
        let request = HTTPRequest("https://h.example/", headers: ["Bad Name": "1"])
        await #expect(throws: RequestError.self) { try await har.record(request) }
        #expect(!har.url.exists)
        let hanging = HangingClient()
        let task = Task { [har] in try await hanging.recording(to: har.file).send(AccountRequest()) }
        _ = await hanging.arrival()
        task.cancel()
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(try har.entries.isEmpty)
    }

    @Test func eachHopAndAttemptIsRecordedAsSentAndReplayed() async throws {
        let live = ScriptedClient(
            .status(503, headers: [.retryAfter: "0"]),
            .status(307, headers: [.location: "https://other.example/x?token=abcdefgh"]), .json("[]"))
        let clock = ManualClock(skippingSleep: true)
        let recording = live.recording(to: har.file).timed(by: clock).retrying()
            .adding(headers: ["X-Internal": "internal"])
        #expect(try await recording.send(AccountsRequest()).isEmpty)
        #expect(try har.entries.map { $0["response", "status"] as? Int } == [503, 307, 200])
        let headers = try har.entries.map { $0.fields("request", "headers") }
        #expect(headers.map { $0.contains { $0.name == "X-Internal" } } == [true, true, false])
        let replay = try har.client(inOrder: true)
        let reply = try await replay.timed(by: clock).retrying().reply(to: AccountsRequest())
        #expect(reply.head.url.absoluteString == "https://other.example/x?token=***")
        #expect(replay.unusedEntries == [])
    }
}
