import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

@Suite(.timeLimit(.minutes(10))) struct ReplayClientTests {
    private static func entry(
        _ url: String, method: String = "GET", text: String = "", post: String? = nil, date: String? = nil
    ) -> String {
        let started = date.map { #""startedDateTime": "\#($0)","# } ?? ""
        return
            #"{\#(started) "request": {"method": "\#(method)", "url": "\#(url)"\#(post.map { ", \"postData\": \($0)" } ?? "")}, "#
            + #""response": {"status": 200, "content": {"text": "\#(text)"}}}"#
    }

    private static func json(_ text: String) -> String {
        #"{"mimeType": "application/json; charset=utf-8", "text": \#(text.debugDescription)}"#
    }

    private func body(_ request: HTTPRequest, _ client: ReplayClient) async throws -> String {
        String(decoding: try #require(try await client.perform(request).body.data), as: UTF8.self)
    }

    // MARK: - Lenient matching

    @Test func entriesOfOneRequestAreGivenInOrderAndLastOneRepeats() async throws {
        let har = try TemporaryHAR(
            entries: Self.entry("https://h/a", text: "1"), Self.entry("https://h/b", text: "b"),
            Self.entry("https://h/a", text: "2"))
        let client = try har.client()
        let (a, b) = (HTTPRequest("https://h/a"), HTTPRequest("https://h/b"))
        #expect(try await body(a, client) == "1")
        #expect(client.unusedEntries == ["2. GET https://h/b (200)", "3. GET https://h/a (200)"])
        #expect(try await body(a, client) == "2")
        #expect(try await body(b, client) == "b")
        #expect(try await body(a, client) == "2")
        #expect(client.unusedEntries == [])
    }

    @Test func entriesAreSortedByTheirTimes() async throws {
        let har = try TemporaryHAR(
            entries: Self.entry("https://h/a", text: "2", date: "2026-11-22T10:00:00.002+02:00"),
            Self.entry("https://h/a", text: "1", date: "2026-11-22T08:00:00.001Z"))
        #expect(try await body(HTTPRequest("https://h/a"), har.client()) == "1")
    }

    @Test(
        arguments: [
            ("https://h/a", "https://h/a", true), ("https://h", "https://h/", true),
            ("https://H:443/a", "https://h/a", true), ("http://h:80/a#x", "http://h/a", true),
            ("https://h/a", "https://h/A", false), ("https://h/a", "http://h/a", false),
            ("https://h:8443/a", "https://h/a", false), ("https://h/a", "https://h/a/", false),
            ("https://h/a?x=1&y=2", "https://h/a?y=2&x=1", true), ("https://h/a?x=1&x=2", "https://h/a?x=1", false),
            ("https://h/a?x=%61", "https://h/a?x=a", true), ("https://h/a?x=1", "https://h/a", false),
            ("https://h/a", "https://h/a?x=1", false), ("https://h/a?", "https://h/a", true),
            ("https://h/a?q=***&x=1", "https://h/a?x=1&q=7", true), ("https://h/a?q=***", "https://h/a", true),
            ("https://h/a?q=***&x=1", "https://h/a?x=2&q=7", false),
            ("https://h/a?token=1", "https://h/a?token=2", true),
            ("https://u:p@h/a", "https://h/a", true), ("https://h/%7Ea?x=~", "https://h/%7Ea?x=%7E", true),
            // As browsers write them.
            ("https://h/@a:b~[c]'d|e^f", "https://h/%40a%3Ab%7E%5Bc%5D%27d%7Ce%5Ef", true),
            ("https://h/~a", "https://h/%7Ea", true), ("https://h/%c3%a4?q=%c3%a4", "https://h/%C3%A4?q=%C3%A4", true),
            ("https://h/ä?q=ä", "https://h/%C3%A4?q=%C3%A4", true), ("https://h/%E4", "https://h/%FC", false),
            ("https://h/?q=red+blue", "https://h/?q=red%20blue", true),
            ("https://h/?q=a+b", "https://h/?q=a%2Bb", false),
            ("https://h/a+b", "https://h/a%20b", false), ("https://h/?q=a/b?c", "https://h/?q=a%2Fb%3Fc", true),
            ("https://h/a%2Fb", "https://h/a/b", false), ("https://h/100%", "https://h/100%25", true),
            ("https://h/%2541", "https://h/A", false), ("https://h/%25C3", "https://h/%C3", false),
            ("https://h/a/./b/../c", "https://h/a/c", true), ("https://h/a%3Fb", "https://h/a?b", false),
        ] as [(String, String, Bool)])
    func comparesURLs(_ recorded: String, _ asked: String, _ matches: Bool) async throws {
        let client = try TemporaryHAR(entries: Self.entry(recorded)).client()
        let response = try? await client.perform(HTTPRequest(asked))
        #expect((response != nil) == matches)
        #expect(response.map { $0.head.url.absoluteString } ?? asked == asked)
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":[true,null,"x"]}"#, #"{ "b": [true, null, "x"], "a": 1.0 }"#, true),
            (#"{"a":1}"#, #"{"a":2}"#, false), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), (#"[1,2]"#, #"[2,1]"#, false),
            (#"{"a":"***"}"#, #"{"a":{"b":1}}"#, true), (#"{"password":"a"}"#, #"{"password":"b"}"#, true),
            (#"{"token":1}"#, #"{"token":2}"#, true), ("not json", "not json", true), ("not json", "nor this", false),
            ("{", "{}", false),
        ] as [(String, String, Bool)])
    func comparesJSONByValue(_ recorded: String, _ asked: String, _ matches: Bool) async throws {
        let har = try TemporaryHAR(entries: Self.entry("https://h/a", method: "POST", post: Self.json(recorded)))
        let request = HTTPRequest(.post, "https://h/a", body: .data(Data(asked.utf8), contentType: .json))
        let response = try? await har.replay(request)
        #expect((response != nil) == matches)
    }

    @Test func comparesFormsMethodsAndBytes() async throws {
        func requests(form: RequestBody, password: String) -> [HTTPRequest] {
            var parts = MultipartForm()
            parts.append("Ada", for: "name")
            parts.append(password, for: "password")
            let bytes = RequestBody.data(Data([0xFF, 1]), contentType: .octetStream)
            return [form, .multipart(parts), bytes].map { HTTPRequest(.post, "https://h/a", body: $0) }
                + [HTTPRequest(.put, "https://h/a", body: bytes), HTTPRequest(.post, "https://h/a")]
        }
        let har = try TemporaryHAR()
        for (index, request) in requests(form: .form(["a": "1", "pin": "1", "b": "2"]), password: "x").enumerated() {
            try await har.record(request, answer: .json("\(index + 1)"))
        }
        let client = try har.client()
        let again = requests(form: .form(["b": "2", "a": "1", "pin": "2"]), password: "y")
        for (index, request) in again.enumerated().reversed() {
            #expect(try await body(request, client) == "\(index + 1)")
        }
        _ = await client.failure(of: HTTPRequest(.post, "https://h/a", body: .form(["b": "2", "a": "2"])))
        _ = await client.failure(of: HTTPRequest(.delete, "https://h/a"))
    }

    @Test(arguments: ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=b"])
    func typeWithoutBodyIsReplayed(_ type: String) async throws {
        let har = try TemporaryHAR()
        let request = HTTPRequest(.post, "https://h/a", headers: [.contentType: type])
        try await har.record(request)
        #expect(try await har.replay(request).head.status == 204)
    }

    // MARK: - Strict matching

    @Test func strictMatchingWantsOrder() async throws {
        let har = try TemporaryHAR(entries: Self.entry("https://h/a"), Self.entry("https://h/b", text: "b"))
        let client = try har.client(inOrder: true)
        let error = await client.failure(of: HTTPRequest("https://h/b"))
        #expect(error?.code == .unsupported)
        let next = #"1. GET https://h/a (200): URL: "https://h/a" → "https://h/b""#
        #expect(error?.message == "the next entry of the recording does not match: \(next)")
        // A request that does not match uses nothing.
        _ = try await client.perform(HTTPRequest("https://h/a"))
        #expect(client.unusedEntries == ["2. GET https://h/b (200)"])
        #expect(try await body(HTTPRequest("https://h/b"), client) == "b")
        #expect(client.unusedEntries == [])
        #expect(await client.failure(of: HTTPRequest("https://h/b"))?.message == "the recording has no more entries")
    }

    // MARK: - What is missing

    @Test func missingEntryIsExplainedWithNearestOne() async throws {
        let har = try TemporaryHAR(
            entries: Self.entry("https://h/users?since=0"),
            Self.entry("https://h/users", method: "POST", post: Self.json("{}")),
            Self.entry("https://h/repos/1?token=abc"))
        let client = try har.client()
        func message(_ request: HTTPRequest) async -> String { await client.failure(of: request)?.description ?? "" }
        #expect(
            await message(HTTPRequest("https://h/users?since=46")) == """
                GET https://h/users?since=46: unsupported: the recording has no response to this request; the nearest is \
                1. GET https://h/users?since=0 (200): query since: "0" → "46"; not used yet: \
                1. GET https://h/users?since=0 (200); 2. POST https://h/users (200); 3. GET https://h/repos/1?token=*** (200)
                """)
        let body = RequestBody.json(["a": 1])
        #expect(
            await message(HTTPRequest(.post, "https://h/users", body: body))
                .contains("the nearest is 2. POST https://h/users (200): body a: unexpected 1;"))
        #expect(
            await message(HTTPRequest(.put, "https://h/users", body: .json([:])))
                .contains("the nearest is 2. POST https://h/users (200): method: POST → PUT;"))
        let other = await message(HTTPRequest("https://h/repos/2"))
        #expect(other.contains(#"/repos/1?token=*** (200): URL: "https://h/repos/1" → "https://h/repos/2""#))
        let one = try TemporaryHAR(entries: Self.entry("https://h/a", method: "POST", post: Self.json("{}"))).client()
        let many = RequestBody.json(Dictionary(uniqueKeysWithValues: (0..<100).map { ("a\($0)", $0) }), encoder: .api)
        let long = await one.failure(of: HTTPRequest(.post, "https://h/a", body: many))?.message ?? ""
        #expect(long.contains(", …; not used yet") && long.count < 500, "\(long)")
        let empty = try TemporaryHAR(#"{"log":{"entries":[]}}"#).client()
        #expect(await empty.failure(of: HTTPRequest("https://h/"))?.message == "the recording has no responses")
    }

    // MARK: - Like an engine

    @Test func requestIsCheckedFirst() async throws {
        let client = try TemporaryHAR(entries: Self.entry("https://h/a")).client()
        await #expect(throws: RequestError.self) {
            try await client.perform(HTTPRequest("https://h/a", headers: [.contentLength: "1"]))
        }
        let body = RequestBody.stream(length: 2, contentType: nil) { Chunks("one") }
        #expect(await client.failure(of: HTTPRequest(.post, "https://h/a", body: body))?.code == .requestBodyFailed)
    }

    @Test func deliversAsRequestedWithinSizeLimit() async throws {
        let client = try TemporaryHAR(entries: Self.entry("https://h/a", text: "text")).client()
        var request = HTTPRequest("https://h/a")
        let data = try await client.perform(request)
        #expect(data.body.data == Data("text".utf8))
        #expect(data.timing.finished != nil)
        request.options.sizeLimit = 3
        #expect(await client.failure(of: request)?.code == .bodyTooLarge)
        request.delivery = .stream
        let stream = try await client.perform(request)
        #expect(stream.body.data == nil && stream.body.file == nil)
        #expect(try await stream.body.bytes.data(upTo: 4) == Data("text".utf8))
        request.delivery = .file
        let file = try await client.perform(request)
        #expect(try Data(contentsOf: #require(file.body.file)) == Data("text".utf8))
    }

    @Test func cancelledTaskGetsNothing() async throws {
        let client = try TemporaryHAR(entries: Self.entry("https://h/a")).client()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await client.perform(HTTPRequest("https://h/a"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(client.unusedEntries.count == 1)
    }

    @Test func progressIsReported() async throws {
        let entry = Self.entry("https://h/a", method: "POST", text: "text", post: "{}")
        let client = try TemporaryHAR(entries: entry).client()
        let request = HTTPRequest(.post, "https://h/a", body: .form(["a": 1]))
        let last = Recorder<TransferProgress>()
        let call = Call(clock: client.clock, progress: .anywhere { _ = last.append($0) })
        _ = try await client.perform(request, in: call)
        let end = TransferProgress(bytesSent: 3, totalBytesToSend: 3, bytesReceived: 4, totalBytesToReceive: 4)
        #expect(last.values.last == end)
    }
}
