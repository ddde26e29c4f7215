import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct RequestDifferenceTests {
    private static let base = "https://api.example.com/v1/things?a=1&b=2"
    private static let long = String(repeating: "x", count: 300)
    private static let zeros = String(repeating: "0", count: 38)

    private func request(_ url: String = base, headers: HTTPHeaders = [:], body: RequestBody? = nil) -> HTTPRequest {
        HTTPRequest(.post, url, headers: headers, body: body)
    }

    /// The lines of a difference, without the first one.
    private func lines(_ expected: HTTPRequest, _ actual: HTTPRequest) -> [String] {
        actual.difference(from: expected)?.changes.map(\.description) ?? []
    }

    private func lines(_ expected: RequestBody?, _ actual: RequestBody?) -> [String] {
        lines(request(body: expected), request(body: actual))
    }

    private func lines(_ expected: String, _ actual: String, as type: MIMEType = .json) -> [String] {
        lines(.data(Data(expected.utf8), contentType: type), RequestBody.data(Data(actual.utf8), contentType: type))
    }

    private func form(
        _ name: String = "title", text: String = "a", file: String = "a.txt", bytes: String = "x"
    ) -> RequestBody {
        var form = MultipartForm()
        form.append(text, for: name)
        form.append(FilePart(Data(bytes.utf8), filename: file), for: "file")
        return .multipart(form)
    }

    // MARK: - Equal requests

    @Test func ignoresInsignificantDifferences() throws {
        let accounts = try AccountsRequest(since: 1).httpRequest()
        #expect(accounts.difference(from: try AccountsRequest(since: 1).httpRequest()) == nil)
        let stream = RequestBody.stream(length: 1, contentType: nil) { ByteStream([]) }
        #expect(lines(stream, stream).isEmpty)
        let json = RequestBody.data(Data(#"{"a": [1, 2],  "b":{"c":"\u00e9"}}"#.utf8), contentType: .json)
        let spelled = RequestBody.data(Data(#"{"b":{"c":"é"},"a":[1,2]}"#.utf8), contentType: .json)
        let left = request(headers: ["X-A": "1", "X-B": "2"], body: json)
        let right = request(headers: ["x-b": "2", "x-a": "1", .contentType: "application/json"], body: spelled)
        #expect(lines(left, right).isEmpty)
        #expect(
            lines(
                request(headers: [.contentType: "multipart/form-data; boundary=x"], body: form()), request(body: form())
            ).isEmpty)
        let slice = Data([9, 9, 0, 1]).dropFirst(2)
        #expect(lines(.data(slice, contentType: .png), RequestBody.data(Data([0, 1]), contentType: .png)).isEmpty)
    }

    // MARK: - Method, URL and headers

    @Test(
        arguments: [
            ("http://api.example.com/v1/things?a=1&b=2", [#"URL scheme: "https" → "http""#]),
            (
                "https://www.example.com:8080/v1/things?a=1&b=2",
                [#"URL host: "api.example.com" → "www.example.com""#, #"URL port: unexpected "8080""#]
            ),
            ("/v2/items?a=1&b=2", [#"URL path: "/v1/things" → "/v2/items""#]),
            ("/v1/things?b=2&a=1", [#"query order: "a, b" → "b, a""#]),
            ("/v1/things?a=1&b=3", [#"query b: "2" → "3""#]), ("/v1/things?a=1", [#"query b: missing, expected "2""#]),
            ("/v1/things?a=1&b=2&c", [#"query c: unexpected """#]),
            ("/v1/things?a=1&b=2&b=4", [#"query b: "2" → ["2", "4"]"#]),
            ("/v1/things?a=1&b=%32", [#"query b: "2" → "%32""#]),
            ("/v1/things", [#"query a: missing, expected "1""#, #"query b: missing, expected "2""#]),
            ("https://u:p@api.example.com/v1/things?a=1&b=2", ["URL credentials: unexpected ***"]),
        ] as [(String, [String])])
    func comparesPartsOfURL(url: String, expected: [String]) {
        let url = url.hasPrefix("/") ? "https://api.example.com\(url)" : url
        #expect(lines(request(), request(url)) == expected)
    }

    @Test func comparesMethodHeadersOptionsAndDelivery() {
        let left = HTTPRequest(
            .put, Self.base, headers: [.accept: "application/json", "X-A": "1", "X-B": "1", "X-B": "2"])
        var right = request(headers: [.accept: "text/html", "x-b": "2", "X-B": "1", "X-C": "3"])
        right.options = RequestOptions(timeout: .seconds(5), deadline: .seconds(9), addsCredentials: false)
        right.delivery = .stream
        #expect(
            lines(left, right) == [
                "method: PUT → POST", #"header Accept: "application/json" → "text/html""#,
                #"header X-A: missing, expected "1""#, #"header X-B[0]: "1" → "2""#, #"header X-B[1]: "2" → "1""#,
                #"header X-C: unexpected "3""#, "options timeout: nil → 5.0 seconds",
                "options deadline: nil → 9.0 seconds", "options addsCredentials: nil → false",
                "delivery: data → stream",
            ])
    }

    @Test func ignoresOrderOfHosts() {
        let hosts = Set((0..<20).map { "h\($0).example" })
        for _ in 0..<20 {
            var (left, right) = (request(), request())
            left.options.credentialHosts = hosts
            right.options.credentialHosts = Set(hosts.shuffled())
            #expect(lines(left, right).isEmpty)
        }
    }

    // MARK: - Bodies

    @Test(
        arguments: [
            (#"{"user":{"name":"a"}}"#, #"{"user":{"name":"b"}}"#, [#"body user.name: "a" → "b""#]),
            (#"{"items":[1,2,3]}"#, #"{"items":[1,2]}"#, ["body items[2]: missing, expected 3"]),
            (#"[{"id":1}]"#, #"[{"id":2},{"id":3}]"#, ["body [0].id: 1 → 2", #"body [1]: unexpected {"id": 3}"#]),
            (#"{"a":null}"#, "{}", ["body a: missing, expected null"]),
            (#"{"a":1}"#, #"{"a":"1"}"#, [#"body a: 1 → "1""#]), (#"{"a":1}"#, #"{"a":1.5}"#, ["body a: 1 → 1.5"]),
            (#"{"a b":true,"":1}"#, #"{"":2,"a b":false}"#, [#"body ["a b"]: true → false"#, #"body [""]: 1 → 2"#]),
            (#"{"a":{}}"#, #"{"a":[]}"#, ["body a: {} → []"]), ("1", "2", ["body: 1 → 2"]),
            (#""x""#, #""y""#, [#"body: "x" → "y""#]),
            // Equal to Swift, but other bytes to a server.
            (#"{"a":"\u00e9"}"#, #"{"a":"e\u0301"}"#, ["body a: \"\u{E9}\" → \"e\u{301}\""]),
            (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#, ["body \u{E9}: missing, expected 1", "body e\u{301}: unexpected 1"]),
            ("-1", "1", ["body: -1 → 1"]), ("true", "false", ["body: true → false"]),
            (
                "1e9223372036854775807", "1.5e-9223372036854775808",
                ["body: 1e9223372036854775807 → 1.5e-9223372036854775808"]
            ),
            ("1\(zeros)0", "1\(zeros)1", ["body: 1\(zeros)0 → 1\(zeros)1"]),
            // Secrets in context.
            (
                #"{"name":"password","value":"4/0AfxOne"}"#, #"{"name":"password","value":"4/0AfxTwo"}"#,
                ["body value: differs (both values are masked)"]
            ),
            (
                #"[{"Value":{"a":["4/0AfxOne"]},"Key":"apiKey"}]"#, #"[{"Value":{"a":["a\u0301bc"]},"Key":"apiKey"}]"#,
                ["body [0].Value.a[0]: differs (both values are masked)"]
            ),
            (
                #"{"a":null}"#, #"{"a":[{"password":"hunter2"},{"token":"4/0AfxOne"}]}"#,
                [#"body a: null → [{"password": "***"}, {"token": "***"}]"#]
            ),
            ("{}", #"{"token":"4/0AfxOne"}"#, ["body token: unexpected ***"]),
        ] as [(String, String, [String])])
    func comparesJSONByPath(expected: String, actual: String, lines: [String]) {
        let found = self.lines(expected, actual)
        #expect(found.map { Array($0.utf8) } == lines.map { Array($0.utf8) }, "\(found)")
    }

    @Test(arguments: [
        "{", #"{"a":1,"a":2}"#, "[1,]", #"{"a":1,}"#, #"{"a"}"#, "nul", "[1] 2", #"[1}"#,
        #""\ud800""#, "\"a", #""\"#, "1.2.3", "+1", "01", "-01", ".5", "1.", "1e", "-", "0x1", "NaN",
    ])
    func otherTextIsComparedByLines(text: String) {
        #expect(lines("{}", text) == [#"body line 1: "{}" → \#(text.debugDescription)"#])
    }

    @Test(
        arguments: [
            ("1", "1.0"), ("120", "1.2e+2"), ("0.5", "5E-1"), ("0", "0.000e9"), ("-0", "0"),
            ("18446744073709551615", "1844674407370955161.5e1"),
        ] as [(String, String)])
    func comparesNumbersByValue(_ left: String, _ right: String) {
        #expect(lines(left, right).isEmpty)
        #expect(lines(left, "1\(right)").count == 1)
        #expect(lines(left, "\"\(left)\"") == ["body: \(left) → \"\(left)\""])
    }

    @Test func deepJSONIsComparedByLines() {
        func nested(_ text: String, _ depth: Int) -> String {
            String(repeating: "[", count: depth) + text + String(repeating: "]", count: depth)
        }
        for depth in [101, 100_000] {
            #expect(lines("[]", nested("", depth)).first?.hasPrefix("body line 1: ") == true)
        }
        #expect(lines(nested("1", 99), nested("2", 99)).first?.hasSuffix("[0]: 1 → 2") == true)
    }

    @Test(
        arguments: [
            ("a\nb\nc", "a\nx\nd", #"body line 2: "b" → "x""#), ("a", "a\nb", #"body line 2: unexpected "b""#),
            ("a\r\nb", "a\nb", #"body line 1: "a\r" → "a""#),
            ("password: s3cret\nb", "password: other\nb", "body line 3: differs (both values are masked)"),
            ("a\npassword: s3cret\nb", "a\npassword: other\nc", #"body line 3: "b" → "c""#),
            ("\(long)1", "\(long)2", #"body line 1: "…\#(long.prefix(40))1" → "…\#(long.prefix(40))2""#),
        ] as [(String, String, String)])
    func comparesTextByLine(expected: String, actual: String, change: String) {
        #expect(lines(expected, actual, as: .plainText) == [change])
    }

    @Test func showsWhereLongValuesDiffer() throws {
        let texts = ["1", "2"].map { "\(Self.long)\($0)" }
        let window = "…\(Self.long.prefix(40))"
        let quoted = #""\#(window)1" → "\#(window)2""#
        let queries = texts.map { request("https://a.example?a=\($0)") }
        #expect(lines(queries[0], queries[1]) == ["query a: \(quoted)"])
        let list = lines(#"{"a":["\#(texts[0])"]}"#, #"{"a":"[\"\#(texts[1])"}"#)
        #expect(list == [#"body a: \#(window)1"] → "\#(window)2""#])
        let spellings = ["\u{E9}", "e\u{301}"].map { Self.long + $0 + Self.long }
        let change = try #require(lines(#"["\#(spellings[0])"]"#, #"["\#(spellings[1])"]"#).first)
        let rest = Self.long.prefix(158)
        #expect(
            change.utf8.elementsEqual("body [0]: \"\(window)\u{E9}\(rest)…\" → \"\(window)e\u{301}\(rest)…\"".utf8))
    }

    @Test func comparesBytesFilesAndStreams() {
        func bytes(_ bytes: [UInt8]) -> RequestBody { .data(Data(bytes), contentType: .png) }
        func stream(_ length: Int) -> RequestBody { .stream(length: length, contentType: nil) { ByteStream([]) } }
        func file(_ name: String) -> RequestBody { .file(URL(fileURLWithPath: "/missing/\(name)")) }
        let form = RequestBody.data(Data("password=x&a=1".utf8), contentType: .formURLEncoded)
        #expect(lines(bytes([0, 1, 2]), bytes([0, 1, 255])) == ["body: 3 bytes, 0x2 at 2 → 3 bytes, 0xff at 2"])
        #expect(lines(bytes([0, 1]), bytes([0])) == ["body: 2 bytes, 0x1 at 1 → 1 bytes, its end at 1"])
        #expect(lines(file("a"), file("a")).isEmpty)
        #expect(lines(file("a"), file("b")).last == "body: (the file /missing/a) → (the file /missing/b)")
        func range(_ range: Range<Int>) -> RequestBody { .file(URL(fileURLWithPath: "/missing/a"), range: range) }
        #expect(lines(range(0..<2), range(0..<2)).isEmpty)
        #expect(
            lines(range(0..<2), range(2..<3)) == [
                "body: (bytes 0 to 1 of the file /missing/a) → (bytes 2 to 2 of the file /missing/a)"
            ])
        #expect(lines(range(0..<2), file("a")).count == 1)
        #expect(lines(stream(1), stream(2)) == ["body: (a stream of 1 bytes) → (a stream of 2 bytes)"])
        #expect(lines(stream(1), stream(1)) == ["body: (a stream of 1 bytes) → another, (a stream of 1 bytes)"])
        #expect(lines(form, nil).last == "body: missing, expected password=***&a=1")
        #expect(lines(nil, form).last == "body: unexpected password=***&a=1")
    }

    @Test func comparesPartsOfMultipartForm() {
        #expect(lines(form(), form(text: "b")) == [#"body part 1 (title) line 1: "a" → "b""#])
        #expect(lines(form(), form("name")) == [#"body parts: "title, file" → "name, file""#])
        #expect(
            lines(form(), form(file: "b.csv", bytes: "y")) == [
                #"body part 2 (file) filename: "a.txt" → "b.csv""#,
                #"body part 2 (file) type: "text/plain" → "text/csv""#, #"body part 2 (file) line 1: "x" → "y""#,
            ])
        #expect(
            lines(form("pin", text: "1"), form("pin", text: "2")) == [
                "body part 1 (pin): differs (both values are masked)"
            ])
    }

    // MARK: - Secrets

    @Test func secretsAreMaskedAndStillDiffer() throws {
        let requests = ["s3cret-one", "s3cret-two"].map { secret in
            let query = "access_token=\(secret)&next=https%3A%2F%2Fu:\(secret)%40h"
            let json = #"{"password":"\#(secret)","login":{"pin":["\#(secret)"]},"note":"password=\#(secret)"}"#
            return request(
                "https://\(secret):\(secret)@api.example.com/v1/things?\(query)",
                headers: [.authorization: "Bearer \(secret)-a", "X-API-Key": secret, "X-Note": "token=\(secret)"],
                body: .data(Data(json.utf8), contentType: .json))
        }
        let difference = try #require(requests[1].difference(from: requests[0]))
        #expect(!"\(difference)\(difference.changes)".contains("s3cret-"), "\(difference)")
        let places = [
            "URL credentials", "query access_token", "query next", "header Authorization", "header X-API-Key",
            "header X-Note", "body password", "body login.pin[0]", "body note",
        ]
        #expect(difference.changes.map(\.description) == places.map { "\($0): differs (both values are masked)" })
    }

    @Test(
        arguments: [
            ("code=$&a=1", "code"), ("a=1&code=$", "code"), ("c%6Fde=$", "c%6Fde"), ("name=password&value=$", "value"),
            ("Code=$", "Code"), ("a=1&password=$", "password"), ("pin=$&pin=1", "pin[0]"),
        ] as [(String, String)])
    func secretsInContextOfQueryAndFormAreMasked(template: String, name: String) {
        let texts = ["4/0AfxOne", "abcdef"].map { template.replacing("$", with: $0) }
        let urls = texts.map { request("https://api.example.com/?\($0)") }
        #expect(lines(urls[0], urls[1]) == ["query \(name): differs (both values are masked)"])
        let change = "body field \(name): differs (both values are masked)"
        #expect(lines(texts[0], texts[1], as: .formURLEncoded) == [change])
    }

    @Test func secretWithinValueLeavesRestVisible() {
        let expected = request("https://api.example.com/?next=https://u:s3cret@h/a")
        let actual = request("https://api.example.com/?next=https://u:other@h/b")
        #expect(lines(expected, actual) == [#"query next: "https://h/a" → "https://h/b""#])
    }

    @Test func credentialsOfClientsAreMasked() async throws {
        let stub = StubClient(.json("[]"))
        let client = stub.authorized(by: .header("X-Board", "s3cret-one"), for: "https://api.example.com")
        _ = try await client.send(AccountsRequest())
        let sent = try #require(stub.requests.first)
        #expect(lines(try AccountsRequest().httpRequest(), sent) == [#"header X-Board: unexpected "***""#])
    }

    // MARK: - Text

    @Test func failedExpectationPrintsLines() throws {
        let wire = HTTPRequest(.post, Self.base + "&access_token=s3cret")
        let lines = """
            POST https://api.example.com/v1/things?a=1&b=2&access_token=*** differs from the expected request (expected → actual):
            - method: PUT → POST
            - query access_token: unexpected ***
            """
        let difference = try #require(wire.difference(from: HTTPRequest(.put, Self.base)))
        #expect(difference.description == lines)
        withKnownIssue {
            #expect(wire.difference(from: HTTPRequest(.put, Self.base)) == nil)
        } matching: { issue in
            "\(issue)".contains(lines)
        }
    }

    @Test func longDifferencesAreCut() throws {
        let query = (0..<80).map { "q\($0)=\(String(repeating: "x", count: 1_000))" }.joined(separator: "&")
        let actual = request("https://a.example?\(query)")
        let difference = try #require(actual.difference(from: request("https://a.example")))
        #expect(difference.changes.count == 80)
        #expect("\(difference)".hasSuffix("\n- and 30 more"))
        #expect(difference.changes.allSatisfy { $0.description.count < 250 })
    }
}
