import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct APIRequestTests {
    private struct Minimal: APIRequest {
        typealias Response = Data
        var base: APIBase { APIBase(WireProbe.root) }
        var path: URLPath { "users" }
    }

    @Test func hasDefaults() async throws {
        #expect(try await Minimal().process(.status(200, body: Data("text".utf8))) == Data("text".utf8))
        let wire = try Minimal().httpRequest()
        #expect(wire.method == .get)
        #expect(wire.url.absoluteString == "https://api.example.com/v1/users")
        #expect(wire.headers.isEmpty)
        #expect(wire.body == nil)
        #expect(wire.options == RequestOptions())
        #expect(wire.delivery == .data)
        #expect(Minimal.Failure.self == Data.self)
    }

    @Test(
        arguments: [
            (199, false), (200, true), (204, true), (299, true), (300, false), (304, false), (404, false), (500, false),
        ] as [(Int, Bool)])
    func accepts200To299(status: Int, isAccepted: Bool) {
        #expect(Minimal.Response.isSuccess(HTTPResponse.Head(status: status, url: WireProbe.root)) == isAccepted)
    }

    @Test func itsOptionsAreAddedToThoseOfItsAPI() throws {
        struct Particular: APIRequest {
            typealias Response = Data
            var options = RequestOptions()
            let path: URLPath = "x"
            var base: APIBase {
                APIBase(
                    WireProbe.root,
                    options: RequestOptions(
                        timeout: .seconds(9), deadline: .seconds(20), sizeLimit: 7, redirects: .follow(limit: 1),
                        credentialHosts: ["a.example"], sendsBodyAcrossOrigins: false, isIdempotent: true,
                        secretNames: ["k"], addsCredentials: false))
            }
        }
        #expect(try Particular().httpRequest().options == Particular().base.options)
        let own = RequestOptions(
            timeout: .seconds(3), redirects: .refuse, credentialHosts: ["b.example"], isIdempotent: false)
        let options = try Particular(options: own).httpRequest().options
        #expect(options.timeout == .seconds(3) && options.redirects == .refuse && options.isIdempotent == false)
        #expect(options.deadline == .seconds(20) && options.sizeLimit == 7)
        #expect(options.sendsBodyAcrossOrigins == false && options.addsCredentials == false)
        #expect(options.credentialHosts == ["a.example", "b.example"])
        let lifting = RequestOptions(
            timeout: .unlimited, deadline: .unlimited, secretNames: ["x"], addsCredentials: true)
        let lifted = try Particular(options: lifting).httpRequest().options
        #expect(lifted.deadline == .unlimited && lifted.timeout == .unlimited && lifted.addsCredentials == true)
        #expect(lifted.secretNames == ["k", "x"])
    }

    // MARK: - Where parameters go

    @Test(arguments: [HTTPMethod.get, .head, .delete, .options, .trace])
    func parametersGoIntoTheQuery(method: HTTPMethod) throws {
        let wire = try WireProbe(method: method, parameters: ["a": "b c"]).httpRequest()
        #expect(wire.url.absoluteString == "https://api.example.com/v1/items?a=b%20c")
        #expect(wire.body == nil)
        #expect(wire.headers.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, "PROPPATCH"])
    func parametersGoIntoAForm(method: HTTPMethod) throws {
        let wire = try WireProbe(method: method, parameters: ["a": "b c"]).httpRequest()
        #expect(wire.url.absoluteString == "https://api.example.com/v1/items")
        #expect(wire.body == .form(["a": "b c"]))
        #expect(wire.headers == ["Content-Type": "application/x-www-form-urlencoded"])
        let empty = try WireProbe(method: method).httpRequest()
        #expect(empty.body == nil)
        #expect(empty.headers.isEmpty)
    }

    @Test func aFileMakesTheBodyMultipart() throws {
        let file = FilePart(Data([0xFF]), filename: "a.png")
        for value: any ParameterValue in [file, [file], Parameters.Node.object(["x": file])] {
            let wire = try WireProbe(method: .post, parameters: ["a": 1, "f": value]).httpRequest()
            let type = try #require(wire.body?.contentType)
            #expect(type.essence == "multipart/form-data")
            #expect(wire.headers[.contentType] == type.rawValue)
            let boundary = try #require(type.parameter("boundary"))
            let parts = try WireDecoding.parts(Array(wire.body?.data ?? Data()), boundary: boundary)
            #expect(parts.map(\.body) == [[0x31], [0xFF]])
        }
    }

    @Test func canHaveAQueryAndABody() throws {
        struct Searching: APIRequest {
            typealias Response = Data
            let base = APIBase(WireProbe.root)
            let path: URLPath = "search"
            let method = HTTPMethod.post
            let parameters: Parameters = ["text": "tea"]
            let query: Parameters = ["page": 2]
        }
        let wire = try Searching().httpRequest()
        #expect(wire.url.absoluteString == "https://api.example.com/v1/search?page=2")
        #expect(wire.body == .form(["text": "tea"]))
    }

    @Test func styleAppliesToQueryFormAndMultipart() throws {
        var probe = WireProbe(parameters: ["a": [1]], parameterStyle: ParameterStyle(lists: .brackets))
        #expect(try probe.queryText() == "a%5B%5D=1")
        probe.method = .post
        #expect(try probe.bodyText() == "a%5B%5D=1")
        probe.parameters.append(FilePart(Data(), filename: nil), for: "f")
        #expect(try probe.bodyText().contains("name=\"a[]\""))
        #expect(
            try WireProbe(defaultQuery: ["a": [1]], parameterStyle: probe.parameterStyle).queryText() == "a%5B%5D=1")
    }

    @Test func endpointOverridesTheDefaultQuery() throws {
        let probe = WireProbe(
            parameters: ["v": 2, "page": 1, "v": 3], defaultQuery: ["client": "c", "v": 1, "lang": "de"])
        #expect(try probe.queryText() == "client=c&lang=de&v=2&page=1&v=3")
        let version: Int? = nil
        #expect(try WireProbe(parameters: ["v": version], defaultQuery: ["v": 1]).queryText() == "v=1")
        // A parameter in the body overrides nothing.
        let form = try WireProbe(method: .post, parameters: ["v": 2], defaultQuery: ["v": 1]).httpRequest()
        #expect(form.url.query == "v=1")
        #expect(form.body?.text == "v=2")
        // The query of the base URL comes first.
        let base = try #require(URL(string: "https://h?k=1"))
        let third = WireProbe(baseURL: base, parameters: ["page": 2], defaultQuery: ["v": 1])
        #expect(try third.queryText() == "k=1&v=1&page=2")
    }

    @Test func everyMethodSendsTheDefaultQuery() throws {
        for method in [HTTPMethod.post, .put, .patch, .delete, .get, .head] {
            #expect(try WireProbe(method: method, defaultQuery: ["v": 1]).queryText() == "v=1")
        }
    }

    private struct Model: JSONResponse { var id: Int }

    private struct ModelProbe: APIRequest {
        typealias Response = Model
        typealias Failure = ProblemDetails
        var headers: HTTPHeaders = [:]
        var defaultHeaders: HTTPHeaders = [:]
        var method = HTTPMethod.get
        var body: RequestBody?
        var base: APIBase { APIBase(WireProbe.root, headers: defaultHeaders) }
        let path: URLPath = "x"
    }

    @Test func headersOverrideTheDefaultsAndThoseOverrideTheTypes() throws {
        var probe = ModelProbe(defaultHeaders: ["X-B": "b"], method: .post, body: .data(Data(), contentType: .png))
        #expect(
            try probe.httpRequest().headers
                == ["X-B": "b", "Accept": "application/json, application/problem+json", "Content-Type": "image/png"])
        probe.defaultHeaders = ["accept": "application/vnd.own+json", "content-type": "standard/type"]
        #expect(try probe.httpRequest().headers == probe.defaultHeaders)
        probe.headers = ["accept": "own/accept", "content-type": "own/type", "X-A": "own"]
        probe.defaultHeaders = [
            "Accept": "standard", "Content-Type": "standard", "x-a": "standard", "X-B": "standard",
        ]
        #expect(
            try probe.httpRequest().headers
                == ["accept": "own/accept", "content-type": "own/type", "X-A": "own", "X-B": "standard"])
        let none: String? = nil
        let unset = WireProbe(headers: ["X-A": none], defaultHeaders: ["X-A": "standard"])
        #expect(try unset.httpRequest().headers == ["X-A": "standard"])
        #expect(try BodyProbe(body: nil).httpRequest().headers.isEmpty)
    }

    // HTTPRequestTests has what is refused; here it is refused before the request is sent.
    @Test func rejectsWhatNoRequestMayHold() throws {
        for headers: HTTPHeaders in [["X Y": "1"], ["X": "a\r\nb"], ["Content-Length": "1"]] {
            try WireProbe(headers: headers).expectFault(.header)
            try WireProbe(method: .post, defaultHeaders: headers).expectFault(.header)
        }
        try WireProbe(method: "GET\r\n").expectFault(.method)
        try BodyProbe(method: .get, body: .json(["a": 1] as Parameters)).expectFault(.body)
    }
}
