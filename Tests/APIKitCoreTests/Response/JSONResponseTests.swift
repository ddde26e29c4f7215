import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// An API with conventions of its own.
protocol ClubModel: JSONResponse {}
extension ClubModel { static var decoder: JSONDecoder { clubDecoder } }

private let clubDecoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
}()

struct Member: ClubModel, Hashable {
    let fullName: String
    let joinedAt: Date
}

@Suite struct JSONResponseTests {
    private static let ada = #"{"full_name":"Ada","joined_at":"1970-01-01T00:01:00Z"}"#
    private let ada = Member(fullName: "Ada", joinedAt: Date(timeIntervalSince1970: 60))

    @Test func readsAModelByItsAPIsDecoder() async throws {
        let client = ImmediateClient(.json(Self.ada))
        #expect(try await client.send(Endpoint<Member, Data>()) == ada)
        #expect(try await client.send(Endpoint<Member?, Data>()) == ada)
        #expect(try await client.send(Endpoint<NilIfNotFound<Member>, Data>()) == ada)
    }

    @Test func readsListsByTheirElementsDecoder() throws {
        #expect(try [Member].process(data: Data("[\(Self.ada)]".utf8)) == [ada])
        #expect(try [[Member]].process(data: Data("[[],[\(Self.ada)]]".utf8)) == [[], [ada]])
    }

    @Test func readsDictionariesByTheirValuesDecoderAndLeavesTheirKeys() throws {
        let one = Data(#"{"first_lady":\#(Self.ada)}"#.utf8)
        #expect(try [String: Member].process(data: one) == ["first_lady": ada])
        let many = Data(#"{"first_page":[\#(Self.ada)],"":[]}"#.utf8)
        #expect(try [String: [Member]].process(data: many) == ["first_page": [ada], "": []])
        let nested = Data(#"[{"a_b":{"c_d":[[\#(Self.ada)]]}}]"#.utf8)
        #expect(try [[String: [String: [[Member]]]]].process(data: nested) == [["a_b": ["c_d": [[ada]]]]])
    }

    @Test func anyDecoderPlugsIn() async throws {
        let client = ImmediateClient(.text("ada"))
        #expect(try await client.send(Endpoint<Shouted, Data>()) == Shouted(text: "ADA"))
        #expect(try await client.send(Endpoint<[Shouted], Data>()) == [Shouted(text: "ADA")])
    }

    private struct Shouted: JSONResponse, Equatable {
        let text: String
        static var decoder: any DataDecoder { ShoutingDecoder() }
        static var acceptedTypes: [MIMEType] { ["text/x-shout"] }
    }

    private struct ShoutingDecoder: DataDecoder {
        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            let shouted = Shouted(text: String(decoding: data, as: UTF8.self).uppercased())
            return try #require(shouted as? T ?? [shouted] as? T)
        }
    }

    // A decoder that a model's type does not name would be ignored.
    @Test func jsonOfAModelUsesItsDecoder() throws {
        #expect(try JSON<Member>.process(data: Data(Self.ada.utf8)) == ada)
        #expect(
            try JSON<[String: [Member?]]>.process(data: Data(#"{"a":[\#(Self.ada),null]}"#.utf8)) == ["a": [ada, nil]])
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        #expect(try JSON<Listed?>.process(data: try encoder.encode(["id": 7])) == Listed(id: 7))
    }

    private struct Listed: JSONResponse, Equatable {
        let id: Int
        static var decoder: any DataDecoder { PropertyListDecoder() }
    }

    @Test func asksForItsOwnTypesAndBehindThemThoseOfTheFailure() throws {
        #expect(try Endpoint<[[Shouted]], Data>().httpRequest().headers[.accept] == "text/x-shout")
        let headers = try Endpoint<[String: Shouted], DirectoryError>().httpRequest().headers
        #expect(headers[.accept] == "text/x-shout, application/json")
    }

    @Test func readsTheLastOfADeepTree() throws {
        let depth = 200
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try Tree.process(data: Data(text.utf8)).depth == depth)
    }

    private struct Tree: JSONResponse {
        let depth: Int
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            depth = list.isAtEnd ? 1 : 1 + (try list.decode(Tree.self).depth)
        }
    }
}
