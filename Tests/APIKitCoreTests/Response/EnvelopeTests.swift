import APIKitCore
import APIKitTesting
import Foundation
import Testing

/// `{"meta": {"code": 200}, "response": {…}}`, unwrapped by one type for a whole API.
private enum Enveloped<Content: Decodable & Sendable>: APIResponse {
    typealias Model = Content

    static func process(data: Data) throws -> Content {
        let meta = try JSONDecoder.standard.decode(MetaOnly.self, from: data).meta
        guard meta.code == 200 else { throw VenueError(meta: meta) }
        return try JSONDecoder.standard.decode(Wire.self, from: data).response
    }

    private struct Wire: Decodable { let response: Content }
    private struct MetaOnly: Decodable { let meta: VenueError.Meta }
}

private struct VenueError: JSONResponse, Error, Hashable {
    struct Meta: Decodable, Hashable {
        let code: Int
        let errorType: String?
    }
    let meta: Meta
}

private struct Venue: Decodable, Hashable { let name: String }

private struct VenuesRequest: APIRequest {
    typealias Response = Enveloped<[String: [Venue]]>
    typealias Failure = VenueError
    var base: APIBase { "https://api.example.com/v2" }
    var path: URLPath { "venues" }
}

@Suite struct EnvelopeTests {
    private static let refusal = #"{"meta":{"code":403,"errorType":"quota"},"response":{}}"#

    @Test(arguments: [200, 403]) func oneCatchServesAFailingMetaAndARefusedStatus(status: Int) async throws {
        let client = ImmediateClient(.json(Self.refusal, status: status))
        do {
            _ = try await client.send(VenuesRequest())
            Issue.record("nothing was thrown")
        } catch APIError<VenueError>.rejected(let error?, let response) {
            #expect(error.meta == VenueError.Meta(code: 403, errorType: "quota"))
            #expect(response.head.status == status)
            #expect(response.body.data == Data(Self.refusal.utf8))
        } catch { Issue.record("\(error)") }
    }

    @Test func anOptionalOrFoundAroundItThrowsTheSame() async throws {
        let client = ImmediateClient(.json(Self.refusal))
        let optional = try await client.failure(of: Endpoint<Enveloped<Venue>?, VenueError>())
        #expect(optional.rejection?.failure?.meta.code == 403)
        let found = try await client.failure(of: Endpoint<Found<Enveloped<Venue>>, VenueError>())
        #expect(found.rejection?.failure?.meta.code == 403)
    }

    @Test func aRequestsOwnMappingMayThrowTheFailureToo() async throws {
        struct Picky: DirectoryRequest {
            typealias Response = Account
            var path: URLPath { "account" }
            func process(_: HTTPResponse) async throws -> Account { throw DirectoryError(message: "too young") }
        }
        let error = try await ImmediateClient(.json("{}")).failure(of: Picky())
        #expect(error.rejection?.failure == DirectoryError(message: "too young"))
        #expect(error.status == 200)
    }
}
