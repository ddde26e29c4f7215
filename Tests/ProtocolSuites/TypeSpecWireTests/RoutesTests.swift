import APIKit
import SuiteSupport
import Testing

/// Values in paths and queries, in the notations of RFC 6570.
@Suite struct RoutesTests {
    private let list = ["a", "b"]
    private let record = ["a": 1, "b": 2]

    /// Checks what the endpoints in the values send: the keys.
    private func check(_ rows: KeyValuePairs<String, Get>) async throws {
        for (target, request) in rows { try await expect(request, sends: "GET", target) }
    }

    @Test(.scenario("Routes_InInterface", "Routes_fixed"))
    func fixed() async throws {
        try await check(["/routes/in-interface/fixed": Get("routes/in-interface/fixed")])
        try await check(["/routes/fixed": Get("routes/fixed")])
    }

    // MARK: - Paths

    @Test(
        .scenario(
            "Routes_PathParameters_templateOnly", "Routes_PathParameters_explicit",
            "Routes_PathParameters_annotationOnly"))
    func pathValues() async throws {
        try await check([
            "/routes/path/template-only/a": Get("routes/path/template-only/\("a")"),
            "/routes/path/explicit/a": Get("routes/path/explicit/\("a")"),
            "/routes/path/annotation-only/a": Get("routes/path/annotation-only/\("a")"),
        ])
    }

    @Test(
        .scenario(
            "Routes_PathParameters_ReservedExpansion_template", "Routes_PathParameters_ReservedExpansion_annotation"))
    func reservedExpansion() async throws {
        let text = "foo/bar baz"
        try await check([
            "/routes/path/reserved-expansion/template/foo/bar%20baz":
                Get("routes/path/reserved-expansion/template/\(segments: text)"),
            "/routes/path/reserved-expansion/annotation/foo/bar%20baz":
                Get("routes/path/reserved-expansion/annotation/\(segments: text)"),
        ])
    }

    @Test(
        .scenario(
            "Routes_PathParameters_SimpleExpansion_Standard_primitive",
            "Routes_PathParameters_SimpleExpansion_Standard_array",
            "Routes_PathParameters_SimpleExpansion_Standard_record",
            "Routes_PathParameters_SimpleExpansion_Explode_primitive",
            "Routes_PathParameters_SimpleExpansion_Explode_array",
            "Routes_PathParameters_SimpleExpansion_Explode_record"))
    func simpleExpansion() async throws {
        try await check([
            "/routes/path/simple/standard/primitivea": Get("routes/path/simple/standard/primitive\("a")"),
            "/routes/path/simple/standard/arraya,b": Get("routes/path/simple/standard/array\(list: list)"),
            "/routes/path/simple/standard/recorda,1,b,2": Get("routes/path/simple/standard/record\(list: record)"),
            "/routes/path/simple/explode/primitivea": Get("routes/path/simple/explode/primitive\("a")"),
            "/routes/path/simple/explode/arraya,b": Get(
                "routes/path/simple/explode/array\(list: list, exploded: true)"),
            "/routes/path/simple/explode/recorda=1,b=2":
                Get("routes/path/simple/explode/record\(list: record, exploded: true)"),
        ])
    }

    @Test(
        .scenario(
            "Routes_PathParameters_PathExpansion_Standard_primitive",
            "Routes_PathParameters_PathExpansion_Standard_array", "Routes_PathParameters_PathExpansion_Standard_record",
            "Routes_PathParameters_PathExpansion_Explode_primitive",
            "Routes_PathParameters_PathExpansion_Explode_array"))
    func pathExpansion() async throws {
        try await check([
            "/routes/path/path/standard/primitive/a": Get("routes/path/path/standard/primitive/\("a")"),
            "/routes/path/path/standard/array/a,b": Get("routes/path/path/standard/array/\(list: list)"),
            "/routes/path/path/standard/record/a,1,b,2": Get("routes/path/path/standard/record/\(list: record)"),
            "/routes/path/path/explode/primitive/a": Get("routes/path/path/explode/primitive/\("a")"),
            "/routes/path/path/explode/array/a/b": Get("routes/path/path/explode/array/\(segments: list)"),
        ])
    }

