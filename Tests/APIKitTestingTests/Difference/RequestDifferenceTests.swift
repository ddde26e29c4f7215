import APIKitClients
import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore

@Suite struct RequestDifferenceTests {
    private static let base = "https://api.example.com/v1/things?a=1&b=2"

    private func request(
        _ method: HTTPMethod = .post, _ url: String = base, headers: HTTPHeaders = [:], body: RequestBody? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try #require(URL(string: url)), headers: headers, body: body)
    }

    /// The lines of a difference, without the first one.
    private func lines(_ expected: HTTPRequest, _ actual: HTTPRequest) -> [String] {
        actual.difference(from: expected)?.changes.map(\.description) ?? []
    }

    private func lines(_ expected: RequestBody?, _ actual: RequestBody?) throws -> [String] {
        lines(try request(body: expected), try request(body: actual))
    }

    private func lines(_ expected: String, _ actual: String, as type: MIMEType = .json) throws -> [String] {
        func body(_ text: String) -> RequestBody { .data(Data(text.utf8), contentType: type) }
        return try lines(body(expected), body(actual))
    }

    // MARK: - Equal requests

    @Test func equalRequestsDoNotDiffer() throws {
        let wire = try AccountsRequest(since: 1).httpRequest()
        #expect(wire.difference(from: try AccountsRequest(since: 1).httpRequest()) == nil)
        let stream = RequestBody.stream(length: 1, contentType: nil) { ByteStream([]) }
        #expect(try lines(stream, stream).isEmpty)
        #expect(try lines(nil, nil).isEmpty)
    }

