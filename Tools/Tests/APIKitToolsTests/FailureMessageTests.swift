import Testing

@testable import APIKitTools

/// The text that `localizedDescription` shows for a failure.
@Suite struct FailureMessageTests {
    private static let text = #"{"type": "string"}"#

    /// The code of the failure whose schema has some properties.
    private func failure(_ properties: String, required: String = "", components: String = "{}") throws -> String {
        let schema = #"{"type": "object", "required": [\#(required)], "properties": {\#(properties)}}"#
        let content = #"{"application/json": {"schema": \#(schema)}}"#
        let operation = #"{"responses": {"204": {}, "default": {"content": \#(content)}}}"#
        let files = try TemporaryFolder().files(
            ErrorTests.head + #""components": {"schemas": \#(components)}, "paths": {"/a": {"get": \#(operation)}}}"#)
        return try #require(files.first { $0.path == "Models/TestError.swift" }).text
    }

    @Test(
        arguments: [
            (#""code": \#(text), "message": \#(text)"#, "message"), (#""msg": \#(text), "title": \#(text)"#, "title"),
            (#""title": \#(text), "detail": \#(text), "type": \#(text)"#, "detail ?? title"),
            (#""error_message": \#(text)"#, "errorMessage"), (#""error": \#(text)"#, "error"),
            (#""error": \#(text), "errors": {"type": "array", "items": \#(text)}"#, "errors?.first ?? error"),
            (#""error": {"properties": {"message": \#(text), "code": \#(text)}}"#, "error?.message"),
            (#""error": {"required": ["message"], "properties": {"message": \#(text)}}"#, "error?.message"),
            (
                #""errors": {"type": "array", "items": {"properties": {"detail": \#(text), "status": \#(text)}}}"#,
                "errors?.first?.detail"
            ),
            (
                #""errors": {"type": "array", "items": {"nullable": true, "properties": {"detail": \#(text)}}}"#,
                "errors?.first??.detail"
            ),
            (#""default": \#(text), "reason": \#(text)"#, "reason"),
        ] as [(String, String)])
    func messageIsTheDescription(properties: String, code: String) throws {
        let failure = try failure(properties)
        #expect(failure.contains("    var errorDescription: String? { \(code) }\n"), "\(failure)")
        #expect(failure.contains("struct TestError: JSONResponse, LocalizedError {"))
    }

    @Test func messagesAfterARequiredOneAreNotRead() throws {
        let failure = try failure(
            #""message": \#(Self.text), "detail": \#(Self.text)"#, required: #""message""#)
        #expect(failure.contains("var errorDescription: String? { message }"))
    }

    @Test func memberWithTheNameOfTheDescriptionIsIt() throws {
        let description = #""error_description": \#(Self.text)"#
        let optional = try failure(description)
        #expect(optional.contains("struct TestError: JSONResponse, LocalizedError {"))
        #expect(optional.contains("let errorDescription: String?"))
        #expect(!optional.contains("var errorDescription"))
        // Its type is not that of the protocol's requirement.
        let required = try failure(description, required: #""error_description""#)
        #expect(required.contains("struct TestError: JSONResponse, Error {"))
    }

    @Test(
        arguments: [
            #""code": \#(text)"#, #""message": {"type": "integer"}"#, #""message": {"enum": ["full", "late"]}"#,
            #""errors": {"type": "object", "additionalProperties": {"type": "array", "items": \#(text)}}"#,
        ])
    func failureWithoutATextHasNoDescription(properties: String) throws {
        let failure = try failure(properties)
        #expect(failure.contains("struct TestError: JSONResponse, Error {"))
        #expect(!failure.contains("errorDescription"))
    }
}
