import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite struct APIRequestTests {
    // MARK: - Defaults

    private struct Minimal: APIRequest {
        typealias Response = String
        var baseURL: URL { WireProbe.root }
        var path: URLPath { "users" }
    }

    @Test func hasDefaults() throws {
        let wire = try Minimal().httpRequest()
        #expect(wire.method == .get)
        #expect(wire.url.absoluteString == "https://api.example.com/v1/users")
        #expect(wire.headers.isEmpty)
        #expect(wire.body == nil)
        #expect(wire.options == RequestOptions())
        #expect(wire.delivery == .data)
        #expect(wire.endpoint is Minimal)
        #expect(Minimal.Failure.self == Data.self)
    }

    @Test func requestHoldsItsEndpoint() throws {
        let endpoint = try #require(WireProbe(path: "x").httpRequest().endpoint as? WireProbe)
        #expect(endpoint.path == "x")
    }

    @Test(arguments: [
        (199, false), (200, true), (204, true), (299, true), (300, false), (304, false), (404, false), (500, false),
    ]) func accepts200To299(status: Int, isAccepted: Bool) {
        #expect(Minimal().isSuccess(HTTPResponse.Head(status: status, url: WireProbe.root)) == isAccepted)
    }

    @Test func processesLikeTheResponseType() async throws {
        #expect(try await Minimal().process(.status(200, body: Data("text".utf8))) == "text")
    }

    private struct Particular: APIRequest {
        typealias Response = Data
        let baseURL = WireProbe.root
        let path: URLPath = "x"
        let options = RequestOptions(timeout: .seconds(3), redirects: .refuse)
        let delivery = ResponseBody.Delivery.stream
        func isSuccess(_ head: HTTPResponse.Head) -> Bool { head.status == 418 }
    }

    @Test func passesOnItsOptionsAndDelivery() throws {
        let wire = try Particular().httpRequest()
        #expect(wire.options.timeout == .seconds(3))
        #expect(wire.options.redirects == .refuse)
        #expect(wire.delivery == .stream)
        #expect(wire.delivery(of: HTTPResponse.Head(status: 418, url: WireProbe.root)) == .stream)
        #expect(wire.delivery(of: HTTPResponse.Head(status: 200, url: WireProbe.root)) == .data)
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
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch]) func hasNoBodyWithoutParameters(method: HTTPMethod) throws {
        let wire = try WireProbe(method: method).httpRequest()
        #expect(wire.body == nil)
        #expect(wire.headers.isEmpty)
    }

    @Test func aFileMakesTheBodyMultipart() throws {
        let file = FilePart(Data([0xFF]), filename: "a.png")
        for value: any ParameterValue in [file, [file], Parameters.Node.object(["x": file])] {
            let body = try #require(WireProbe(method: .post, parameters: ["a": 1, "f": value]).httpRequest().body)
            #expect(body.contentType?.essence == "multipart/form-data")
            let boundary = try #require(body.contentType?.parameter("boundary"))
            #expect(
                try WireDecoding.parts(Array(body.data ?? Data()), boundary: boundary).map(\.body) == [[0x31], [0xFF]])
        }
    }

    @Test func multipartContentTypeHoldsTheBoundary() throws {
        let wire = try WireProbe(method: .post, parameters: ["f": FilePart(Data(), filename: "a")]).httpRequest()
        #expect(wire.headers[.contentType] == wire.body?.contentType?.rawValue)
    }

    private struct Searching: APIRequest {
        typealias Response = Data
        let baseURL = WireProbe.root
        let path: URLPath = "search"
        let method = HTTPMethod.post
        let parameters: Parameters = ["text": "tea"]
        let query: Parameters = ["page": 2]
    }

    @Test func canHaveAQueryAndABody() throws {
        let wire = try Searching().httpRequest()
        #expect(wire.url.absoluteString == "https://api.example.com/v1/search?page=2")
        #expect(wire.body == .form(["text": "tea"]))
    }

    @Test func styleAppliesToQueryFormAndMultipart() throws {
        let style = ParameterStyle(lists: .brackets)
        let file = FilePart(Data(), filename: nil)
        #expect(try WireProbe(parameters: ["a": [1]], parameterStyle: style).queryText() == "a%5B%5D=1")
        let form = try WireProbe(method: .post, parameters: ["a": [1]], parameterStyle: style).httpRequest()
        #expect(form.body?.text == "a%5B%5D=1")
        let multipart = try WireProbe(method: .post, parameters: ["a": [1], "f": file], parameterStyle: style)
            .httpRequest()
        #expect(multipart.body?.text.contains("name=\"a[]\"") == true)
        let standard = WireProbe(defaultQuery: ["a": [1]], parameterStyle: style)
        #expect(try standard.queryText() == "a%5B%5D=1")
    }

    // MARK: - The standard query

    @Test func endpointOverridesTheDefaultQuery() throws {
        let probe = WireProbe(
            parameters: ["v": 2, "page": 1, "v": 3], defaultQuery: ["client": "c", "v": 1, "lang": "de"])
        #expect(try probe.queryText() == "client=c&lang=de&v=2&page=1&v=3")
    }

    @Test func everyMethodSendsTheDefaultQuery() throws {
        for method in [HTTPMethod.post, .put, .patch, .delete, .get, .head] {
            #expect(try WireProbe(method: method, defaultQuery: ["v": 1]).queryText() == "v=1")
        }
    }

    @Test func aParameterInTheBodyDoesNotOverrideTheDefaultQuery() throws {
        let wire = try WireProbe(method: .post, parameters: ["v": 2], defaultQuery: ["v": 1]).httpRequest()
        #expect(wire.url.query == "v=1")
        #expect(wire.body?.text == "v=2")
    }

    @Test func nilDoesNotOverrideTheDefaultQuery() throws {
        let version: Int? = nil
        #expect(try WireProbe(parameters: ["v": version], defaultQuery: ["v": 1]).queryText() == "v=1")
    }

    @Test func queryOfTheBaseURLComesFirst() throws {
        let base = try #require(URL(string: "https://h?k=1"))
        let probe = WireProbe(baseURL: base, parameters: ["page": 2], defaultQuery: ["v": 1])
        #expect(try probe.queryText() == "k=1&v=1&page=2")
    }

    // MARK: - Headers

    private struct Model: JSONAPIResponse { var id: Int }

    private struct ModelProbe: APIRequest {
        typealias Response = Model
        typealias Failure = ProblemDetails
        var headers: HTTPHeaders = [:]
        var defaultHeaders: HTTPHeaders = [:]
        var method = HTTPMethod.get
        var body: RequestBody?
        let baseURL = WireProbe.root
        let path: URLPath = "x"
    }

    private struct OneTypeProbe: APIRequest {
        typealias Response = [Model]
        typealias Failure = Model
        let baseURL = WireProbe.root
        let path: URLPath = "x"
    }

    private struct DataWithProblems: APIRequest {
        typealias Response = Data
        typealias Failure = ProblemDetails
        let baseURL = WireProbe.root
        let path: URLPath = "x"
    }

    @Test func acceptHoldsTheTypesOfResponseAndFailure() throws {
        #expect(try ModelProbe().httpRequest().headers == ["Accept": "application/json, application/problem+json"])
    }

    @Test func acceptHoldsEachTypeOnce() throws {
        #expect(try OneTypeProbe().httpRequest().headers == ["Accept": "application/json"])
    }

    @Test func sendsNoAcceptIfAnyTypeIsRead() throws {
        #expect(try DataWithProblems().httpRequest().headers.isEmpty)
        #expect(try Minimal().httpRequest().headers.isEmpty)
    }

    @Test func headersOverrideAllOthers() throws {
        let probe = ModelProbe(
            headers: ["accept": "own/accept", "content-type": "own/type", "X-A": "own"],
            defaultHeaders: ["Accept": "standard", "Content-Type": "standard", "x-a": "standard", "X-B": "standard"],
            method: .post, body: .data(Data(), contentType: .png))
        #expect(
            try probe.httpRequest().headers
                == ["accept": "own/accept", "content-type": "own/type", "X-A": "own", "X-B": "standard"])
    }

    @Test func defaultHeadersOverrideThoseOfTypes() throws {
        let probe = ModelProbe(
            defaultHeaders: ["accept": "application/vnd.own+json", "content-type": "standard/type"], method: .post,
            body: .data(Data(), contentType: .png))
        #expect(
            try probe.httpRequest().headers == ["accept": "application/vnd.own+json", "content-type": "standard/type"])
    }

    @Test func sendsTheTypeOfTheBody() throws {
        let probe = ModelProbe(defaultHeaders: ["X-B": "b"], method: .post, body: .data(Data(), contentType: .png))
        #expect(
            try probe.httpRequest().headers
                == ["X-B": "b", "Accept": "application/json, application/problem+json", "Content-Type": "image/png"])
    }

    @Test func sendsNoContentTypeWithoutABody() throws {
        #expect(try BodyProbe(body: nil).httpRequest().headers.isEmpty)
    }

    @Test func keepsRepeatedHeaders() throws {
        var headers: HTTPHeaders = ["X-A": "1"]
        headers.append("2", for: "x-a")
        let probe = WireProbe(headers: headers, defaultHeaders: ["X-A": "3"])
        #expect(try probe.httpRequest().headers.values(for: "X-A") == ["1", "2"])
    }

    @Test func aNilHeaderDoesNotOverrideTheDefault() throws {
        let own: String? = nil
        let probe = WireProbe(headers: ["X-A": own], defaultHeaders: ["X-A": "standard"])
        #expect(try probe.httpRequest().headers == ["X-A": "standard"])
    }

    // MARK: - Refusals

    @Test(arguments: [
        ("X Y", "1"), ("", "1"), ("X", "a\r\nb"), ("X", "a\nb"), ("X", "\0"), ("Content-Length", "1"),
        ("transfer-encoding", "chunked"),
    ]) func rejectsInvalidHeaders(name: String, value: String) throws {
        let headers: HTTPHeaders = [HTTPHeaders.Name(rawValue: name): value]
        for probe in [WireProbe(headers: headers), WireProbe(method: .post, defaultHeaders: headers)] {
            #expect(try #require(throws: RequestError.self) { try probe.httpRequest() }.code == .header)
        }
    }

    @Test(arguments: ["", "GE T", "GET\r\n", "G\u{C9}T"]) func rejectsAMethodThatIsNotAToken(method: String) throws {
        let probe = WireProbe(method: HTTPMethod(rawValue: method))
        #expect(try #require(throws: RequestError.self) { try probe.httpRequest() }.code == .method)
    }

    @Test(arguments: [HTTPMethod.get, .head, .trace]) func rejectsABodyIfTheMethodHasNone(method: HTTPMethod) throws {
        let probe = BodyProbe(method: method, body: .json(["a": 1] as Parameters))
        #expect(try #require(throws: RequestError.self) { try probe.httpRequest() }.code == .body)
    }

    @Test func deleteMayHaveABody() throws {
        let wire = try BodyProbe(method: .delete, body: .json(["ids": [1, 2]] as Parameters)).httpRequest()
        #expect(wire.body?.text == #"{"ids":[1,2]}"#)
        #expect(wire.headers == ["Content-Type": "application/json"])
    }

    // MARK: - The same each time

    @Test func requestIsTheSameEachTime() throws {
        let probe = WireProbe(
            method: .post, parameters: ["d": ["b": 1, "a": 2, "c": 3], "s": Set(["x", "y", "z"])], headers: ["A": "1"])
        #expect(try probe.httpRequest() == probe.httpRequest())
    }
}