    @Test func ignoresInsignificantDifferences() throws {
        let json = RequestBody.data(Data(#"{"a": [1, 2],  "b":{"c":"\u00e9"}}"#.utf8), contentType: .json)
        let spelled = RequestBody.data(Data(#"{"b":{"c":"é"},"a":[1,2]}"#.utf8), contentType: .json)
        let left = try request(headers: ["X-A": "1", "X-B": "2"], body: json)
        var right = try request(headers: ["x-b": "2", "x-a": "1", .contentType: "application/json"], body: spelled)
        right.progress = { _ in }
        #expect(lines(left, right).isEmpty)
        func form() -> RequestBody {
            var form = MultipartForm()
            form.append("a", for: "b")
            return .multipart(form)
        }
        #expect(try lines(form(), form()).isEmpty)
        #expect(
            try request(body: form()).difference(
                from: try request(headers: [.contentType: "multipart/form-data; boundary=x"], body: form())) == nil)
    }

    // MARK: - Method, URL and headers

    @Test(arguments: [
        ("http://api.example.com/v1/things?a=1&b=2", [#"URL scheme: "https" → "http""#]),
        (
            "https://www.example.com:8080/v1/things?a=1&b=2",
            [#"URL host: "api.example.com" → "www.example.com""#, #"URL port: unexpected "8080""#]
        ),
        ("/v2/items?a=1&b=2", [#"URL path segment 1: "v1" → "v2""#, #"URL path segment 2: "things" → "items""#]),
        ("/v1/things/?a=1&b=2", [#"URL path: "/v1/things" → "/v1/things/""#]),
        ("/v1/things?b=2&a=1", [#"query order: "a, b" → "b, a""#]),
        ("/v1/things?a=1&b=3", [#"query b: "2" → "3""#]), ("/v1/things?a=1", [#"query b: missing, expected "2""#]),
        ("/v1/things?a=1&b=2&c", [#"query c: unexpected """#]),
        ("/v1/things?a=1&b=2&b=4", [#"query b (2): unexpected "4""#]),
        ("/v1/things?a=1&b=%32", [#"query b: "2" → "%32""#]),
        ("/v1/things", [#"query a: missing, expected "1""#, #"query b: missing, expected "2""#]),
        (
            "https://u:p@api.example.com/v1/things?a=1&b=2",
            ["URL user: unexpected ***", "URL password: unexpected ***"]
        ),
    ])
    func comparesPartsOfURL(url: String, expected: [String]) throws {
        let url = url.hasPrefix("/") ? "https://api.example.com\(url)" : url
        #expect(lines(try request(), try request(.post, url)) == expected)
    }

    @Test func comparesMethodAndHeaders() throws {
        let left = try request(.put, headers: [.accept: "application/json", "X-A": "1", "X-B": "1", "X-B": "2"])
        let right = try request(headers: [.accept: "text/html", "x-b": "2", "X-B": "1", "X-C": "3"])
        #expect(
            lines(left, right) == [
                "method: PUT → POST", #"header Accept: "application/json" → "text/html""#,
                #"header X-A: missing, expected "1""#, #"header X-B (1): "1" → "2""#, #"header X-B (2): "2" → "1""#,
                #"header X-C: unexpected "3""#,
            ])
    }

    @Test func comparesOptionsAndDelivery() throws {
        let left = HTTPRequest(url: try #require(URL(string: Self.base)))
        var right = left
        right.options = RequestOptions(timeout: .seconds(5), deadline: .seconds(9), authorization: .none)
        right.delivery = .stream
        #expect(
            lines(left, right) == [
                "options timeout: 60.0 seconds → 5.0 seconds", "options deadline: nil → 9.0 seconds",
                "options authorization: automatic → none", "delivery: data → stream",
            ])
        let hosts = Set((0..<20).map { "h\($0).example" })
        for _ in 0..<20 {
            right = left
            right.options.credentialHosts = Set(hosts.shuffled())
            var other = left
            other.options.credentialHosts = hosts
            #expect(lines(other, right).isEmpty)
        }
    }

    // MARK: - Bodies

    @Test(arguments: [
        (#"{"user":{"name":"a"}}"#, #"{"user":{"name":"b"}}"#, [#"body user.name: "a" → "b""#]),
        (#"{"items":[1,2,3]}"#, #"{"items":[1,2]}"#, ["body items[2]: missing, expected 3"]),
        (#"[{"id":1}]"#, #"[{"id":2},{"id":3}]"#, ["body [0].id: 1 → 2", #"body [1]: unexpected {"id": 3}"#]),
        (#"{"a":null}"#, "{}", ["body a: missing, expected null"]),
        (#"{"a":1}"#, #"{"a":"1"}"#, [#"body a: 1 → "1""#]), (#"{"a":1}"#, #"{"a":1.5}"#, ["body a: 1 → 1.5"]),
        (#"{"a b":true,"":1}"#, #"{"a b":false,"":2}"#, [#"body [""]: 1 → 2"#, #"body ["a b"]: true → false"#]),
        (#"{"a":{}}"#, #"{"a":[]}"#, ["body a: {} → []"]), ("1", "2", ["body: 1 → 2"]),
        (#""x""#, #""y""#, [#"body: "x" → "y""#]),
    ])
    func comparesJSONByPath(expected: String, actual: String, lines: [String]) throws {
        #expect(try self.lines(expected, actual) == lines)
    }

    // Equal to Swift, but other bytes to a server.
    @Test func comparesBytesOfText() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(try lines(#"{"a":"\#(composed)"}"#, #"{"a":"\#(decomposed)"}"#).count == 1)
        #expect(try lines(#"{"\#(composed)":1}"#, #"{"\#(decomposed)":1}"#).count == 2)
        let change = lines(try request(headers: ["X": composed]), try request(headers: ["X": decomposed]))
        #expect(change.count == 1)
        #expect(change.first?.contains("secret") == false)
    }

    @Test(arguments: [
        "{", #"{"a":1,"a":2}"#, "[1,]", #"{"a"}"#, "nul", "[1] 2",
        #""\ud800""#, "\"a", #""\"#, "1.2.3", "+1", "01", "-01", ".5", "1.", "1e", "-", "0x1",
    ])
    func otherTextIsComparedByLines(text: String) throws {
        #expect(try lines("{}", text) == [#"body line 1: "{}" → \#(text.debugDescription)"#])
    }

    @Test(arguments: [
        ("1", "1.0"), ("120", "1.2e+2"), ("0.5", "5E-1"), ("0", "0.000e9"), ("-0", "0"),
        ("18446744073709551615", "1844674407370955161.5e1"),
    ])
    func comparesNumbersByValue(_ left: String, _ right: String) throws {
        #expect(try lines(left, right).isEmpty)
        #expect(try lines(left, "1\(right)").count == 1)
        #expect(try lines(left, "\"\(left)\"") == ["body: \(left) → \"\(left)\""])
    }

    @Test(arguments: [
        ("18446744073709551615", "18446744073709551614"), ("-1", "1"), ("true", "false"),
        ("1e9223372036854775807", "1.5e-9223372036854775808"),
    ])
    func literalsDiffer(_ left: String, _ right: String) throws {
        #expect(try lines(left, right).count == 1)
    }

    @Test func deepJSONIsComparedByLines() throws {
        func nested(_ text: String, _ depth: Int) -> String {
            String(repeating: "[", count: depth) + text + String(repeating: "]", count: depth)
        }
        for depth in [101, 100_000] {
            #expect(try lines("[]", nested("", depth)).first?.hasPrefix("body line 1: ") == true)
        }
        #expect(try lines(nested("1", 99), nested("2", 99)).first?.hasSuffix("[0]: 1 → 2") == true)
    }

    @Test func comparesFieldsOfForm() throws {
        #expect(
            try lines("a=1&b=2&password=x", "a=1&b=3&c=4&password=y", as: .formURLEncoded) == [
                #"body field b: "2" → "3""#, "body field password: differs (both values are masked)",
                #"body field c: unexpected "4""#,
            ])
    }

    @Test(arguments: [
        ("a\nb\nc", "a\nx\nd", #"body line 2: "b" → "x""#), ("a", "a\nb", #"body line 2: unexpected "b""#),
        ("a\r\nb", "a\nb", #"body line 1: "a\r" → "a""#),
        ("password: s3cret\nb", "password: other\nb", "body line 3: differs (both values are masked)"),
        ("a\npassword: s3cret\nb", "a\npassword: other\nc", #"body line 3: "b" → "c""#),
    ])
    func comparesTextByLine(expected: String, actual: String, change: String) throws {
        #expect(try lines(expected, actual, as: .plainText) == [change])
    }

    @Test func showsEndsOfLongLines() throws {
        let long = String(repeating: "x", count: 10_000)
        let change = try #require(try lines(long + "a", long + "b", as: .plainText).first)
        #expect(change.hasSuffix("xxa\" → \"…\(String(repeating: "x", count: 40))b\""))
        #expect(change.count < 200)
    }

    @Test func showsWhereLongValuesDiffer() throws {
        let long = String(repeating: "x", count: 300)
        let texts = ["1", "2"].map { "\(long)\($0)" }
        let window = "…\(long.prefix(40))"
        let quoted = #""\#(window)1" → "\#(window)2""#
        let headers = try texts.map { try request(headers: ["X-A": $0]) }
        #expect(lines(headers[0], headers[1]) == ["header X-A: \(quoted)"])
        let queries = try texts.map { try request(.get, "https://a.example?a=\($0)") }
        #expect(lines(queries[0], queries[1]) == ["query a: \(quoted)"])
        #expect(try lines("a=\(texts[0])", "a=\(texts[1])", as: .formURLEncoded) == ["body field a: \(quoted)"])
        #expect(try lines(#"["\#(texts[0])"]"#, #"["\#(texts[1])"]"#) == ["body [0]: \(quoted)"])
        let list = try lines(#"{"a":["\#(texts[0])"]}"#, #"{"a":"[\"\#(texts[1])"}"#)
        #expect(list == [#"body a: \#(window)1"] → "\#(window)2""#])
        let spellings = ["\u{E9}", "e\u{301}"].map { long + $0 + long }
        let change = try #require(lines(#"["\#(spellings[0])"]"#, #"["\#(spellings[1])"]"#).first)
        #expect(
            change.utf8.elementsEqual(
                "body [0]: \"\(window)\u{E9}\(long.prefix(158))…\" → \"\(window)e\u{301}\(long.prefix(158))…\"".utf8))
    }

    @Test func comparesBytes() throws {
        func bytes(_ bytes: [UInt8]) -> RequestBody { .data(Data(bytes), contentType: .png) }
        #expect(try lines(bytes([0, 1, 2]), bytes([0, 1, 255])) == ["body: 3 bytes, 0x2 at 2 → 3 bytes, 0xff at 2"])
        #expect(try lines(bytes([0, 1]), bytes([0])) == ["body: 2 bytes, 0x1 at 1 → 1 bytes, its end at 1"])
        let slice = Data([9, 9, 0, 1]).dropFirst(2)
        #expect(try lines(.data(slice, contentType: .png), bytes([0, 1])).isEmpty)
    }

    @Test func comparesPartsOfMultipartForm() throws {
        func form(_ name: String = "title", text: String = "a", file: String = "a.txt", bytes: String = "x")
            -> RequestBody
        {
            var form = MultipartForm()
            form.append(text, for: name)
            form.append(FilePart(Data(bytes.utf8), filename: file), for: "file")
            return .multipart(form)
        }
        #expect(try lines(form(), form(text: "b")) == [#"body part 1 (title) line 1: "a" → "b""#])
        #expect(try lines(form(), form("name")) == [#"body parts: "title, file" → "name, file""#])
        #expect(
            try lines(form(), form(file: "b.csv", bytes: "y")) == [
                #"body part 2 (file) filename: "a.txt" → "b.csv""#,
                #"body part 2 (file) type: "text/plain" → "text/csv""#, #"body part 2 (file) line 1: "x" → "y""#,
            ])
        #expect(
            try lines(form("pin", text: "1"), form("pin", text: "2")) == [
                "body part 1 (pin): differs (both values are masked)"
            ])
    }

    @Test func comparesFilesAndStreams() throws {
        let (one, two) = (URL(fileURLWithPath: "/missing/a"), URL(fileURLWithPath: "/missing/b"))
        #expect(try lines(.file(one), .file(one)).isEmpty)
        #expect(
            try lines(.file(one), .file(two)).last == "body: (the file /missing/a) → (the file /missing/b)")
        func stream(_ length: Int) -> RequestBody { .stream(length: length, contentType: nil) { ByteStream([]) } }
        #expect(try lines(stream(1), stream(2)) == ["body: (a stream of 1 bytes) → (a stream of 2 bytes)"])
        #expect(try lines(stream(1), stream(1)) == ["body: (a stream of 1 bytes) → another, (a stream of 1 bytes)"])
    }

    @Test func missingBodyIsDifference() throws {
        let body = RequestBody.data(Data("password=x&a=1".utf8), contentType: .formURLEncoded)
        #expect(try lines(body, nil).last == "body: missing, expected password=***&a=1")
        #expect(try lines(nil, body).last == "body: unexpected password=***&a=1")
    }

    // MARK: - Secrets

    @Test func secretsAreMaskedAndStillDiffer() throws {
        let requests = try ["s3cret-one", "s3cret-two"].map { secret in
            let query = "access_token=\(secret)&next=https%3A%2F%2Fu:\(secret)%40h"
            let json = #"{"password":"\#(secret)","login":{"pin":["\#(secret)"]},"note":"password=\#(secret)"}"#
            return try request(
                .post, "https://\(secret):\(secret)@api.example.com/v1/things?\(query)",
                headers: [.authorization: "Bearer \(secret)-a", "X-API-Key": secret, "X-Note": "token=\(secret)"],
                body: .data(Data(json.utf8), contentType: .json))
        }
        let difference = try #require(requests[1].difference(from: requests[0]))
        #expect(!"\(difference)\(difference.changes)".contains("s3cret-"), "\(difference)")
        let places = [
            "URL user", "URL password", "query access_token", "header Authorization", "header X-API-Key",
            "header X-Note", "body login.pin[0]", "body note", "body password",
        ]
        let changes = difference.changes.map(\.description)
        for place in places { #expect(changes.contains("\(place): differs (both values are masked)"), "\(place)") }
    }

    @Test(arguments: [
        (#"{"name":"password","value":"%"}"#, "body value"),
        (#"[{"Value":{"a":["%"]},"Key":"apiKey"}]"#, "body [0].Value.a[0]"),
    ])
    func secretsInContextOfJSONAreMasked(template: String, place: String) throws {
        let bodies = ["4/0AfxOne", "4/0AfxTwo"].map { template.replacing("%", with: $0) }
        #expect(try lines(bodies[0], bodies[1]) == ["\(place): differs (both values are masked)"])
        let change = try lines(bodies[0], template.replacing("%", with: "a\u{301}bc"))
        #expect(!"\(change)".contains("0Afx"))
    }

    @Test(arguments: [
        ("code=$&a=1", "code"), ("a=1&code=$", "code"), ("c%6Fde=$", "c%6Fde"), ("name=password&value=$", "value"),
        ("Code=$", "Code"),
    ])
    func secretsInContextOfQueryAndFormAreMasked(template: String, name: String) throws {
        let texts = ["4/0AfxOne", "abcdef"].map { template.replacing("$", with: $0) }
        let urls = try texts.map { try request(.get, "https://api.example.com/?\($0)") }
        #expect(lines(urls[0], urls[1]) == ["query \(name): differs (both values are masked)"])
        #expect(
            try lines(texts[0], texts[1], as: .formURLEncoded) == [
                "body field \(name): differs (both values are masked)"
            ])
    }

    @Test func secretsInMissingValuesAreMasked() throws {
        let list = #"[{"password":"hunter2"},{"token":"4/0AfxOne"}]"#
        #expect(
            try lines(#"{"a":null}"#, #"{"a":\#(list)}"#)
                == [#"body a: null → [{"password": "***"}, {"token": "***"}]"#])
        #expect(try lines("{}", #"{"token":"4/0AfxOne"}"#) == ["body token: unexpected ***"])
    }

    @Test func secretWithinValueLeavesRestVisible() throws {
        let expected = try request(.get, "https://api.example.com/?next=https://u:s3cret@h/a")
        let actual = try request(.get, "https://api.example.com/?next=https://u:other@h/b")
        #expect(lines(expected, actual) == [#"query next: "https://h/a" → "https://h/b""#])
    }

    @Test func credentialsOfClientsAreMasked() async throws {
        let stub = StubClient(.json("[]"))
        let client = stub.authorized(by: .header("X-Board", "s3cret-one"), for: "https://api.example.com")
        _ = try await client.send(AccountsRequest())
        let sent = try #require(await stub.requests.first)
        let change = lines(try AccountsRequest().httpRequest(), sent)
        #expect(change == [#"header X-Board: unexpected "***""#])
    }

    // MARK: - Text

    @Test func readsAsLines() throws {
        let difference = try #require(
            try request(.post, Self.base + "&access_token=s3cret").difference(from: try request(.put, Self.base)))
        #expect(
            "\(difference)" == """
                POST https://api.example.com/v1/things?a=1&b=2&access_token=*** differs from the expected request (expected → actual):
                - method: PUT → POST
                - query access_token: unexpected ***
                """)
        #expect(difference.debugDescription == difference.description)
    }

    @Test func failedExpectationPrintsLines() throws {
        let (wire, expected) = (try request(.put), try request())
        withKnownIssue {
            #expect(wire.difference(from: expected) == nil)
        } matching: { issue in
            "\(issue)".contains("\n- method: POST → PUT")
        }
    }

    @Test func longDifferencesAreCut() throws {
        let query = (0..<80).map { "q\($0)=\(String(repeating: "x", count: 1_000))" }.joined(separator: "&")
        let expected = try request(.post, "https://a.example")
        let difference = try #require(request(.post, "https://a.example?\(query)").difference(from: expected))
        #expect(difference.changes.count == 80)
        #expect("\(difference)".hasSuffix("\n- and 30 more"))
        #expect(difference.changes.allSatisfy { $0.description.count < 250 })
    }
}
