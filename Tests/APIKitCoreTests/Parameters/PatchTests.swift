import APIKitCore
import Foundation
import Testing

@Suite struct PatchTests {
    private struct Edit: Encodable {
        var title: Patch<String> = .keep
        var milestone: Patch<Int> = .keep
        var owner: Patch<[String]> = .keep
    }

    private struct EditRequest: JSONAPIRequest {
        typealias Response = NoContent
        var title: Patch<String> = .keep
        var milestone: Patch<Int> = .keep
        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: URLPath { "issues/7" }
        var method: HTTPMethod { .patch }
        var parameters: Parameters { ["title": title, "milestone": milestone] }
    }

    private static let cases: [(Patch<String>, Patch<Int>, String)] = [
        (.keep, .keep, "{}"),
        (.set("a"), .keep, #"{"title":"a"}"#),
        (.keep, .clear, #"{"milestone":null}"#),
        (.clear, .set(3), #"{"title":null,"milestone":3}"#),
    ]

    @Test(arguments: cases)
    func jsonParametersAreAbsentValueOrNull(title: Patch<String>, milestone: Patch<Int>, json: String) throws {
        let body = try EditRequest(title: title, milestone: milestone).httpRequest().body
        #expect(body?.data == Data(json.utf8))
    }

    @Test(arguments: cases)
    func encodableMembersAreAbsentValueOrNull(title: Patch<String>, milestone: Patch<Int>, json: String) throws {
        let data = try JSONEncoder().encode(Edit(title: title, milestone: milestone))
        let members = try JSONSerialization.jsonObject(with: data) as? NSDictionary
        #expect(members == (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary))
    }

    @Test(arguments: cases) func parametersOfAnEncodableValueAreAbsentValueOrNull(
        title: Patch<String>, milestone: Patch<Int>, json: String
    ) throws {
        let parameters = Parameters(encoding: Edit(title: title, milestone: milestone))
        #expect(try Self.json(parameters) == json)
    }

    @Test func queryLeavesOutWhatIsKept() throws {
        let parameters: Parameters = ["a": Patch<Int>.keep, "b": Patch<Int>.clear, "c": Patch<Int>.set(1)]
        #expect(parameters.description == "b=&c=1")
        #expect(parameters == ["b": .null, "c": 1])
    }

    @Test func listLeavesOutWhatIsKept() throws {
        #expect(try Self.json(["a": [Patch<Int>.keep, .set(1), .clear]]) == #"{"a":[1,null]}"#)
        #expect(try Self.json(["a": .list([Patch<Int>.keep, 2])]) == #"{"a":[2]}"#)
        #expect(try Self.json(["a": .object(["b": Patch<Int>.keep])]) == #"{"a":{}}"#)
        #expect(try Self.json(["a": ["b": Patch<Int>.keep]]) == #"{"a":{}}"#)
    }

    @Test func keepCannotBeEncodedWhereNothingCanBeLeftOut() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": Patch<Int>.keep]) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([Patch<Int>.keep]) }
    }

    private struct JSONProbe: JSONAPIRequest {
        typealias Response = NoContent
        var parameters: Parameters
        var baseURL: URL { URL(string: "https://api.example.com")! }
        var path: URLPath { "" }
        var method: HTTPMethod { .post }
    }

    private static func json(_ parameters: Parameters) throws -> String {
        let data = try JSONProbe(parameters: parameters).httpRequest().body?.data
        return String(decoding: try #require(data), as: UTF8.self)
    }
}
