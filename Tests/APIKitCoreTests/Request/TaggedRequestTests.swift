import APIKitCore
import APIKitSupport
import Foundation
import TestSupport
import Testing

@Suite struct TaggedRequestTests {
    struct Cat: Codable, Hashable, Sendable { let name: String }

    enum Pet: TaggedUnion, Hashable {
        case cat(Cat)
        case fish(firstAge: Int)
        case other(JSONValue)

        static var tagName: String { "kind" }
        static var unknownCase: String? { "other" }
    }

    @Test func taggedValueIsABodyAndAResponse() async throws {
        let tom = Tagged(Pet.cat(Cat(name: "Tom")))
        let endpoint = Endpoint<Tagged<Pet>, Data>(method: .put, body: .json(tom))
        #expect(try endpoint.httpRequest().body?.data == Data(#"{"kind":"cat","name":"Tom"}"#.utf8))
        #expect(try endpoint.httpRequest().headers[.accept] == "application/json")
        let client = ImmediateClient(.text(#"{"kind": "cat", "name": "Tom"}"#))
        #expect(try await client.send(endpoint) == tom)
    }

    @Test func taggedValuesAreAList() async throws {
        let pets: [Tagged<Pet>] = [Tagged(.fish(firstAge: 3)), Tagged(.other(["kind": "fox"]))]
        let endpoint = Endpoint<[Tagged<Pet>], Data>(method: .put, body: .json(pets))
        let json = #"[{"firstAge":3,"kind":"fish"},{"kind":"fox"}]"#
        #expect(try endpoint.httpRequest().body?.data == Data(json.utf8))
        #expect(try await ImmediateClient(.text(json)).send(endpoint) == pets)
    }

    @Test func unionThatIsAModelOfAnAPIHasItsCoders() async throws {
        enum SnakePet: TaggedUnion, JSONResponse, JSONBody, Equatable {
            case fish(firstAge: Int)

            static var tagName: String { "petKind" }
            static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
            static var encoder: JSONEncoder {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                encoder.outputFormatting = .sortedKeys
                return encoder
            }
            static var acceptedTypes: [MIMEType] { ["application/pets+json"] }
        }
        let pets = [Tagged(SnakePet.fish(firstAge: 3))]
        let endpoint = Endpoint<[Tagged<SnakePet>], Data>(method: .put, body: .json(pets))
        let json = #"[{"first_age":3,"pet_kind":"fish"}]"#
        #expect(try endpoint.httpRequest().body?.data == Data(json.utf8))
        #expect(try endpoint.httpRequest().headers[.accept] == "application/pets+json")
        #expect(try await ImmediateClient(.text(json)).send(endpoint) == pets)
    }

    @Test func taggedValueIsEncodedAsParameters() throws {
        struct Filter: Encodable { let pet: Tagged<Pet> }
        func query(_ pet: Pet) throws -> String? {
            let endpoint = Endpoint<NoContent, Data>(parameters: Parameters(encoding: Filter(pet: Tagged(pet))))
            return try endpoint.httpRequest().url.query(percentEncoded: false)
        }
        #expect(try query(.cat(Cat(name: "Tom"))) == "pet[name]=Tom&pet[kind]=cat")
        #expect(try query(.other(["kind": "fox"])) == "pet[kind]=fox")
    }

    @Test func errorNamesTheElementAndTheTag() async throws {
        enum ClosedPet: TaggedUnion {
            case cat(Cat)

            static var tagName: String { "kind" }
        }
        func message(_ json: String) async throws -> String {
            let endpoint = Endpoint<[Tagged<ClosedPet>], Data>()
            return "\(try await ImmediateClient(.text(json)).failure(of: endpoint))"
        }
        let unknown = try await message(#"[{"kind": "cat", "name": "Tom"}, {"kind": "fox"}]"#)
        #expect(unknown.contains(#"[1].kind: the tag "kind" is "fox", which is not a case of ClosedPet"#))
        let missing = try await message(#"[{"name": "Tom"}]"#)
        #expect(missing.contains("[0].kind is missing"))
    }
}
