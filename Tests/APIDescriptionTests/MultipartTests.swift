import APIDescription
import APIKitCore
import Testing

@Suite struct MultipartTests {
    private struct UploadRequest: APIRequest {
        typealias Response = Data
        let json: String
        var base: APIBase { "https://api.example" }
        var method: HTTPMethod { .post }
        var path: URLPath { "files" }
        var parameters: Parameters {
            [
                "purpose": "test",
                "about": FilePart(Data(json.utf8), filename: nil, contentType: .json),
                "file": FilePart(Data("[".utf8), filename: "a.json", contentType: .json),
            ]
        }
    }

    @Test(
        arguments: [
            (#"{"size": 1}"#, []),
            (#"{"size": "1"}"#, ["body.about.size is a string, not an integer"]),
            (#"{"length": 1}"#, ["body.about.length is not in the description"]),
            ("{", ["body.about is not JSON"]),
        ] as [(String, [String])])
    func partsInJSONAreCheckedByTheirSchemas(json: String, expected: [String]) throws {
        let text = #"""
            {"openapi": "3.0.0", "paths": {"/files": {"post": {"requestBody": {"content": {"multipart/form-data": {"schema": {
              "type": "object",
              "properties": {
                "purpose": {"type": "string"},
                "about": {"type": "object", "properties": {"size": {"type": "integer"}}},
                "file": {"type": "string", "format": "binary"}
              }
            }}}}, "responses": {}}}}}
            """#
        let problems = try APIDescription(Data(text.utf8)).problems(with: UploadRequest(json: json))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }

    private struct TagRequest: APIRequest {
        typealias Response = Data
        let parts: [String]
        var base: APIBase { "https://api.example" }
        var method: HTTPMethod { .post }
        var path: URLPath { "tags" }
        var parameters: Parameters {
            ["tags": parts.map { FilePart(Data($0.utf8), filename: nil, contentType: .json) }]
        }
    }

    @Test(
        arguments: [
            ([#"{"size": 1}"#, #"{"size": 2}"#], []),
            ([#"{"size": 1}"#, #"{"size": "2"}"#], ["body.tags.size is a string, not an integer"]),
            ([#"[{"size": 1}]"#], []), ([#"[{"size": ""}]"#], ["body.tags[0].size is a string, not an integer"]),
            (["1"], ["body.tags is 1, not an object"]),
        ] as [([String], [String])])
    func listHasAPartInJSONForEachElementOrForAll(parts: [String], expected: [String]) throws {
        let text = #"""
            {"openapi": "3.1.0", "paths": {"/tags": {"post": {"requestBody": {"content": {"multipart/form-data": {"schema": {
              "type": "object",
              "properties": {
                "tags": {"type": "array", "items": {"type": "object", "properties": {"size": {"type": "integer"}}}}
              }
            }}}}, "responses": {}}}}}
            """#
        let problems = try APIDescription(Data(text.utf8)).problems(with: TagRequest(parts: parts))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }

    @Test(
        arguments: [
            ([#"{"size": 1}"#, "2"], []), ([#"{"size": 1}"#, "2", "3"], []),
            (["2", #"{"size": 1}"#], ["body.tags is 2, not an object", "body.tags is an object, not an integer"]),
        ] as [([String], [String])])
    func partsOfATupleHaveSchemasOfTheirOwn(parts: [String], expected: [String]) throws {
        let text = #"""
            {"openapi": "3.1.0", "paths": {"/tags": {"post": {"requestBody": {"content": {"multipart/form-data": {"schema": {
              "type": "object",
              "properties": {
                "tags": {
                  "type": "array",
                  "prefixItems": [{"type": "object", "properties": {"size": {"type": "integer"}}}],
                  "items": {"type": "integer"}
                }
              }
            }}}}, "responses": {}}}}}
            """#
        let problems = try APIDescription(Data(text.utf8)).problems(with: TagRequest(parts: parts))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }
}