    /// The members of an object as segments, which stands for any object whose members are known.
    struct MembersAsSegments: ServiceRequest {
        var a: Int
        var b: Int
        var path: URLPath { "routes/path/path/explode/record/a=\(a)/b=\(b)" }
    }

    @Test(
        .scenario(
            "Routes_PathParameters_PathExpansion_Explode_record", byHand: "the members of an object as segments"))
    func membersAsSegments() async throws {
        try await expect(MembersAsSegments(a: 1, b: 2), sends: "GET", "/routes/path/path/explode/record/a=1/b=2")
    }

    @Test(
        .scenario(
            "Routes_PathParameters_LabelExpansion_Standard_primitive",
            "Routes_PathParameters_LabelExpansion_Standard_array",
            "Routes_PathParameters_LabelExpansion_Standard_record",
            "Routes_PathParameters_LabelExpansion_Explode_primitive",
            "Routes_PathParameters_LabelExpansion_Explode_array", "Routes_PathParameters_LabelExpansion_Explode_record")
    )
    func labelExpansion() async throws {
        try await check([
            "/routes/path/label/standard/primitive.a": Get("routes/path/label/standard/primitive\(label: "a")"),
            "/routes/path/label/standard/array.a,b": Get("routes/path/label/standard/array\(label: list)"),
            "/routes/path/label/standard/record.a,1,b,2": Get("routes/path/label/standard/record\(label: record)"),
            "/routes/path/label/explode/primitive.a":
                Get("routes/path/label/explode/primitive\(label: "a", exploded: true)"),
            "/routes/path/label/explode/array.a.b": Get(
                "routes/path/label/explode/array\(label: list, exploded: true)"),
            "/routes/path/label/explode/record.a=1.b=2":
                Get("routes/path/label/explode/record\(label: record, exploded: true)"),
        ])
    }

    @Test(
        .scenario(
            "Routes_PathParameters_MatrixExpansion_Standard_primitive",
            "Routes_PathParameters_MatrixExpansion_Standard_array",
            "Routes_PathParameters_MatrixExpansion_Standard_record",
            "Routes_PathParameters_MatrixExpansion_Explode_primitive",
            "Routes_PathParameters_MatrixExpansion_Explode_array",
            "Routes_PathParameters_MatrixExpansion_Explode_record"))
    func matrixExpansion() async throws {
        try await check([
            "/routes/path/matrix/standard/primitive;param=a":
                Get("routes/path/matrix/standard/primitive\(matrix: "a", name: "param")"),
            "/routes/path/matrix/standard/array;param=a,b":
                Get("routes/path/matrix/standard/array\(matrix: list, name: "param")"),
            "/routes/path/matrix/standard/record;param=a,1,b,2":
                Get("routes/path/matrix/standard/record\(matrix: record, name: "param")"),
            "/routes/path/matrix/explode/primitive;param=a":
                Get("routes/path/matrix/explode/primitive\(matrix: "a", exploded: true, name: "param")"),
            "/routes/path/matrix/explode/array;param=a;param=b":
                Get("routes/path/matrix/explode/array\(matrix: list, exploded: true, name: "param")"),
            "/routes/path/matrix/explode/record;a=1;b=2":
                Get("routes/path/matrix/explode/record\(matrix: record, exploded: true, name: "param")"),
        ])
    }

    // MARK: - Queries

