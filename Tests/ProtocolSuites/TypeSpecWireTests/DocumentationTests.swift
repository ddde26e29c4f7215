import APIKit
import SuiteSupport
import Testing

/// Operations whose descriptions contain lists and marks of text. What is sent is plain.
@Suite struct DocumentationTests {
    struct BulletPoints: ServiceRequest, JSONRequest {
        var input: Model
        var method: HTTPMethod { .post }
        var path: URLPath { "documentation/lists/bullet-points/model" }
        var parameters: Parameters { ["input": input] }

        struct Model: ParameterValue {
            var prop: Kind
            var parameterNode: Parameters.Node { .object(["prop": prop]) }
        }

        enum Kind: String, ParameterValue { case simple = "Simple", bold = "Bold", italic = "Italic" }
    }

    @Test(.scenario("Documentation_Lists_bulletPointsOp", "Documentation_Lists_numbered"))
    func lists() async throws {
        try await expect(
            Get("documentation/lists/bullet-points/op"), sends: "GET", "/documentation/lists/bullet-points/op")
        try await expect(Get("documentation/lists/numbered"), sends: "GET", "/documentation/lists/numbered")
    }

    @Test(.scenario("Documentation_Lists_bulletPointsModel"))
    func model() async throws {
        try await expect(
            BulletPoints(input: .init(prop: .simple)), sends: "POST", "/documentation/lists/bullet-points/model",
            .json(#"{"input": {"prop": "Simple"}}"#))
    }

    @Test(
        .scenario(
            "Documentation_TextFormatting_boldText", "Documentation_TextFormatting_italicText",
            "Documentation_TextFormatting_combinedFormatting"),
        arguments: ["bold", "italic", "combined"])
    func textFormatting(_ format: String) async throws {
        try await expect(
            Get("documentation/text-formatting/\(format)"), sends: "GET", "/documentation/text-formatting/\(format)")
    }
}
