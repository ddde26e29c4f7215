import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

@Suite(.timeLimit(.minutes(10))) struct RecordingMaskingTests {
    private static let secret = "s3cr3t/Wörd+42"
    private let har: TemporaryHAR

    init() throws { har = try TemporaryHAR() }

    /// Where a text stands in the file, in any of the encodings in which it is sent.
    private func expectAbsent(_ secret: String, in har: TemporaryHAR, _ place: Comment) throws {
        let file = try har.text
        // What is in base64 in the file, too.
        let decoded = try har.entries.flatMap { entry in
            [entry["request", "postData", "text"], entry["response", "content", "text"]].compactMap { text in
                (text as? String).flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
            }
        }
        let json = try String(decoding: JSONEncoder().encode(secret), as: UTF8.self).dropFirst().dropLast()
        let characters = CharacterSet.alphanumerics
        let forms = [
            secret, secret.addingPercentEncoding(withAllowedCharacters: characters) ?? "",
            secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "",
            Data(secret.utf8).base64EncodedString(), Data("ada:\(secret)".utf8).base64EncodedString(), String(json),
        ]
        for form in forms {
            for text in [file] + decoded { #expect(!text.contains(form), place) }
        }
    }

    private static func post(_ body: RequestBody) -> HTTPRequest {
        HTTPRequest(.post, "https://api.example.com/x", body: body)
    }

    private static func get(_ query: String = "", headers: HTTPHeaders = [:]) -> HTTPRequest {
        HTTPRequest("https://api.example.com/x\(query)", headers: headers)
    }

    private static let sent: [HTTPRequest] = {
        let text = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var fields = MultipartForm()
        fields.append(secret, for: "password")
        fields.append("Ada", for: "name")
        var withFile = fields
        withFile.append(FilePart(Data([0xFF, 0xD8, 0, 0x80]), filename: "a.jpg"), for: "photo")
        let latin = Data("password=".utf8) + Data([0xE9]) + Data(secret.utf8)
        return [
            post(.form(["password": secret, "name": "Ada"])), post(.multipart(fields)), post(.multipart(withFile)),
            post(.json(["access_token": secret])), post(.json(["a": ["b": ["client_secret": secret]]])),
            post(.json(["tokens": [secret, secret]])), post(.json(["payload": "{\"api_key\":\"\(secret)\"}"])),
            post(.stream(length: nil, contentType: .json) { Chunks(#"{"pin":"\#(secret)"}"#) }),
            post(.data(latin, contentType: .formURLEncoded)),
            post(.data(Data("token=\(text)".utf8), contentType: nil)), get("?api_key=\(text)&a=1"),
            get("?next=https%3A%2F%2Fh%2F%3Ftoken%3D\(text)"), HTTPRequest("https://ada:\(text)@api.example.com/x"),
            get(headers: ["X-Api-Key": secret]), get(headers: [.authorization: "Bearer \(secret)"]),
            get(headers: [.cookie: "a=\(secret); b=\(text)"]), get(headers: ["Referer": "https://h/?sid=\(text)"]),
        ]
    }()

    @Test(arguments: sent) func sentSecretIsNotInFile(_ request: HTTPRequest) async throws {
        // An echo repeats it.
        var answer = HTTPResponse.json(#"{"ok": true}"#)
        if let body = request.body, let data = body.data {
            answer = .status(200, headers: [.contentType: body.contentType?.rawValue], body: data)
        }
        answer.head.headers["X-URL"] = request.url.absoluteString
        try await har.record(request, answer: answer)
        try expectAbsent(Self.secret, in: har, "\(request)")
        let isMasked = try har.text.contains("***") || har.text.contains(#""_encoding": "base64""#)
        #expect(isMasked || request.url.absoluteString.contains("@"))
        // It replays with the secret, and with another one.
        #expect(try await har.replay(request).head.status == 200)
    }

    @Test func credentialsThatClientsAddAreNotInFile() async throws {
        let secret = Self.secret
        let credentials: [Credential] = [
            .bearer(secret), .basic(user: "ada", password: secret), .header("X-Plain", secret), .query("k", secret),
        ]
        for credential in credentials {
            let har = try TemporaryHAR()
            let echo = StubClient { request in
                .json(#"{"a": "\#(request.headers["X-Plain"] ?? request.headers[.authorization] ?? "")"}"#)
            }
            let client = echo.recording(to: har.file).authorized(by: credential, for: "https://api.example.com")
            _ = try await client.send(Endpoint<Data, Data>())
            try expectAbsent(secret, in: har, "\(credential)")
            #expect(try har.text.contains("***"))
            _ = try await ReplayClient(har.file).send(Endpoint<Data, Data>())
        }
    }

    @Test func shortCredentialsAreMaskedInTheirPlaces() async throws {
        for credential in [Credential.header("X-Plain", "abc"), .query("k", "abc")] {
            let client = StubClient(.json("{}")).recording(to: har.file)
                .authorized(by: credential, for: "https://api.example.com")
            _ = try await client.send(Endpoint<Data, Data>())
        }
        let entries = try har.entries
        #expect(entries[0].fields("request", "headers").last.map { $0 == ("X-Plain", "***") } == true)
        #expect(entries[1]["request", "url"] as? String == "https://api.example.com/things?k=***")
    }

    @Test func receivedSecretsAreNotInFile() async throws {
        let secret = Self.secret
        let text = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answers: [HTTPResponse] = [
            .json(#"{"access_token": "\#(secret)", "expires_in": 3600}"#),
            .text("access_token=\(text)&scope=user", type: "application/x-www-form-urlencoded"),
            .status(200, headers: ["Set-Cookie": "sid=\(secret); Path=/; HttpOnly"]),
            .status(302, headers: [.location: "https://h.example/cb#access_token=\(text)"]),
            .status(302, headers: [.location: "/cb?code=4/0AfJohXlSecret&session=\(text)"]),
            .status(200, headers: [.link: "<https://h.example/?api_key=\(text)>; rel=\"next\""]),
        ]
        for (index, answer) in answers.enumerated() {
            let har = try TemporaryHAR()
            try await har.record(answer: answer)
            try expectAbsent(secret, in: har, "answer \(index)")
            #expect(try har.text.contains("***"), "answer \(index)")
        }
    }

    @Test func echoUnderHarmlessNameIsMasked() async throws {
        let request = HTTPRequest(
            .post, "https://api.example.com/x", headers: [.authorization: "Bearer \(Self.secret)"],
            body: .form(["password": "another-secret", "name": "Ada"]))
        let answer = HTTPResponse.json(#"{"seen": "Bearer \#(Self.secret)", "n": 1, "list": ["x another-secret y"]}"#)
        try await har.record(request, answer: answer)
        #expect(try har.recordedText == #"{"seen": "***", "n": 1, "list": ["x *** y"]}"#)
    }

    // MARK: - What remains

    @Test(
        arguments: [
            // A secret before the name that shows it to be one.
            (#"{"seen": "x a-long-secret", "password": "a-long-secret"}"#, #"{"seen": "x ***", "password": "***"}"#),
            ("{\"pin\": 1}\n\r\n{\"pin\": 2, \"a\": 3}\n", "{\"pin\": 0}\n\r\n{\"pin\": 0, \"a\": 3}\n"),
            (#"{"pin": 1"#, #"{"pin": ***"#), ("{\"pin\":\n\"1", "{\"pin\":\n\"***"), ("[x] pin=1", "[x] pin=***"),
            (
                "--b\r\nContent-Disposition: form-data; filename=\"k\"; name=\"private_key\"\r\n\r\nPEM\r\n\r\nSECRET\r\n--b--",
                "--b\r\nContent-Disposition: form-data; filename=\"k\"; name=\"private_key\"\r\n\r\n***\r\n--b--"
            ),
            // A text keeps its spelling unless a secret is in it, which may have another one elsewhere.
            (#"{"a": "\u0061\/", "b": "\u0070in=1&\/"}"#, #"{"a": "\u0061\/", "b": "pin=***&/"}"#),
            (#"{"p\u0069n": "long\/secret", "b": "long/secret"}"#, #"{"p\u0069n": "***", "b": "***"}"#),
            ("{\"pin\": \"long\\/secret\"}\n{\"a\": \"long/secret\"}", "{\"pin\": \"***\"}\n{\"a\": \"***\"}"),
            (#"{"payload": "{\"pin\": 12, \"a\": 1}"}"#, #"{"payload": "{\"pin\": ***, \"a\": 1}"}"#),
            (#"{"token": 123, "id": 123}"#, #"{"token": 0, "id": 123}"#),
            (#"{"token": -1.5e3 , "a": 1}"#, #"{"token": 0 , "a": 1}"#),
            (
                #"{"secret": {"id": 7, "text": "abc", "ok": true, "none": null}}"#,
                #"{"secret": {"id": 0, "text": "***", "ok": true, "none": null}}"#
            ),
            (#"{"token": "a-long-value", "a-long-value": {"a": 1}}"#, #"{"token": "***", "***": {"a": 1}}"#),
            (#"{"tokens": ["a", 5, [6]], "b": 2}"#, #"{"tokens": ["***", 0, [0]], "b": 2}"#),
            (#"{"authorization": 123, "b": 2}"#, #"{"authorization": 0, "b": 2}"#),
            ("{\"token\": 1}\r\n", "{\"token\": 0}\r\n"),
            (#"{"a": [{"Set-Cookie": 777}, null], "b": "c"}"#, #"{"a": [{"Set-Cookie": 0}, null], "b": "c"}"#),
            (#"{"value": true ,"name": "password"}"#, #"{"value": true ,"name": "password"}"#),
            (#"{"url": "https://h/?token=abc&b=1"}"#, #"{"url": "https://h/?token=***&b=1"}"#),
        ] as [(String, String)])
    func masksBodiesAndKeepsTypes(_ body: String, _ masked: String) async throws {
        try await har.record(answer: .json(body))
        #expect(try har.recordedText == masked)
        #expect(try await har.replay().body.data == Data(masked.utf8))
    }

    // RFC 8259, section 8.1: parsers may ignore a byte order mark.
    @Test func jsonAfterAByteOrderMarkStaysValid() async throws {
        try await har.record(answer: .json("\u{FEFF}{\"token\": 1}"))
        #expect(try await har.replay().body.data == Data("\u{FEFF}{\"token\": 0}".utf8))
    }

    // Foundation's decoder nests 512 deep, and ends the process at such a text.
    @Test(arguments: [512, 513, 514]) func openBracketsStayAsTheyAre(_ count: Int) async throws {
        let body = String(repeating: "[", count: count)
        try await har.record(answer: .json(body))
        #expect(try har.recordedText == body)
    }

    @Test(arguments: 0..<200) func maskedJSONStaysValid(_ seed: UInt64) async throws {
        var random = SplitMix64(state: seed)
        let json = Self.json(depth: 4, using: &random)
        try await har.record(answer: .json("{\"x\": \(json)}"))
        let text = try #require(try har.recordedText)
        #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil, "\(json) became \(text)")
        #expect(!text.contains("LEAK") && !text.contains("777"), "\(json) became \(text)")
    }

    /// JSON with the names of secrets, nested no deeper than `depth`. The scalars of a secret are to be masked.
    private static func json(depth: Int, isSecret: Bool = false, using random: inout SplitMix64) -> String {
        let names = ["token", "authorization", "name", "value", "key", "code", "a", "cookie", "Set-Cookie", "x y"]
        let secrets = [#""LEAK""#, "777", #""a \"LEAK\", 777""#, "true", #""LEAK, x=y; z""#]
        let harmless = [
            "1", "-2.5e-3", "true", "null", #""""#, #""password""#, #""Bearer abc, def""#, #""a=b&pin=12; c\"d""#,
            #""{\"token\": [1, \"x\"], \"b\": 2}""#, #""https://u:p@h/?sid=%22%7B""#, #""<password>1</password>""#,
        ]
        let (kind, count) = (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<4, using: &random))
        guard depth > 0, kind > 0 else { return (isSecret ? secrets : harmless).randomElement(using: &random) ?? "" }
        let space = ["", " ", "\n "].randomElement(using: &random) ?? ""
        var parts: [String] = []
        for _ in 0..<count {
            let name = kind == 1 ? "" : names.randomElement(using: &random) ?? ""
            let isSecret = isSecret || ["token", "authorization", "cookie", "Set-Cookie"].contains(name)
            let value = json(depth: depth - 1, isSecret: isSecret, using: &random)
            parts.append(kind == 1 ? value : "\"\(name)\":\(space)\(value)")
        }
        return kind == 1 ? "[\(parts.joined(separator: ",\(space)"))]" : "{\(parts.joined(separator: "\(space),"))}"
    }

    @Test func cookiesKeepTheirNamesAndAttributes() async throws {
        let request = HTTPRequest("https://api.example.com/x", headers: [.cookie: "a=1; b=2=3; c"])
        let cookies: HTTPHeaders = [
            .setCookie: "sid=abc; Path=/; Expires=Thu, 01 Jan 2032 00:00:00 GMT", .setCookie: "x",
        ]
        try await har.record(request, answer: .status(204, headers: cookies))
        let entry = try har.entries[0]
        #expect(entry.fields("request", "headers").first?.value == "a=***; b=***; ***")
        let masked = ["sid=***; Path=/; Expires=Thu, 01 Jan 2032 00:00:00 GMT", "***"]
        #expect(entry.fields("response", "headers").map(\.value) == masked)
        #expect(try await har.replay(request).head.headers.values(for: .setCookie) == masked)
    }

    @Test(
        arguments: [
            (
                "a=1; Path=/, b=2; Expires=Thu, 01 Jan 2032 00:00:00 GMT, c=3",
                "a=***; Path=/, b=***; Expires=Thu, 01 Jan 2032 00:00:00 GMT, c=***"
            ),
            ("a=1,2; path=/x", "a=***; path=/x"), ("a=1,b=2", "a=***,b=***"),
            ("a=1; b=2; Secure", "a=***; b=***; Secure"),
            ("", "***"), (",", "***"), (";", "***;"),
            ("a=1; Domain=h; Max-Age=1;HttpOnly; SameSite=Lax", "a=***; Domain=h; Max-Age=1;HttpOnly; SameSite=Lax"),
        ] as [(String, String)])
    func joinedCookiesAreAllMasked(_ value: String, _ masked: String) async throws {
        let headers = HTTPHeaders([HTTPHeaders.Field(name: .setCookie, value: value)])
        try await har.record(answer: .status(204, headers: headers))
        #expect(try har.entries[0].fields("response", "headers").map(\.value) == [masked])
    }

    @Test func bytesThatAreNotTextStayAsTheyAre() async throws {
        let image = Data([0xFF, 0xD8]) + Data("token=abcdefgh".utf8)
        try await har.record(answer: .status(200, headers: [.contentType: "image/jpeg"], body: image))
        #expect(try await har.replay().body.data == image)
    }

    @Test func callerNamesSecretsAndHarmlessNames() async throws {
        let har = try TemporaryHAR(secretNames: ["Badge"], harmlessNames: ["KEY"])
        let request = HTTPRequest("https://api.example.com/x?badge=7&key=lamp", headers: ["BADGE": "8"])
        try await har.record(request, answer: .json(#"{"badge": "x", "key": "mit", "token": "abc"}"#))
        let entry = try har.entries[0]
        #expect(entry["request", "url"] as? String == "https://api.example.com/x?badge=***&key=lamp")
        #expect(entry.fields("request", "headers").first?.value == "***")
        #expect(entry["response", "content", "text"] as? String == #"{"badge": "***", "key": "mit", "token": "***"}"#)
        // The other key is another request, the other badge is not.
        #expect(try await har.replay(HTTPRequest("https://api.example.com/x?badge=9&key=lamp")).head.status == 200)
        _ = try await har.client().failure(of: HTTPRequest("https://api.example.com/x?badge=7&key=chair"))
    }

    @Test func valuesOfHeadersAreMaskedInBodyOfRequest() async throws {
        func request(_ key: String) -> HTTPRequest {
            let body = RequestBody.data(Data("x-\(key)-y".utf8), contentType: .plainText)
            return HTTPRequest(.post, "https://api.example.com/x", headers: ["X-Api-Key": key], body: body)
        }
        try await har.record(request(Self.secret))
        try expectAbsent(Self.secret, in: har, "body")
        #expect(try await har.replay(request("another-secret")).head.status == 204)
    }

    // The value of a cookie or a secret header may be part of the URL or of a type, and is masked there too.
    @Test(arguments: ["https://h.example.com/users/mojombo12", "https://h.example.com/?name=mojombo12"])
    func valuesOfHeadersAreMaskedInURLAndReplayed(_ url: String) async throws {
        for headers: HTTPHeaders in [[.cookie: "user=mojombo12"], ["X-Session-Id": "mojombo12"]] {
            let har = try TemporaryHAR()
            let request = HTTPRequest(.get, url, headers: headers)
            try await har.record(request)
            try expectAbsent("mojombo12", in: har, "URL")
            #expect(try await har.replay(request).head.status == 204)
            // Other tools mask neither.
            let other = try TemporaryHAR(
                entries: #"{"request": {"method": "GET", "url": "\#(url)"}, "response": {"status": 204}}"#)
            #expect(try await other.replay(request).head.status == 204)
        }
    }

    @Test func typesAndErrorsAreMasked() async throws {
        let type = MIMEType(rawValue: "text/plain; token=abc12345")
        let body = RequestBody.data(Data("x".utf8), contentType: type)
        try await har.record(HTTPRequest(.post, "https://api.example.com/x", body: body))
        try expectAbsent("abc12345", in: har, "type")
        let failing = StubClient { request in
            throw TransportError(.connectionLost, "no answer from https://h/?token=\(Self.secret)", request: request)
        }
        _ = await failing.recording(to: har.file).failure(of: HTTPRequest("https://api.example.com/x"))
        try expectAbsent(Self.secret, in: har, "error")
    }
}