    @Test(
        .scenario(
            "Routes_QueryParameters_templateOnly", "Routes_QueryParameters_explicit",
            "Routes_QueryParameters_annotationOnly"))
    func queryValues() async throws {
        try await check([
            "/routes/query/template-only?param=a": Get("routes/query/template-only", ["param": "a"]),
            "/routes/query/explicit?param=a": Get("routes/query/explicit", ["param": "a"]),
            "/routes/query/annotation-only?param=a": Get("routes/query/annotation-only", ["param": "a"]),
        ])
    }

    /// The members of a model as parameters of their own.
    struct Filter: Encodable {
        var field: String
        var value: String
    }

    @Test(
        .scenario(
            "Routes_QueryParameters_QueryExpansion_Standard_primitive",
            "Routes_QueryParameters_QueryExpansion_Standard_array",
            "Routes_QueryParameters_QueryExpansion_Standard_record",
            "Routes_QueryParameters_QueryExpansion_Explode_primitive",
            "Routes_QueryParameters_QueryExpansion_Explode_array",
            "Routes_QueryParameters_QueryExpansion_Explode_record",
            "Routes_QueryParameters_QueryExpansion_Explode_model"))
    func queryExpansion() async throws {
        let filter = Parameters(encoding: Filter(field: "status", value: "active"))
        try await check([
            "/routes/query/query-expansion/standard/primitive?param=a":
                Get("routes/query/query-expansion/standard/primitive", ["param": "a"]),
            "/routes/query/query-expansion/standard/array?param=a,b":
                Get("routes/query/query-expansion/standard/array", ["param": .list(list, as: .commas)]),
            "/routes/query/query-expansion/standard/record?param=a,1,b,2":
                Get("routes/query/query-expansion/standard/record", ["param": .object(["a": 1, "b": 2], as: .commas)]),
            "/routes/query/query-expansion/explode/primitive?param=a":
                Get("routes/query/query-expansion/explode/primitive", ["param": "a"]),
            "/routes/query/query-expansion/explode/array?param=a&param=b":
                Get("routes/query/query-expansion/explode/array", ["param": list]),
            "/routes/query/query-expansion/explode/record?a=1&b=2":
                Get("routes/query/query-expansion/explode/record", Parameters(encoding: record)),
            "/routes/query/query-expansion/explode/model?field=status&value=active":
                Get("routes/query/query-expansion/explode/model", filter),
        ])
    }

    @Test(
        .scenario(
            "Routes_QueryParameters_QueryContinuation_Standard_primitive",
            "Routes_QueryParameters_QueryContinuation_Standard_array",
            "Routes_QueryParameters_QueryContinuation_Standard_record",
            "Routes_QueryParameters_QueryContinuation_Explode_primitive",
            "Routes_QueryParameters_QueryContinuation_Explode_array",
            "Routes_QueryParameters_QueryContinuation_Explode_record"))
    func queryContinuation() async throws {
        let fixed: Parameters = ["fixed": true]
        try await check([
            "/routes/query/query-continuation/standard/primitive?fixed=true&param=a":
                Get("routes/query/query-continuation/standard/primitive", fixed + ["param": "a"]),
            "/routes/query/query-continuation/standard/array?fixed=true&param=a,b":
                Get("routes/query/query-continuation/standard/array", fixed + ["param": .list(list, as: .commas)]),
            "/routes/query/query-continuation/standard/record?fixed=true&param=a,1,b,2":
                Get(
                    "routes/query/query-continuation/standard/record",
                    fixed + ["param": .object(["a": 1, "b": 2], as: .commas)]),
            "/routes/query/query-continuation/explode/primitive?fixed=true&param=a":
                Get("routes/query/query-continuation/explode/primitive", fixed + ["param": "a"]),
            "/routes/query/query-continuation/explode/array?fixed=true&param=a&param=b":
                Get("routes/query/query-continuation/explode/array", fixed + ["param": list]),
            "/routes/query/query-continuation/explode/record?fixed=true&a=1&b=2":
                Get("routes/query/query-continuation/explode/record", fixed + Parameters(encoding: record)),
        ])
    }
}
