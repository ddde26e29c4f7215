import APIKit
import Foundation
import SuiteSupport
import Testing

/// Media types, `HEAD`, and changes to a resource.
@Suite struct PayloadTests {
    private let png = Data([0x89, 0x50, 0x4E, 0x47])
    private let jpeg = Data([0xFF, 0xD8, 0xFF])

    // MARK: - Content negotiation

    struct Unsupported: JSONResponse, Equatable {
        let message: String
        let expected: String
        let actual: String
    }

    struct Avatar: ServiceRequest {
        typealias Response = Data
        typealias Failure = Unsupported
        var path: URLPath
        var type: MIMEType
        var headers: HTTPHeaders { [.accept: type.rawValue] }
    }

    struct AvatarInJSON: ServiceRequest {
        typealias Response = Picture
        var path: URLPath { "content-negotiation/different-body" }

        struct Picture: JSONResponse, Equatable { let content: Data }
    }

    @Test(.scenario("Payload_ContentNegotiation_SameBody"))
    func sameBody() async throws {
        for (type, bytes) in [(MIMEType.png, png), (.jpeg, jpeg)] {
            let request = Avatar(path: "content-negotiation/same-body", type: type)
            try await expect(
                request, sends: "GET", "/content-negotiation/same-body", headers: ["Accept": type.rawValue])
            #expect(try await reply(request, bytes, headers: [.contentType: type.rawValue]).model == bytes)
        }
        await expect(
            Avatar(path: "content-negotiation/same-body", type: "wrongAccept"),
            rejects: #"{"message": "Unsupported Accept header", "expected": "images", "actual": "wrongAccept"}"#,
            status: 400,
            as: Unsupported(message: "Unsupported Accept header", expected: "images", actual: "wrongAccept"))
    }

