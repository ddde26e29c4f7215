import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct JSONRequestTests {
    @Test(arguments: [HTTPMethod.post, .put, .patch, "PROPPATCH"])
    func parametersBecomeAJSONBody(method: HTTPMethod) throws {
        let wire = try JSONProbe(method: method, parameters: ["b": 1, "a": .object(["c": .null])]).httpRequest()
        #expect(wire.body?.text == #"{"b":1,"a":{"c":null}}"#)
        #expect(wire.headers == ["Content-Type": "application/json"])
        #expect(wire.url.absoluteString == "https://api.example.com/v1/items")
        let empty = try JSONProbe(method: method).httpRequest()
        #expect(empty.body == nil)
        #expect(empty.headers.isEmpty)
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete, .options, .trace])
    func parametersStayInTheQuery(method: HTTPMethod) throws {
        let wire = try JSONProbe(method: method, parameters: ["a": 1]).httpRequest()
        #expect(wire.url.query == "a=1")
        #expect(wire.body == nil)
        #expect(wire.headers.isEmpty)
    }

    @Test func allNilParametersAreAnEmptyObject() throws {
        struct Filter: Encodable { var text: String? }
        var built = Parameters()
        built.append(nil, for: "text")
        let text: String? = nil
        let all: [Parameters] = [
            ["text": text, "page": Int?.none], built, Parameters(encoding: Filter()), built + [:],
        ]
        for parameters in all {
            let wire = try JSONProbe(parameters: parameters).httpRequest()
            #expect(wire.body?.text == "{}")
            #expect(wire.headers == ["Content-Type": "application/json"])
        }
    }

    @Test func allNilParametersMakeNoQueryAndNoForm() throws {
        let text: String? = nil
        #expect(try JSONProbe(method: .get, parameters: ["text": text]).httpRequest().body == nil)
        #expect(try WireProbe(method: .post, parameters: ["text": text]).httpRequest().body == nil)
        #expect(try WireProbe(parameters: ["text": text]).queryText() == "(no query)")
    }

    @Test func keepsWhatAnEndpointOverrides() throws {
        struct Overriding: JSONRequest {
            typealias Response = Account
            let base = APIBase(WireProbe.root)
            let path: URLPath = "x"
            let method = HTTPMethod.post
            let headers: HTTPHeaders = ["X-A": "1"]
            let body: RequestBody? = .data(Data("x".utf8), contentType: .plainText)
        }
        let wire = try Overriding().httpRequest()
        #expect(wire.headers == ["X-A": "1", "Accept": "application/json", "Content-Type": "text/plain"])
        #expect(wire.body?.text == "x")
        let probe = JSONProbe(parameters: ["a": 1], headers: ["content-type": "application/vnd.own+json"])
        #expect(try probe.httpRequest().headers == ["Content-Type": "application/vnd.own+json"])
        #expect(try probe.bodyText() == #"{"a":1}"#)
    }
}
