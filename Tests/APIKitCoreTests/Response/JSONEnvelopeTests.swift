import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// The API of ``Member``, whose members are in snake case, and whose content is two levels deep.
private struct ClubEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    struct Meta: Decodable { let nextPage: Int }
    struct Result: Decodable { let theItems: Content }
    let clubResult: Result
    let meta: Meta?
    var content: Content { clubResult.theItems }
}

/// `{"data": …}`.
private struct DataEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    let data: Content
    var content: Content { data }
}

@Suite struct JSONEnvelopeTests {
    private static let ada = #"{"full_name":"Ada","joined_at":"1970-01-01T00:01:00Z"}"#
    private let ada = Member(fullName: "Ada", joinedAt: Date(timeIntervalSince1970: 60))
    private let body = Data(#"{"club_result":{"the_items":[\#(Self.ada)]},"meta":{"next_page":2}}"#.utf8)

    @Test func contentIsReadWithItsOwnDecoder() async throws {
        #expect(try ClubEnvelope<[Member]>.process(data: body) == [ada])
        #expect(try ClubEnvelope<[Member?]?>.process(data: body) == [ada])
        let client = ImmediateClient(.json(#"{"data":\#(Self.ada)}"#))
        #expect(try await client.send(Endpoint<DataEnvelope<Member>, Data>()) == ada)
    }

    @Test func jsonReturnsTheEnvelopeItself() throws {
        let envelope = try JSON<ClubEnvelope<[Member]>>.process(data: body)
        #expect(envelope.meta?.nextPage == 2)
        #expect(envelope.content == [ada])
    }

    @Test func plainContentIsReadByTheUsualConventions() throws {
        #expect(try DataEnvelope<[Int]>.process(data: Data(#"{"data":[1,2]}"#.utf8)) == [1, 2])
        let nested = Data(#"{"data":{"data":\#(Self.ada)}}"#.utf8)
        #expect(try DataEnvelope<DataEnvelope<Member>>.process(data: nested).content == ada)
    }

    @Test func errorNamesTheWholePath() async throws {
        let client = ImmediateClient(.json(#"{"data":[{"id":1,"login":"a"},{"id":2}]}"#))
        let error = try await client.failure(of: Endpoint<DataEnvelope<[Account]>, Data>())
        #expect(error.description.contains("data[1].login is missing"))
    }

    private struct Answer: JSONEnvelope {
        let error: DirectoryError?
        let value: Int?
        var content: Int {
            get throws {
                if let error { throw error }
                return value ?? 0
            }
        }
    }

    @Test func failureThatIsThrownInsteadOfAModelIsARejection() async throws {
        struct Picky: DirectoryRequest {
            typealias Response = Account
            var path: URLPath { "account" }
            func process(_: HTTPResponse) async throws -> Account { throw DirectoryError(message: "no") }
        }
        let body = #"{"error":{"message":"no"}}"#
        let client = ImmediateClient(.json(body))
        let errors = [
            try await client.failure(of: Endpoint<Answer, DirectoryError>()),
            try await client.failure(of: Endpoint<Answer?, DirectoryError>()),
            try await client.failure(of: Endpoint<NilIfNotFound<Answer>, DirectoryError>()),
            try await client.failure(of: Picky()),
        ]
        for error in errors {
            #expect(error.rejection?.failure == DirectoryError(message: "no"))
            #expect(error.rejection?.response.head.status == 200)
            #expect(error.rejection?.response.body.data == Data(body.utf8))
        }
        #expect(try await ImmediateClient(.json(#"{"value":7}"#)).send(Endpoint<Answer, DirectoryError>()) == 7)
    }
}
