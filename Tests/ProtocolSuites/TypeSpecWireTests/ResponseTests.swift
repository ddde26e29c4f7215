import APIKit
import SuiteSupport
import Testing

/// Responses with a body or without one, and failures that depend on the status.
@Suite struct ResponseTests {
    struct Content: JSONResponse, Equatable {
        let content: String
    }

    struct GetContent: ServiceRequest {
        typealias Response = Content?
        var path: URLPath
    }

    @Test(.scenario("Response_BodyOrNoContent_getBody", "Response_BodyOrNoContent_getNoContent"))
    func bodyOrNoContent() async throws {
        let body = GetContent(path: "response/body-or-no-content/body")
        try await expect(body, sends: "GET", "/response/body-or-no-content/body")
        let full = try await reply(
            body, #"{"content": "hello"}"#, headers: ["x-ms-request-id": "body-request"])
        #expect(full.model == Content(content: "hello"))
        #expect(full.head.headers["x-ms-request-id"] == "body-request")

        let noContent = GetContent(path: "response/body-or-no-content/no-content")
        try await expect(noContent, sends: "GET", "/response/body-or-no-content/no-content")
        let empty = try await reply(noContent, "", status: 204, headers: ["x-ms-request-id": "no-content-request"])
        #expect(empty.model == nil)
        #expect(empty.head.headers["x-ms-request-id"] == "no-content-request")
    }

    /// A failure, whose members depend on the status. The status is in ``APIError/rejected(_:_:)``.
    struct Failure: JSONResponse, Equatable {
        let code: String
        var message: String?
        var resourceId: String?
    }

    struct Check: ServiceRequest {
        typealias Failure = ResponseTests.Failure
        var path: URLPath
    }

    @Test(
        .scenario(
            "Response_StatusCodeRange_errorResponseStatusCodeInRange",
            "Response_StatusCodeRange_errorResponseStatusCode404"))
    func statusCodeRange() async throws {
        let inRange = Check(path: "response/status-code-range/error-response-status-code-in-range")
        try await expect(inRange, sends: "GET", "/response/status-code-range/error-response-status-code-in-range")
        await expect(
            inRange, rejects: #"{"code": "request-header-too-large", "message": "Request header too large"}"#,
            status: 494, as: Failure(code: "request-header-too-large", message: "Request header too large"))

        let notFound = Check(path: "response/status-code-range/error-response-status-code-404")
        try await expect(notFound, sends: "GET", "/response/status-code-range/error-response-status-code-404")
        await expect(
            notFound, rejects: #"{"code": "not-found", "resourceId": "resource1"}"#, status: 404,
            as: Failure(code: "not-found", resourceId: "resource1"))
    }
}
