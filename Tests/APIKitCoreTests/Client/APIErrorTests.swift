import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct APIErrorTests {
    private struct Trouble: Error {}

    private static let all: [DirectoryFailure] = [
        .invalidRequest(RequestError(.path, "no")), .transport(TransportError(.timedOut)),
        .rejected(DirectoryError(message: "no"), .status(404)), .rejected(nil, .status(503)),
        .unreadable(Trouble(), .status(200)), .cancelled,
    ]

    @Test func exposesStatusWithoutTypeParameter() async throws {
        let failures = Self.all.map { ($0 as any Error) as? any APIFailure }
        #expect(failures.map { $0?.status } == [nil, nil, 404, 503, 200, nil])
        #expect(failures.map { $0?.response?.head.status } == [nil, nil, 404, 503, 200, nil])
        #expect(failures.map { $0?.transportCode } == [nil, .timedOut, nil, nil, nil, nil])
        #expect(failures.map { $0?.isCancellation } == [false, false, false, false, false, true])
        do {
            _ = try await ImmediateClient(.page).send(AccountsRequest())
        } catch {
            let error = error as any APIFailure
            #expect(error.status == 503)
            #expect(error.response?.body.data == HTTPResponse.page.body.data)
        }
    }

    // MARK: - Descriptions

    private static let url = URL(string: "https://user:hunter2@api.example.com/users?page=2&access_token=hunter2")!
    private static let maskedURL = "https://api.example.com/users?page=2&access_token=***"

    private static func response(_ body: String, status: Int = 404) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, url: url), body: ResponseBody(Data(body.utf8)))
    }

    @Test func describesRejectionWithStatusAndBody() async throws {
        let client = ImmediateClient { _ in Self.response(#"{"message":"no such user","token":"hunter2"}"#) }
        let error = try await client.failure(of: Endpoint<Account, DirectoryError>(method: .delete))
        #expect(error.description == #"DELETE \#(Self.maskedURL): 404: {"message":"no such user","token":"***"}"#)
    }

    @Test func describesUnreadableResponseWithStatusReasonAndBody() async throws {
        let client = ImmediateClient { _ in Self.response(#"{"id":7,"login":false}"#, status: 200) }
        let error = try await client.failure(of: AccountRequest())
        #expect(error.description.hasPrefix("GET \(Self.maskedURL): 200, "), "\(error)")
        #expect(error.description.contains("login is not a String"))
        #expect(error.description.hasSuffix(#"{"id":7,"login":false}"#))
    }

    private struct Numbered: APIRequest {
        typealias Response = [Item]
        struct Item: JSONResponse {
            let id: Int
            var owner: Owner?
        }
        struct Owner: Decodable { let userName: String }
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "numbered" }
    }

    @Test func showsTheElementOfAListThatCouldNotBeRead() async throws {
        var items = (0..<50).map { #"{"id": \#($0)}"# }
        items[37] = #"{ "name": "a,\"]}", "tags": [1, {}], "id": "x" }"#
        let list = "\u{FEFF}[\(items.joined(separator: ", "))]"
        let error = try await ImmediateClient(Self.response(list, status: 200)).failure(of: Numbered())
        #expect(error.description.hasSuffix("[37].id is not an Int: \(items[37])"), "\(error)")
        items[37] = #"{"token": "hunter2", "owner": {}}"#
        let missing = Self.response("[\(items.joined(separator: ","))]", status: 200)
        let other = try await ImmediateClient(missing).failure(of: Numbered())
        #expect(other.description.hasSuffix(#"[37].id is missing: {"token": "***", "owner": {}}"#), "\(other)")
    }

    @Test(
        arguments: [
            (
                #"{"a": [1, 2], "user_items": [{"b": 1}, {"b": "hunter2"}]}"#, ["userItems", "1", "b"],
                #"{"b": "hunter2"}"#
            ),
            (#"{"tokens": [{"b": 1}, {"b": "hunter2"}]}"#, ["tokens", "1", "b"], "***"),
            (#"{"a": [1, "x\"y", true]}"#, ["a", "1"], #""x\"y""#), (#"{"a": [1, "x", true]}"#, ["a", "2"], "true"),
            (#"[[1], [2, [ 3 ]]]"#, ["1", "1"], "[ 3 ]"), (#"[1]"#, ["7"], "[1]"), (#"[1"#, ["0"], "[1"),
            (#"{"a": 1}"#, ["a"], #"{"a": 1}"#),
        ] as [(String, [String], String)])
    func showsTheInnermostElementOnTheCodingPath(
        body: String, path: [String], shown: String
    ) {
        let keys = path.map { PathKey(stringValue: $0) }
        let failure = DecodingError.dataCorrupted(.init(codingPath: keys, debugDescription: "x"))
        let error = DirectoryFailure.unreadable(failure, Self.response(body, status: 200))
        #expect(error.description.hasSuffix(": \(shown)"), "\(error)")
    }

    /// The path of an error may belong to another text, such as JSON in a string of the body.
    @Test(arguments: ["-1", "\(Int.min)", "\(Int.max)", "2"])
    func anIndexThatTheBodyDoesNotHaveShowsTheWholeBody(index: String) {
        let failure = DecodingError.dataCorrupted(
            .init(codingPath: [PathKey(stringValue: index)], debugDescription: "x"))
        let error = DirectoryFailure.unreadable(failure, Self.response("[1, 2]", status: 200))
        #expect(error.description.hasSuffix(": [1, 2]"), "\(error)")
    }

    private struct PathKey: CodingKey {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func saysOnceThatABodyIsEmpty() async throws {
        let error = try await ImmediateClient(Self.response("", status: 200)).failure(of: AccountRequest())
        #expect(
            error.description == "GET \(Self.maskedURL): 200, but the body is empty: "
                + "use NoContent or an Optional as the Response if that is not a failure")
    }

    /// An endpoint whose mapping throws an error of its own.
    private struct Picky: APIRequest {
        typealias Response = NoContent
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "things" }
        func process(_ response: HTTPResponse) async throws -> NoContent { throw Fault() }
        struct Fault: Error, CustomStringConvertible { let description = "no such luck" }
    }

    @Test func doesNotBlameEmptyBodyForMappingError() async throws {
        let error = try await ImmediateClient(.status(200)).failure(of: Picky())
        #expect(error.description.hasSuffix(": 200, but the body could not be read: no such luck"))
        let decoding = try await ImmediateClient(.status(200)).failure(of: AccountRequest())
        #expect(decoding.description.hasSuffix("use NoContent or an Optional as the Response if that is not a failure"))
    }

    @Test func describesTransportErrorWithCodeAndReason() async throws {
        let client = ImmediateClient { _ in throw TransportError(.cannotConnect, "connection refused") }
        let error = try await client.failure(of: Endpoint<Data, Data>(method: .put, parameters: ["token": "hunter2"]))
        #expect(error.description == "PUT https://api.example.com/things: cannotConnect: connection refused")
    }

    @Test func localizedDescriptionEqualsDescription() {
        for error in Self.all {
            #expect(error.localizedDescription == error.description)
            #expect((error as any Error).localizedDescription == error.description)
            #expect((error as NSError).localizedDescription == error.description)
        }
    }

    @Test(arguments: [
        "line one\nline two\r\nline three", "a\u{2028}b\u{2029}c", "a\u{85}b\u{B}c", "\n\n\n",
        "<html>\n  <body>\n</html>\n", String(repeating: "x\n", count: 5_000),
    ]) func descriptionIsOneLine(body: String) async throws {
        let refused = try await ImmediateClient(Self.response(body)).failure(of: AccountsRequest())
        #expect(isOneLine(refused.description))
        let unreadable = try await ImmediateClient(Self.response(body, status: 200)).failure(of: AccountsRequest())
        #expect(isOneLine(unreadable.description))
        #expect(max(refused.description.count, unreadable.description.count) < 600)
    }

    @Test(arguments: [
        #"{"access_token":"hunter2","id":1}"#, #"{"a":{"refreshToken" : "hunter2"}}"#,
        #"{"password":"hun\"ter2 hunter2"}"#,
        "{\"password\":\n  \"hunter2\"}", "{\"password\":\t\"hunter2\"}", "{\"password\"\n:\"hunter2\"}",
        "{\n  \"api_key\": \"hunter2\",\n  \"a\": 1\n}", #"{"client_secret":'hunter2'}"#, "access_token=hunter2&a=1",
        #"Authorization: Bearer hunter2"#, #"{"hint":"send Authorization: Basic hunter2"}"#,
        #"{"url":"https://u:hunter2@api.example.com/?sig=hunter2"}"#, #"{"id_token":"eyJ.hunter2"#,
        #"{"error":"the cookie sid=hunter2 is stale"}"#, #"{"sessionId":"hunter2"}"#, #""{\"token\":\"hunter2\"}""#,
    ]) func masksSecretsInBodies(body: String) async throws {
        for padding in ["", String(repeating: "x", count: 150), String(repeating: "yyyyyyy ", count: 95)] {
            for status in [200, 403] {
                let response = Self.response(padding + body, status: status)
                let error = try await ImmediateClient(response).failure(of: AccountsRequest())
                #expect(!error.description.contains("hunter2"), "\(error)")
                #expect(!"\(response)".contains("hunter2"), "\(response)")
            }
        }
    }

    // No part of the secret may be visible, wherever the body is truncated.
    @Test(arguments: [200, 800])
    func masksSecretsInTruncatedBodies(limit: Int) async throws {
        for padding in (limit - 40)..<(limit + 10) {
            let body = #"{"n":"\#(String(repeating: "n", count: padding))","token":"hunter2hunter2hunter2"}"#
            let error = try await ImmediateClient(Self.response(body)).failure(of: AccountsRequest())
            #expect(!error.description.contains("hunt"), "\(padding)")
        }
    }

    @Test func masksOwnAuthorizationThatABodyRepeats() async throws {
        let client = ImmediateClient { .text("\($0.headers[.authorization] ?? "") or hunter2", status: 401) }
        let error = try await client.failure(of: Endpoint<Data, Data>(headers: [.authorization: "Custom hunter2"]))
        #expect(error.description.hasSuffix(": 401 (sent with Authorization): *** or ***"), "\(error)")
    }

    // MARK: - Credentials of refused requests

    struct Refused: Sendable, CustomTestStringConvertible {
        var status = 401
        var headers: HTTPHeaders = [:]
        var path: URLPath = "things"
        var parameters: Parameters = [:]
        var secretNames: Set<String> = []
        var method = HTTPMethod.get
        var body: RequestBody?
        let note: String
        var testDescription: String { "\(status)\(note), \(path.template)" }
    }

    @Test(arguments: [
        Refused(note: " (sent without Authorization)"),
        Refused(status: 403, note: " (sent without Authorization)"),
        Refused(status: 404, note: ""), Refused(status: 500, headers: [.authorization: "Bearer hunter2"], note: ""),
        Refused(headers: [.authorization: "Bearer hunter2"], note: " (sent with Authorization)"),
        Refused(
            status: 403, headers: [.cookie: "sid=hunter2", "X-API-Key": "hunter2", "x-api-key": "hunter2"],
            note: " (sent with Cookie, X-API-Key)"),
        Refused(parameters: ["api_key": "hunter2", "page": 2], note: " (sent with api_key)"),
        Refused(headers: ["X-Shop": "hunter2"], secretNames: ["x-shop"], note: " (sent with X-Shop)"),
        Refused(path: "bots/\("hunter2", name: "token")/me", note: " (sent with token)"),
        Refused(method: .post, body: .form(["client_secret": "hunter2"]), note: " (sent with client_secret)"),
        Refused(parameters: ["a\nsecret": "hunter2"], note: " (sent with ***)"),
        Refused(parameters: ["user[api_key]": "hunter2"], note: " (sent with user[api_key])"),
        Refused(parameters: ["pageToken": "hunter2", "next_token": "hunter2"], note: " (sent without Authorization)"),
        Refused(parameters: ["page_token": "hunter2"], secretNames: ["page_token"], note: " (sent with page_token)"),
    ]) func refusedRequestShowsItsCredentials(refused: Refused) async throws {
        let client = ImmediateClient { _ in .text("no", status: refused.status) }
        var request = Endpoint<Data, Data>(
            path: refused.path, method: refused.method, parameters: refused.parameters, headers: refused.headers,
            body: refused.body)
        request.options.secretNames = refused.secretNames
        let error = try await client.failure(of: request)
        #expect(error.description.hasSuffix(": \(refused.status)\(refused.note): no"), "\(error)")
        #expect(!error.description.contains("hunter2"), "\(error)")
        #expect(isOneLine(error.description))
        // An error that wraps this one masks its text again.
        let wrapping = TransportError(.other, underlying: error)
        #expect(wrapping.description.hasSuffix("\(refused.note): no"), "\(wrapping)")
    }

    /// Forms whose names contain a secret, mostly since they are not forms.
    @Test(
        arguments: [
            #"{"password": "hunter2"}"#, #"["token", "hunter2"]"#, "password hunter2", "password:hunter2",
            "<password>hunter2</password>", "token_hunter2", "api_key->hunter2", "%70assword hunter2=1",
            "token%0Ahunter2=1", "token\u{1B}[31mhunter2=1", "token\u{202E}hunter2=1",
            "token\(String(repeating: "x", count: 100))hunter2=1",
        ])
    func refusedRequestShowsNoSecretInANameOfItsForm(form: String) async throws {
        let client = ImmediateClient { _ in .text("no", status: 401) }
        let body = RequestBody.data(Data(form.utf8), contentType: .formURLEncoded)
        let error = try await client.failure(of: Endpoint<Data, Data>(method: .post, body: body))
        #expect(error.description.hasSuffix(": 401 (sent with ***): no"), "\(error)")
    }

    /// A server can lead to such a URL with a redirect.
    @Test(.timeLimit(.minutes(1))) func manyNamesOfSecretsAreBounded() throws {
        let query = (0..<50_000).map { "token\($0)=1" }.joined(separator: "&")
        let request = HTTPRequest(method: .get, url: try #require(URL(string: "https://api.example.com/?\(query)")))
        let head = HTTPResponse.Head(status: 401, url: Self.url)
        let response = HTTPResponse(head: head, body: ResponseBody(Data()), request: request)
        #expect(DirectoryFailure.rejected(nil, response).description.utf8.count < 1500)
    }

    @Test func refusalAfterARedirectToAnotherOriginNamesTheFirstOne() async throws {
        let stub = StubClient { request in
            request.url.path() == "/things"
                ? .status(302, headers: [.location: "https://other.example/a"])
                : .text("no", status: 401)
        }
        let headers: HTTPHeaders = [.authorization: "Bearer hunter2"]
        let error = try await stub.failure(of: Endpoint<Data, Data>(parameters: ["id": "hunter2"], headers: headers))
        #expect(
            error.description
                == "GET https://other.example/a: 401 (sent without Authorization, since it left "
                + "https://api.example.com): no")
    }

    /// A client may add it to a request.
    @Test func refusalOfUserInformationSaysSo() {
        let head = HTTPResponse.Head(status: 401, url: Self.url)
        let request = HTTPRequest(method: .get, url: Self.url)
        let response = HTTPResponse(head: head, body: ResponseBody(Data()), request: request)
        let text = DirectoryFailure.rejected(nil, response).description
        #expect(text == "GET \(Self.maskedURL): 401 (sent with user information, access_token)")
    }

    @Test func refusalOfARequestThatIsNotKnownSaysNothing() {
        let error = DirectoryFailure.rejected(nil, Self.response("no", status: 401))
        #expect(!error.description.contains("sent"))
    }

    @Test func printedValuesShowNoSecrets() async throws {
        enum Key: CodingKey { case token }
        var request = HTTPRequest(
            method: .post, url: Self.url,
            headers: [
                .authorization: "Bearer hunter2", .cookie: "sid=hunter2; b=hunter2", "X-API-Key": "hunter2",
                "X-Trace": "shown",
            ], body: .form(["password": "hunter2", "name": "shown"]))
        request.headers.append("<https://u:hunter2@h/?token=hunter2>", for: "X-Link")
        let response = HTTPResponse(
            head: HTTPResponse.Head(status: 401, headers: ["Set-Cookie": "sid=hunter2; Path=/"], url: Self.url),
            body: ResponseBody(Data(#"{"token":"hunter2"}"#.utf8)))
        let decoding = DecodingError.dataCorrupted(
            .init(codingPath: [Key.token], debugDescription: "cannot read hunter2"))
        let errors: [DirectoryFailure] = [
            .rejected(nil, response), .unreadable(decoding, response),
            .unreadable(TransportError(.timedOut, "token=hunter2"), response),
            .transport(TransportError(.cannotConnect, "Authorization: Bearer hunter2", request: request)),
            .transport(TransportError(.other, request: request, underlying: decoding)),
            .invalidRequest(RequestError(.header, "password: hunter2", method: .get, url: Self.url)),
        ]
        let transport = TransportError(.cannotConnect, "secret=hunter2", request: request)
        let fields: HTTPHeaders = [.authorization: "Bearer hunter2", "X-Link": "<https://h/?token=hunter2>"]
        let values: [Any] = [
            fields.map(\.self), fields[0], fields.first as Any,
            errors, errors[0], Result<Int, DirectoryFailure>.failure(errors[0]), transport, [transport],
            RequestError(.header, "secret=hunter2", url: Self.url), request, [request], Optional(request) as Any,
            request.headers, [request.headers], request.body as Any, response, [response], response.head,
            [response.head], response.body, response.head.headers, APIReply(model: 1, head: response.head),
        ]
        for value in values {
            for text in [String(describing: value), String(reflecting: value), "\(value)", "\([value])"] {
                #expect(!text.contains("hunter2"), "\(text)")
            }
        }
        for error in errors { #expect(!error.localizedDescription.contains("hunter2")) }
        #expect(request.description.contains("shown"))
    }
}
