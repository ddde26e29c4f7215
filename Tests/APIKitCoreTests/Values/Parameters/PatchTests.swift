import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct PatchTests {
    private struct Edit: Encodable {
        var title: Patch<String> = .keep
        var milestone: Patch<Int> = .keep
        var owner: Patch<[String]> = .keep
    }

    private static let cases: [(Patch<String>, Patch<Int>, String)] = [
        (.keep, .keep, "{}"),
        (.set("a"), .keep, #"{"title":"a"}"#),
        (.keep, .clear, #"{"milestone":null}"#),
        (.clear, .set(3), #"{"title":null,"milestone":3}"#),
    ]

    @Test(arguments: cases)
    func membersAreAbsentValueOrNull(title: Patch<String>, milestone: Patch<Int>, json: String) throws {
        let edit = Edit(title: title, milestone: milestone)
        #expect(try Self.json(["title": title, "milestone": milestone]) == json)
        #expect(try Self.json(Parameters(encoding: edit)) == json)
        let members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(edit)) as? NSDictionary
        #expect(members == (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary))
    }

    private static func json(_ parameters: Parameters) throws -> String {
        try JSONProbe(method: .patch, parameters: parameters).bodyText()
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
}
