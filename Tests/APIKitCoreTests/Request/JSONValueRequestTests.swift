import APIKitCore
import APIKitSupport
import Foundation
import TestSupport
import Testing

@Suite struct JSONValueRequestTests {
    private func sent(_ value: JSONValue, lists: ParameterStyle.Lists = .repeated) throws -> String? {
        var endpoint = Endpoint<NoContent, Data>(parameters: ["v": value, "after": 1])
        endpoint.base = APIBase("https://api.example.com", parameterStyle: ParameterStyle(lists: lists))
        return try endpoint.httpRequest().url.query(percentEncoded: false)
    }

    @Test func valueIsAParameter() throws {
        #expect(try sent("text") == "v=text&after=1")
        #expect(try sent(.null) == "v=&after=1")
        #expect(try sent(12.5) == "v=12.5&after=1")
        #expect(try sent(["a", 1]) == "v=a&v=1&after=1")
        #expect(try sent(["a": ["b": true]]) == "v[a][b]=true&after=1")
    }

    @Test func valueIsAMemberOfAJSONBody() throws {
        struct Create: JSONRequest {
            typealias Response = NoContent
            var settings: JSONValue
            var base: APIBase { "https://api.example.com" }
            var path: URLPath { "plugins" }
            var method: HTTPMethod { .post }
            var parameters: Parameters { ["settings": settings] }
        }
        let settings: JSONValue = ["z": [1, .null], "a": ["limit": 12345678901234567890.0]]
        let body = try Create(settings: settings).httpRequest().body?.data
        #expect(
            String(decoding: try #require(body), as: UTF8.self).hasPrefix(#"{"settings":{"z":[1,null],"a":{"limit":"#))
    }

    @Test func valueIsABodyAndAResponse() async throws {
        let endpoint = Endpoint<JSONValue, Data>(method: .post, body: .json(["a": .null] as JSONValue))
        #expect(try endpoint.httpRequest().body?.data == Data(#"{"a":null}"#.utf8))
        #expect(try endpoint.httpRequest().headers[.accept] == "application/json")
        let client = ImmediateClient(.text(#"[{"b": 1.50}]"#))
        let value = try await client.send(endpoint)
        #expect(value == [["b": 1.5]])
    }

    @Test func tooDeepValueIsARequestError() throws {
        var value: JSONValue = 1
        for _ in 0..<101 { value = [value] }
        #expect(throws: RequestError.self) { try sent(value) }
    }

    @Test func extendedModelIsABodyAndAResponse() async throws {
        struct Person: JSONResponse, JSONBody, Hashable { let name: String }
        let ann = Extended(Person(name: "Ann"), additional: ["age": 41])
        let endpoint = Endpoint<Extended<Person, Int>, Data>(method: .put, body: .json(ann))
        #expect(try endpoint.httpRequest().body?.data == Data(#"{"age":41,"name":"Ann"}"#.utf8))
        let client = ImmediateClient(.text(#"{"name": "Ann", "age": 41}"#))
        #expect(try await client.send(endpoint) == ann)
    }

    @Test func extendedModelIsEncodedAsParameters() throws {
        struct Filter: Codable { let name: String }
        let parameters = Parameters(encoding: Extended(Filter(name: "Ann"), additional: ["age": 41]))
        let endpoint = Endpoint<NoContent, Data>(parameters: parameters)
        #expect(try endpoint.httpRequest().url.query() == "name=Ann&age=41")
    }
}