    @Test(.scenario("Payload_ContentNegotiation_DifferentBody"))
    func differentBody() async throws {
        let picture = Avatar(path: "content-negotiation/different-body", type: .png)
        try await expect(picture, sends: "GET", "/content-negotiation/different-body", headers: ["Accept": "image/png"])
        #expect(try await reply(picture, png, headers: [.contentType: "image/png"]).model == png)

        try await expect(
            AvatarInJSON(), sends: "GET", "/content-negotiation/different-body", headers: ["Accept": "application/json"]
        )
        try await expect(AvatarInJSON(), reads: #"{"content": "iVBORw=="}"#, as: .init(content: png))

        await expect(
            Avatar(path: "content-negotiation/different-body", type: "wrongAccept"),
            rejects: #"{"message": "Unsupported Accept header", "expected": "images", "actual": "wrongAccept"}"#,
            status: 400,
            as: Unsupported(message: "Unsupported Accept header", expected: "images", actual: "wrongAccept"))
    }

    // MARK: - HEAD

    struct Head: ServiceRequest {
        var method: HTTPMethod { .head }
        var path: URLPath { "payload/head/content-type-header-in-response" }
    }

    @Test(.scenario("Payload_Head_contentTypeHeaderInResponse"))
    func head() async throws {
        try await expect(Head(), sends: "HEAD", "/payload/head/content-type-header-in-response")
        let reply = try await reply(
            Head(), "", headers: [.contentType: "text/plain; charset=utf-8", "x-ms-meta": "hello"])
        #expect(reply.head.contentType?.essence == "text/plain")
        #expect(reply.head.headers["x-ms-meta"] == "hello")
    }

    // MARK: - JSON merge patch

    struct Inner: JSONResponse, JSONBody, Equatable {
        var name: String?
        var description: String?
    }

    struct Resource: JSONResponse, JSONBody, Equatable {
        var name: String
        var description: String?
        var map: [String: Inner]?
        var array: [Inner]?
        var intValue: Int?
        var floatValue: Float?
        var innerModel: Inner?
        var intArray: [Int]?
    }

    struct InnerChange: JSONBody {
        var name: Patch<String> = .keep
        var description: Patch<String> = .keep
    }

    struct ResourceChange: JSONBody {
        var description: Patch<String> = .keep
        var map: Patch<[String: Patch<InnerChange>]> = .keep
        var array: Patch<[Inner]> = .keep
        var intValue: Patch<Int> = .keep
        var floatValue: Patch<Float> = .keep
        var innerModel: Patch<InnerChange> = .keep
        var intArray: Patch<[Int]> = .keep
    }

    struct Create: ServiceRequest {
        typealias Response = Resource
        var resource: Resource
        var method: HTTPMethod { .put }
        var path: URLPath { "json-merge-patch/create/resource" }
        var body: RequestBody? { .json(resource) }
    }

    struct Update: ServiceRequest {
        typealias Response = Resource
        var path: URLPath
        var change: ResourceChange?
        var method: HTTPMethod { .patch }
        var headers: HTTPHeaders { [.contentType: "application/merge-patch+json"] }
        var body: RequestBody? { .json(change) }
    }

    @Test(.scenario("Payload_JsonMergePatch_createResource"))
    func createResource() async throws {
        let inner = Inner(name: "InnerMadge", description: "innerDesc")
        let resource = Resource(
            name: "Madge", description: "desc", map: ["key": inner], array: [inner], intValue: 1, floatValue: 1.25,
            innerModel: inner, intArray: [1, 2, 3])
        let json = """
            {"name": "Madge", "description": "desc", "map": {"key": {"name": "InnerMadge", "description": "innerDesc"}},
            "array": [{"name": "InnerMadge", "description": "innerDesc"}], "intValue": 1, "floatValue": 1.25,
            "innerModel": {"name": "InnerMadge", "description": "innerDesc"}, "intArray": [1, 2, 3]}
            """
        let request = Create(resource: resource)
        try await expect(request, sends: "PUT", "/json-merge-patch/create/resource", .json(json))
        try await expect(request, reads: json, as: resource)
    }

    @Test(
        .scenario("Payload_JsonMergePatch_updateResource", "Payload_JsonMergePatch_updateOptionalResource"),
        arguments: ["json-merge-patch/update/resource", "json-merge-patch/update/resource/optional"] as [URLPath])
    func updateResource(path: URLPath) async throws {
        let change = ResourceChange(
            description: .clear, map: .set(["key": .set(InnerChange(description: .clear)), "key2": .clear]),
            array: .clear, intValue: .clear, floatValue: .clear, innerModel: .clear, intArray: .clear)
        let request = Update(path: path, change: change)
        try await expect(
            request, sends: "PATCH", "/\(path)", headers: ["Content-Type": "application/merge-patch+json"],
            .json(
                """
                {"description": null, "map": {"key": {"description": null}, "key2": null}, "array": null,
                "intValue": null, "floatValue": null, "innerModel": null, "intArray": null}
                """))
        try await expect(
            request, reads: #"{"name": "Madge", "map": {"key": {"name": "InnerMadge"}}}"#,
            as: Resource(name: "Madge", map: ["key": Inner(name: "InnerMadge")]))
    }

    // MARK: - Media types

    struct Send: ServiceRequest {
        var path: URLPath
        var body: RequestBody?
        var method: HTTPMethod { .post }
    }

    struct GetText: ServiceRequest {
        typealias Response = String
        var path: URLPath { "payload/media-type/string-body/getAsText" }
        var headers: HTTPHeaders { [.accept: "text/plain"] }
    }

    struct GetJSON: ServiceRequest {
        typealias Response = JSON<String>
        var path: URLPath { "payload/media-type/string-body/getAsJson" }
    }

    @Test(.scenario("Payload_MediaType_StringBody_sendAsText", "Payload_MediaType_StringBody_sendAsJson"))
    func sendsText() async throws {
        let asText = Send(path: "payload/media-type/string-body/sendAsText", body: .text("{cat}"))
        try await expect(asText, sends: "POST", "/payload/media-type/string-body/sendAsText", .text("{cat}"))
        let type = try #require(try asText.httpRequest().headers[.contentType])
        #expect(MIMEType(rawValue: type).essence == "text/plain")
        try await expect(
            Send(path: "payload/media-type/string-body/sendAsJson", body: .json("foo", encoder: .api)),
            sends: "POST", "/payload/media-type/string-body/sendAsJson",
            headers: ["Content-Type": "application/json"], .json(#""foo""#))
    }

    @Test(.scenario("Payload_MediaType_StringBody_getAsText", "Payload_MediaType_StringBody_getAsJson"))
    func readsText() async throws {
        try await expect(
            GetText(), sends: "GET", "/payload/media-type/string-body/getAsText", headers: ["Accept": "text/plain"])
        try await expect(GetText(), reads: "{cat}", headers: [.contentType: "text/plain"], as: "{cat}")
        try await expect(
            GetJSON(), sends: "GET", "/payload/media-type/string-body/getAsJson",
            headers: ["Accept": "application/json"])
        try await expect(GetJSON(), reads: #""foo""#, as: "foo")
    }
}
