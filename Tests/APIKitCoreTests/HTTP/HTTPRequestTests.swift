import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct HTTPRequestTests {
    @Test(
        arguments: [
            (HTTPRequest(url: example), true), (HTTPRequest(method: .put, url: example), true),
            (HTTPRequest(method: .post, url: example), false), (HTTPRequest(method: .patch, url: example), false),
            (HTTPRequest(method: .post, url: example, headers: [.idempotencyKey: "1"]), true),
            (HTTPRequest(method: .post, url: example, headers: [.idempotencyKey: ""]), false),
            (HTTPRequest(method: .post, url: example, options: RequestOptions(isIdempotent: true)), true),
        ] as [(HTTPRequest, Bool)])
    func requestIsRepeatableByMethodKeyOrOption(
        request: HTTPRequest, isIdempotent: Bool
    ) {
        #expect(request.isIdempotent == isIdempotent)
    }

    private let url = URL(string: "https://api.example.com/items")!

    private func fault(
        method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: RequestBody? = nil
    ) throws -> RequestError {
        let request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        return try #require(throws: RequestError.self) { try request.prepared(in: Call()) }
    }

    @Test func hasDefaults() {
        let request = HTTPRequest(url: url)
        #expect(request.method == .get)
        #expect(request.headers.isEmpty)
        #expect(request.body == nil)
        #expect(request.options == RequestOptions())
        #expect(request.delivery == .data)
    }

    // MARK: - Validation

    @Test(arguments: ["GET", "PURGE", "M-SEARCH", "get", "!#$%&'*+-.^_`|~09"] as [HTTPMethod])
    func acceptsTokensAsMethods(method: HTTPMethod) throws {
        _ = try HTTPRequest(method: method, url: url).prepared(in: Call())
    }

    @Test(arguments: [
        "", " ", "GET ", "GE T", "GET\r\nX-Evil: 1", "GET\n", "GET\r", "GET\0", "G\u{C9}T", "GET/", "GET\u{301}",
        "(GET)", "GET\nX", "\n",
    ]) func rejectsInvalidMethods(method: String) throws {
        let error = try fault(method: HTTPMethod(rawValue: method))
        #expect(error.code == .method)
        #expect(error.message.contains(method.debugDescription))
        #expect(isOneLine(error.description))
    }

    // Those that frame a body are the engine's.
    @Test(arguments: [
        "", " ", "X Y", "X:", "X-Evil\r\nY", "X\n", "X\r", "X\0", "X-\u{E9}", "X(", "\"X\"", "X/Y", "X\t", "X,",
        ":path", "Content-Length", "content-length", "Transfer-Encoding", "TRANSFER-ENCODING",
    ]) func rejectsInvalidHeaderNames(name: String) throws {
        let error = try fault(method: .post, headers: [HTTPHeaders.Name(rawValue: name): "1"])
        #expect(error.code == .header)
        #expect(error.message.contains(name.debugDescription))
    }

    @Test(arguments: [
        "a\r\nX-Evil: 1", "a\nb", "a\rb", "\0", "a\0b", "\r\n", "a\r\n", "a\n\u{301}", "a\u{1}b", "\u{1F}",
        "\u{7F}",
    ]) func rejectsControlCharactersInHeaderValues(value: String) throws {
        let error = try fault(headers: ["X-Good": "1", "X-Note": value])
        #expect(error.code == .header)
        #expect(error.message.contains("\"X-Note\""))
    }

    @Test(arguments: ["", "a b", "a\tb", "caf\u{E9} \u{1F600}", "a: b, c;d=\"e\"", "\u{85}\u{2028}"])
    func acceptsOtherHeaderValues(value: String) throws {
        _ = try HTTPRequest(url: url, headers: ["X-Note": value]).prepared(in: Call())
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .options, "PROPFIND"])
    func acceptsBodyWithOtherMethods(method: HTTPMethod) throws {
        _ = try HTTPRequest(method: method, url: url, body: .data(Data("x".utf8), contentType: nil)).prepared(
            in: Call())
    }

    @Test(arguments: [HTTPMethod.get, .head, .trace], ["x", ""])
    func rejectsBodyIfMethodAllowsNone(method: HTTPMethod, text: String) throws {
        let error = try fault(method: method, body: .data(Data(text.utf8), contentType: .plainText))
        #expect(error.code == .body)
        #expect(error.message.contains(method.rawValue))
    }

    @Test func rejectsBodyThatCouldNotBeEncoded() throws {
        let error = try fault(method: .post, body: .form(["ratio": Double.nan]))
        #expect(error.code == .parameters)
        #expect(error.message.contains("\"ratio\""))
    }

    @Test(
        arguments: [
            ["Authorization": "Bearer hunter2\r\nX: 1"], ["X-Note": "Bearer hunter2\r\nX: 1"],
            ["Authorization: Bearer hunter2": "x"], ["X\r\nY": "1"], ["X": "1\r\n2"],
        ] as [HTTPHeaders])
    func errorsAreOneLineWithoutHeaderValues(headers: HTTPHeaders) throws {
        let error = try fault(method: .post, headers: headers)
        #expect(!error.description.contains("hunter2"))
        #expect(!error.message.contains("hunter2") || headers[0].value == "x")
        #expect(isOneLine(error.description))
        #expect(error.method == .post)
        #expect(error.url == url)
        #expect(error.description.hasPrefix("POST https://api.example.com/items was not sent: "))
    }

    @Test func equalityComparesAllParts() {
        let request = HTTPRequest(method: .post, url: url, headers: ["A": "1"], body: .form(["a": 1]))
        #expect(request == HTTPRequest(method: .post, url: url, headers: ["a": "1"], body: .form(["a": 1])))
        let changes: [(inout HTTPRequest) -> Void] = [
            { $0.method = .put }, { $0.url = URL(string: "https://api.example.com/items/")! },
            { $0.headers["A"] = "2" }, { $0.body = nil }, { $0.body = .form(["a": 2]) }, { $0.options.sizeLimit = 1 },
            { $0.delivery = .stream },
        ]
        for change in changes {
            var other = request
            change(&other)
            #expect(request != other)
        }
    }

    @Test(arguments: [ResponseBody.Delivery.data, .stream, .file], [100, 199, 200, 206, 299, 300, 304, 404, 500])
    func deliversSuccessAsRequestedAndOtherStatusesAsData(delivery: ResponseBody.Delivery, status: Int) {
        let request = HTTPRequest(url: url, delivery: delivery)
        let expected = 200..<300 ~= status ? delivery : .data
        #expect(Call().delivery(of: HTTPResponse.Head(status: status, url: url), to: request) == expected)
    }

    @Test func responseTypeDecidesWhatIsSuccess() throws {
        struct Odd: APIResponse {
            static var delivery: ResponseBody.Delivery { .stream }
            static func isSuccess(_ head: HTTPResponse.Head) -> Bool { head.status == 404 }
            static func process(data: Data) throws -> Odd { Odd() }
        }
        let (endpoint, call) = (Endpoint<Odd, Data>(), Call(endpoint: Endpoint<Odd, Data>()))
        let request = try endpoint.httpRequest()
        #expect(call.delivery(of: HTTPResponse.Head(status: 404, url: url), to: request) == .stream)
        #expect(call.delivery(of: HTTPResponse.Head(status: 200, url: url), to: request) == .data)
    }

    @Test func descriptionShowsRequestWithSecretsMasked() {
        let request = HTTPRequest(
            method: .post, url: URL(string: "https://u:hunter2@api.example.com/items?page=2&api_key=hunter2")!,
            headers: ["Authorization": "Bearer hunter2", "X-Page": "7"],
            body: .json(["user": "ada", "password": "hunter2"] as Parameters))
        let lines = [
            "POST https://api.example.com/items?page=2&api_key=***", "Authorization: ***", "X-Page: 7", "",
            #"{"user":"ada","password":"***"}"#,
        ]
        #expect(request.description == lines.joined(separator: "\n"))
    }

    @Test func descriptionTruncatesLongBody() {
        let body = RequestBody.data(Data(String(repeating: "x", count: 1_000_000).utf8), contentType: .plainText)
        let text = HTTPRequest(method: .put, url: url, body: body).description
        #expect(text.count < 3_000)
        #expect(text.hasSuffix("…"))
    }
}

private let example = URL(string: "https://api.example.com/")!  // a valid literal
