import APIDescription
import APIKitCore
import TestTraits
import Testing

@Suite struct BrokenDescriptionTests {
    @Test(
        arguments: [
            ("", "there is no JSON"),
            ("openapi: 3.0.0", "line 1, column 1"),
            (#"{"openapi": "3.0.0", "openapi": "3.0.0"}"#, "two members of one name"),
            ("[]", "#/openapi is not 3.0 or 3.1"),
            (#"{"swagger": "2.0"}"#, "#/openapi is not 3.0 or 3.1"),
            (#"{"openapi": "3.0.0", "paths": []}"#, "#/paths is not an object"),
            (#"{"openapi": "3.0.0", "paths": {"/a": {"get": 1}}}"#, "#/paths/~1a/get is not an object"),
            (
                #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"parameters": 1}}}}"#,
                "#/paths/~1a/get/parameters is not an object or list"
            ),
            (##"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "#/b"}}}"##, "#/paths/~1a/$ref: #/b does not exist"),
            (#"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "b.json#/c"}}}"#, "b.json#/c is in another file"),
            (##"{"openapi": "3.0.0", "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}}"##, "refers to itself"),
            (
                #"{"openapi": "3.1.0", "components": {"schemas": {"a": {"properties": {"type": {"type": 1}}}}}}"#,
                "#/components/schemas/a/properties/type/type is not a string or list"
            ),
        ] as [(String, String)])
    func isATypedErrorWithItsPlace(_ text: String, _ expected: String) throws {
        let error = #expect(throws: ContentError.self) { try APIDescription(Data(text.utf8), name: "api.json") }
        #expect(error?.code == .invalidDescription)
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("api.json is not a valid description: ") == true)
    }

    @Test func namesOfUsersAreNotKeywords() throws {
        let text = #"""
            {"openapi": "3.0.0", "components": {"schemas": {"type": {"properties": {"enum": {}, "$ref": {}, "in": {}},
            "example": {"$ref": 1, "type": 2}, "default": {"items": 3}, "x-a": {"type": 4}}}}}
            """#
        _ = try APIDescription(Data(text.utf8))
    }

    @Test func missingFileIsATransportError() {
        #expect(throws: TransportError.self) {
            try APIDescription(contentsOf: URL(fileURLWithPath: "/missing/api.json"))
        }
    }

    @Test(.timeLimit(.minutes(10))) func noMutationCrashesOrHangs() throws {
        var random = SeededRandom(seed: 7)
        let values = Shop.text.matches(of: /"[^"]*"|\{[^{}]*\}|\[[^\[\]]*\]|\d+|true|false/).map(\.range)
        for round in 0..<Effort.rounds(150, thorough: 3_000) {
            var text = Shop.text
            // From the end, so that the places of the others stay the same.
            let places = (0...round % 3).compactMap { _ in values.randomElement(using: &random) }
            for place in places.sorted(by: { $0.lowerBound > $1.lowerBound }) where place.upperBound <= text.endIndex {
                let other = values.randomElement(using: &random).map { String(Shop.text[$0]) } ?? ""
                text.replaceSubrange(
                    place, with: round % 2 == 0 ? other : Self.hostile.randomElement(using: &random) ?? "")
            }
            guard let description = try? APIDescription(Data(text.utf8)) else { continue }
            let endpoint = Shop.endpoints[round % Shop.endpoints.count]
            _ = description.problems(with: endpoint)
        }
    }

    private static let hostile = [
        "null", "{}", "[]", "1e999", "\"\"", "true", ##"{"$ref": "#"}"##, ##"{"$ref": "#/components/schemas/Item"}"##,
        ##"{"$ref": "#/paths"}"##, #"{"type": "array"}"#, "[[[[1]]]]", #"{"type": ["null"]}"#, "\"{\"", "\"%zz\"",
    ]
}

private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
