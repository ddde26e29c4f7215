import APIKit
import Foundation
import SuiteSupport
import Testing

/// Conditional requests, and requests that a server recognizes when they are repeated.
@Suite struct SpecialHeadersTests {
    struct Conditional: ServiceRequest {
        var method: HTTPMethod
        var path: URLPath
        var headers: HTTPHeaders
    }

    private let date = Date(timeIntervalSince1970: 1_661_524_680)

    @Test(
        .scenario(
            "SpecialHeaders_ConditionalRequest_postIfUnmodifiedSince",
            "SpecialHeaders_ConditionalRequest_headIfModifiedSince", "SpecialHeaders_ConditionalRequest_postIfMatch",
            "SpecialHeaders_ConditionalRequest_postIfNoneMatch"))
    func conditions() async throws {
        let path = "/special-headers/conditional-request"
        try await expect(
            Conditional(
                method: .post, path: "special-headers/conditional-request/if-unmodified-since",
                headers: ["If-Unmodified-Since": date]),
            sends: "POST", "\(path)/if-unmodified-since",
            headers: ["If-Unmodified-Since": "Fri, 26 Aug 2022 14:38:00 GMT"])
        try await expect(
            Conditional(
                method: .head, path: "special-headers/conditional-request/if-modified-since",
                headers: [.ifModifiedSince: date]),
            sends: "HEAD", "\(path)/if-modified-since", headers: ["If-Modified-Since": "Fri, 26 Aug 2022 14:38:00 GMT"])
        try await expect(
            Conditional(
                method: .post, path: "special-headers/conditional-request/if-match",
                headers: [.ifMatch: #""valid""#]),
            sends: "POST", "\(path)/if-match", headers: ["If-Match": #""valid""#])
        try await expect(
            Conditional(
                method: .post, path: "special-headers/conditional-request/if-none-match",
                headers: [.ifNoneMatch: #""invalid""#]),
            sends: "POST", "\(path)/if-none-match", headers: ["If-None-Match": #""invalid""#])
    }

    struct Repeatable: ServiceRequest {
        var id: UUID
        var firstSent: Date
        var method: HTTPMethod { .post }
        var path: URLPath { "special-headers/repeatability/immediateSuccess" }
        var headers: HTTPHeaders { ["Repeatability-Request-ID": id, "Repeatability-First-Sent": firstSent] }
    }

    @Test(.scenario("SpecialHeaders_Repeatability_immediateSuccess"))
    func repeatability() async throws {
        let id = try #require(UUID(uuidString: "2378d9bc-1726-11ee-be56-0242ac120002"))
        let request = Repeatable(id: id, firstSent: Date(timeIntervalSince1970: 1_668_516_326))
        try await expect(
            request, sends: "POST", "/special-headers/repeatability/immediateSuccess",
            headers: [
                "Repeatability-First-Sent": "Tue, 15 Nov 2022 12:45:26 GMT",
                "Repeatability-Request-ID": id.uuidString,
            ])
        let reply = try await reply(request, "", status: 204, headers: ["repeatability-result": "accepted"])
        #expect(reply.head.headers["Repeatability-Result"] == "accepted")
    }
}
