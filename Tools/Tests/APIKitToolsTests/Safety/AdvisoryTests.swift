import Foundation
import Testing

@testable import APIKitTools

/// What published advisories of other generators of clients demand of any, by their numbers.
///
/// `TEXT` in a description is each hostile text in turn: what is generated has the tokens of the harmless one.
@Suite struct AdvisoryTests {
    private static let response = ##""responses": {"200": {"content": {"application/json": {"schema": SCHEMA}}}}"##

    private static func description(
        operation: String = "", schema: String = "{}", path: String = "/a", more: String = ""
    ) -> String {
        let response = response.replacing("SCHEMA", with: schema)
        let operation = "\(operation)\(operation.isEmpty ? "" : ", ")\(response)"
        return ErrorTests.head + #"\#(more)"paths": {"\#(path)": {"get": {\#(operation)}}}}"#
    }

    private static func parameter(_ location: String, name: String = "a", schema: String) -> String {
        description(operation: #""parameters": [{"name": "\#(name)", "in": "\#(location)", "schema": \#(schema)}]"#)
    }

    private static let texts = #""type": "string", "enum": ["a", "b"]"#

    @Test(
        arguments: [
            // Summaries and descriptions of operations.
            ("CVE-2026-22785 (orval)", description(operation: #""summary": "Creates a TEXT", "description": "TEXT""#)),
            ("GHSA-3hrf-2gc2-mx32 (kiota)", description(operation: #""summary": "Creates a thing\nTEXT""#)),
            // Names and descriptions of the values of an enum.
            ("CVE-2026-23947 (orval)", description(schema: #"{\#(texts), "x-enum-descriptions": ["TEXT", "c"]}"#)),
            ("CVE-2026-25141 (orval)", description(schema: #"{\#(texts), "x-enumDescriptions": ["*/TEXT/*", "c"]}"#)),
            (
                "GHSA-7f3j-j7jj-r3vr (kiota)",
                description(schema: #"{\#(texts), "x-ms-enum": {"name": "TEXT", "values": [{"description": "TEXT"}]}}"#)
            ),
            // Values of an enum.
            ("GHSA-xrqw-w576-xgj2 (oapi-codegen)", description(schema: #"{"type": "string", "enum": ["a", "TEXT"]}"#)),
            (
                "GHSA-5f94-x226-ccpm (swagger-typescript-api)",
                parameter("query", schema: #"{"type": "string", "enum": ["a", "bTEXT"]}"#)
            ),
            // Defaults.
            ("CVE-2026-72716 (orval)", parameter("query", schema: #"{"type": "string", "default": "TEXT"}"#)),
            ("CVE-2026-71871 (orval)", parameter("header", schema: #"{"type": "string", "default": "TEXT"}"#)),
            // Servers and what is said of them.
            (
                "GHSA-rjwr-m7qx-3fjr (oapi-codegen)",
                description(more: #""servers": [{"url": "https://a.example", "description": "TEXT"}], "#)
            ),
            (
                "GHSA-38c3-wv3c-v3xj (swagger-typescript-api)",
                description(more: #""servers": [{"url": "https://a.exampleTEXT"}], "#)
            ),
            (
                "GHSA-hqj5-cw9f-rx67 (swagger-typescript-api)",
                description(
                    more: #""servers": [{"url": "https://{a}.example", "variables": {"a": {"default": "bTEXT"}}}], "#)
            ),
            // Paths.
            ("GHSA-jwgf-6xff-4hvp (oapi-codegen)", description(path: "/aTEXT")),
            ("GHSA-w284-33mx-6g9v (swagger-typescript-api)", description(path: "/a/{b}/TEXT")),
            // Names of parameters and members.
            ("GHSA-gpcc-36pq-8qxr (tapir)", parameter("query", name: "aTEXT", schema: "{}")),
            (
                "GHSA-gpcc-36pq-8qxr (tapir)",
                description(schema: #"{"type": "object", "properties": {"aTEXT": {"type": "string"}}}"#)
            ),
            // Whatever becomes a literal, in which some languages interpolate.
            ("CVE-2026-41134 (kiota)", parameter("header", name: "aTEXT", schema: #"{"const": "TEXT"}"#)),
            ("GHSA-xg2h-5xr2-29jw (kiota)", parameter("query", schema: #"{"const": "\\(TEXT)#{TEXT}"}"#)),
            (
                "GHSA-jqwh-526h-c92j (kiota)",
                description(schema: #"{"type": "string", "enum": ["$a", "${TEXT}", "{$TEXT}"]}"#)
            ),
            // Names of types, which are those of files too.
            (
                "GHSA-4vv7-jj25-4gh6 (kiota)",
                description(operation: #""operationId": "aTEXT", "tags": ["bTEXT"]"#, schema: #"{"title": "TEXT"}"#)
            ),
            // Extensions that name code.
            (
                "GHSA-9c2f-gr95-7wqw (oapi-codegen)",
                description(
                    schema:
                        #"{"type": "string", "x-go-type": "TEXT", "x-go-type-import": {"name": "a", "path": "TEXT"}}"#)
            ),
        ] as [(String, String)])
    func textsOfADescriptionAreNoCode(advisory: String, description: String) throws {
        let output = try HostileOutput()
        let texts = HostileText.chosen
        for text in texts { output.check(description, with: text) }
        // A text with a slash or a question mark can make a path an error.
        #expect(output.compared > texts.count / 2, "\(advisory)")
    }

    /// CVE-2021-42574 (Trojan Source): what a reader of the code sees is what the compiler reads.
    @Test func codeHasNoCharactersThatHideOrMoveOthers() throws {
        let text = "\u{202E}\u{2066}// isAdmin\u{2069} \u{2066}"
        let files = try TemporaryFolder().files(
            Self.description(operation: #""summary": "Gets \#(text)things", "operationId": "a\#(text)""#))
        for file in files { #expect(file.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isInvisible }) }
    }

    /// GHSA-4rj6-vrwv-wr8m and GHSA-4vv7-jj25-4gh6 (kiota): names in a description are no paths.
    @Test(arguments: ["../../evil", "/etc/evil", "..", "a/../../evil", "..\\\\evil", "~/evil"])
    func filesAreWrittenOnlyToTheirFolder(name: String) throws {
        let schemas = #"{"\#(name)": {"type": "object", "properties": {"a": {}}}}"#
        let reference = name.replacing("~", with: "~0").replacing("/", with: "~1")
        let description = Self.description(
            operation: #""operationId": "\#(name)", "tags": ["\#(name)"]"#,
            schema: ##"{"type": "array", "items": {"$ref": "#/components/schemas/\##(reference)"}}"##,
            more: #""components": {"schemas": \#(schemas)}, "#)
        for file in try TemporaryFolder().files(description) {
            let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.allSatisfy { part in part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." } })
            #expect(!parts.contains("..") && !parts.contains(""))
        }
    }

    /// CVE-2026-59867 (kiota), GHSA-x36r-4347-pm5x and GHSA-h754-fxp7-88wx (swagger-typescript-api): a reference leads
    /// to no other server, which would receive a request, or a credential with it.
    @Test(arguments: [
        "http://169.254.169.254/latest/meta-data", "https://evil.example/a.json#/a", "file:///etc/passwd",
        "//evil.example/a.json", "ftp://evil.example/a",
    ])
    func referencesLeadToNoServer(reference: String) throws {
        let plan = try TemporaryFolder().plan(Self.description(schema: #"{"$ref": "\#(reference)"}"#))
        #expect(plan.endpoints.isEmpty)
        let notes = plan.api.notes.filter { $0.kind == .skipped }.map(\.text)
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        #expect(note.hasSuffix("leads to another server: download it") || note.hasSuffix("cannot be read"))
    }
}
