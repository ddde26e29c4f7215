import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

/// HARs in the shapes in which browsers export them, shortened.
@Suite(.timeLimit(.minutes(10))) struct BrowserHARTests {
    private static func har(_ entries: String, creator: String) -> String {
        """
        {"log": {"version": "1.2", "creator": {"name": "\(creator)", "version": "1"},
          "pages": [{"startedDateTime": "2026-11-22T10:00:00.000Z", "id": "page_1", "title": "t", "pageTimings": {}}],
          "entries": [\(entries)]}}
        """
    }

    /// Chrome: HTTP/2 with pseudo headers, lower case, decoded text beside `content-encoding`, joined cookies, private
    /// members, an entry from the cache, one that failed and one of a WebSocket.
    private static let chrome = har(
        #"""
        {"_initiator": {"type": "script", "stack": {"callFrames": [], "parent": {"callFrames": []}}}, "cache": {},
         "request": {"method": "POST", "url": "https://api.example.com/search?page=1", "httpVersion": "http/2.0",
          "headers": [{"name": ":authority", "value": "api.example.com"}, {"name": ":method", "value": "POST"},
           {"name": "content-type", "value": "application/json"}], "queryString": [{"name": "page", "value": "1"}],
          "bodySize": 12, "postData": {"mimeType": "application/json", "text": "{\"q\":\"lamp\"}"}},
         "response": {"status": 200, "statusText": "", "headers": [{"name": ":status", "value": "200"},
           {"name": "content-encoding", "value": "br"}, {"name": "content-length", "value": "19"},
           {"name": "content-type", "value": "application/json"},
           {"name": "set-cookie", "value": "a=1; path=/\nb=2; path=/"}], "bodySize": -1, "_error": null,
          "content": {"size": 26, "mimeType": "application/json", "text": "[{\"id\":1,\"login\":\"lämp\"}]"}},
         "startedDateTime": "2026-11-22T10:00:01.000Z", "time": 52.4, "timings": {"blocked": 1.5, "dns": -1}},
        {"_fromCache": "disk", "request": {"method": "GET", "url": "https://api.example.com/logo.png", "headers": []},
         "response": {"status": 200, "headers": [], "bodySize": 0,
          "content": {"size": 4, "mimeType": "image/png", "text": "/9gAAQ==", "encoding": "base64"}},
         "startedDateTime": "2026-11-22T10:00:02.000Z", "time": 1.2},
        {"request": {"method": "GET", "url": "https://down.example.com/", "httpVersion": "", "headers": []},
         "response": {"status": 0, "headers": [], "content": {"size": 0, "mimeType": "x-unknown"},
          "_error": "net::ERR_NAME_NOT_RESOLVED"}, "startedDateTime": "2026-11-22T10:00:03.000Z", "time": 3},
        {"_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "x"}],
         "request": {"method": "GET", "url": "wss://api.example.com/live", "headers": []},
         "response": {"status": 101, "headers": [], "content": {"size": 0}},
         "startedDateTime": "2026-11-22T10:00:04.000Z", "time": 3, "timings": {}},
        {"request": {"method": "GET", "url": "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "headers": []},
         "response": {"status": 200, "headers": [], "content": {"size": 12}}, "startedDateTime": "x", "time": 0}
        """#, creator: "WebInspector")

    /// Firefox: a form as `params` without a text, a time zone, `bodySize` of a GET, an entry that it revalidated, and
    /// one that it blocked.
    private static let firefox = har(
        #"""
        {"startedDateTime": "2026-11-22T11:00:00.000+01:00", "request": {"bodySize": 9, "method": "POST",
          "url": "https://api.example.com/login", "postData": {"mimeType": "application/x-www-form-urlencoded",
           "params": [{"name": "user", "value": "ada"}, {"name": "password", "value": "hunter2"}], "text": ""},
          "headers": [{"name": "Content-Type", "value": "application/x-www-form-urlencoded"}]},
         "response": {"status": 302, "content": {"mimeType": "text/plain", "size": 0, "text": ""}, "bodySize": 20,
          "headers": [{"name": "location", "value": "/accounts"}, {"name": "transfer-encoding", "value": "chunked"}]},
         "timings": {"blocked": 0, "send": 0, "wait": 30, "receive": 0}, "time": 30, "_securityState": "secure"},
        {"startedDateTime": "2026-11-22T11:00:01.000+01:00", "request": {"bodySize": 0, "method": "GET",
          "url": "https://api.example.com/accounts", "headers": []},
         "response": {"status": 304, "headers": [{"name": "content-encoding", "value": "gzip"}],
          "content": {"mimeType": "application/json; charset=utf-8", "size": 2, "text": "[]"}, "bodySize": 22},
         "cache": {"afterRequest": null}, "timings": {}, "time": 0},
        {"startedDateTime": "2026-11-22T11:00:02.000+01:00", "request": {"bodySize": 0, "method": "GET",
          "url": "https://ads.example.com/", "headers": [], "headersSize": 0}, "response": {"status": 0, "headers": [],
          "content": {"mimeType": "text/plain", "size": 0, "text": ""}, "bodySize": -1}, "timings": {}, "time": 0}
        """#, creator: "Firefox")

    /// Safari: fractions in sizes, few members, and a body in base64 whatever its type.
    private static let safari = har(
        #"""
        {"pageref": "page_1", "startedDateTime": "2026-11-22T10:00:00.123Z", "time": 12.000000104308128,
         "request": {"method": "GET", "url": "https://api.example.com/accounts/1", "headers": [], "bodySize": 0},
         "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"},
           {"name": "Content-Encoding", "value": "gzip"}], "bodySize": 41.5, "_transferSize": 91,
          "content": {"size": 24, "compression": 0, "mimeType": "application/json", "encoding": "base64",
           "text": "eyJpZCI6MSwibG9naW4iOiJhZGEifQ=="}}, "timings": {"blocked": 0.5, "dns": -1, "wait": 10}}
        """#, creator: "WebKit Web Inspector")

    @Test func replaysChrome() async throws {
        let client = try TemporaryHAR(Self.chrome).client(inOrder: false)
        let search = HTTPRequest(.post, "https://api.example.com/search?page=1", body: .json(["q": "lamp"]))
        let response = try await client.perform(search)
        #expect(response.body.data == Data(#"[{"id":1,"login":"lämp"}]"#.utf8))
        #expect(response.head.headers.map(\.name) == [.contentLength, .contentType, .setCookie, .setCookie])
        #expect(response.head.headers[.contentLength] == "26")
        #expect(response.head.headers.values(for: .setCookie) == ["a=1; path=/", "b=2; path=/"])
        let logo = try await client.perform(HTTPRequest("https://api.example.com/logo.png"))
        #expect(logo.body.data == Data([0xFF, 0xD8, 0, 1]))
        #expect(logo.head.contentType?.essence == "image/png")
        #expect(await client.failure(of: HTTPRequest("https://down.example.com/"))?.code == .nameNotResolved)
        #expect(client.unusedEntries.count == 2)
    }

    @Test func replaysFirefox() async throws {
        let client = try TemporaryHAR(Self.firefox).client(inOrder: true)
        let login = Endpoint<[Account], Data>(
            path: "login", method: .post, body: .form(["user": "ada", "password": "another"]))
        #expect(try await client.send(login).isEmpty)
        #expect(await client.failure(of: HTTPRequest("https://ads.example.com/"))?.code == .connectionLost)
        #expect(client.unusedEntries == [])
    }

    @Test func replaysSafari() async throws {
        let client = try TemporaryHAR(Self.safari).client()
        #expect(try await client.send(AccountRequest()) == Account(id: 1, login: "ada"))
    }

    @Test func browsersFilesAreContinued() async throws {
        for text in [Self.chrome, Self.firefox, Self.safari] {
            let har = try TemporaryHAR(text)
            let count = try har.entries.count
            try await har.record(HTTPRequest("https://h.example/"))
            #expect(try har.entries.count == count + 1)
            #expect(try har.text.contains(text.dropLast(4)))
        }
    }

    @Test(
        arguments: [
            ("net::ERR_CONNECTION_REFUSED", TransportError.Code.cannotConnect), ("net::ERR_TIMED_OUT", .timedOut),
            ("net::ERR_CERT_DATE_INVALID", .secureConnectionFailed), ("net::ERR_INTERNET_DISCONNECTED", .cannotConnect),
            ("net::ERR_HTTP2_PROTOCOL_ERROR", .connectionLost), ("timedOut", .timedOut),
            ("ownCode", .init(rawValue: "ownCode")),
        ] as [(String, TransportError.Code)])
    func errorsOfChromeAndOfRecordingsAreThrown(_ text: String, _ code: TransportError.Code) async throws {
        let response = #"{"status": 0, "_error": "\#(text)"}"#
        let har = try TemporaryHAR(
            entries: #"{"request": {"method": "GET", "url": "https://h/"}, "response": \#(response)}"#)
        #expect(try await har.client().failure(of: HTTPRequest("https://h/"))?.code == code)
    }

    @Test(
        arguments: [("HEAD", 200, "", "999"), ("GET", 204, "", nil), ("GET", 304, "", nil), ("GET", 200, "text", "4")]
            as [(String, Int, String, String?)])
    func headersFitBody(_ method: String, _ status: Int, _ body: String, _ length: String?) async throws {
        let text = status == 304 ? "" : "text"
        let har = try TemporaryHAR(
            entries: #"""
                {"request": {"method": "\#(method)", "url": "https://h/"}, "response": {"status": \#(status),
                 "headers": [{"name": "Content-Length", "value": "999"}, {"name": "Content-Encoding", "value": "gzip"},
                  {"name": "Transfer-Encoding", "value": "chunked"}], "content": {"text": "\#(text)"}}}
                """#)
        let response = try await har.replay(HTTPRequest(HTTPMethod(rawValue: method), "https://h/"))
        #expect(response.head.status == status)
        #expect(response.body.data == Data(body.utf8))
        if let length { #expect(response.head.headers[.contentLength] == length) }
    }
}
