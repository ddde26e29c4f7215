import APIKit
import SuiteSupport
import Testing

/// Unions with a tag that names the type: the folder `type/union/discriminated`.
@Suite struct DiscriminatedUnionTests {
    struct Cat: Codable, Sendable, Equatable {
        var name: String
        var meow: Bool
    }

    struct Dog: Codable, Sendable, Equatable {
        var name: String
        var bark: Bool
    }

    enum PetType: String, Codable { case cat, dog }

    struct GetPet<Pet: JSONResponse>: SuiteRequest {
        typealias Response = Pet
        let path: URLPath
        var parameters: Parameters = [:]
    }

    struct PutPet<Pet: JSONResponse & JSONBody>: SuiteRequest {
        typealias Response = Pet
        let path: URLPath
        let pet: Pet
        var method: HTTPMethod { .put }
        var body: RequestBody? { .json(pet) }
    }

    /// Checks the endpoints of a union: the server returns a cat, or the type that the query item with the name of the
    /// tag asks for. A cat is sent.
    func expectPets<Pet: JSONResponse & JSONBody & Equatable>(
        _ folder: String, tag: String, cat: (pet: Pet, json: String), dog: (pet: Pet, json: String),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = "type/union/discriminated/\(folder)"

        let getDefault = GetPet<Pet>(path: "\(segments: path)")
        try await expect(getDefault, sends: "GET", "/\(path)", sourceLocation: sourceLocation)
        try await expect(getDefault, reads: cat.json, as: cat.pet, sourceLocation: sourceLocation)

        let getDog = GetPet<Pet>(path: "\(segments: path)", parameters: [tag: PetType.dog.rawValue])
        try await expect(getDog, sends: "GET", "/\(path)?\(tag)=dog", sourceLocation: sourceLocation)
        try await expect(getDog, reads: dog.json, as: dog.pet, sourceLocation: sourceLocation)

        let put = PutPet(path: "\(segments: path)", pet: cat.pet)
        try await expect(put, sends: "PUT", "/\(path)", .text(cat.json), sourceLocation: sourceLocation)
        try await expect(put, reads: cat.json, as: cat.pet, sourceLocation: sourceLocation)
    }

    let cat = Cat(name: "Whiskers", meow: true)
    let dog = Dog(name: "Rex", bark: false)

    enum EnvelopedPet: TaggedUnion, Equatable {
        case cat(Cat)
        case dog(Dog)

        static var tagName: String { "kind" }
        static var contentName: String? { "value" }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_Envelope_Object_Default_get",
            "Type_Union_Discriminated_Envelope_Object_Default_put"))
    func envelope() async throws {
        try await expectPets(
            "envelope/object/default", tag: "kind",
            cat: (Tagged(EnvelopedPet.cat(cat)), #"{"kind":"cat","value":{"meow":true,"name":"Whiskers"}}"#),
            dog: (Tagged(EnvelopedPet.dog(dog)), #"{"kind":"dog","value":{"bark":false,"name":"Rex"}}"#))
    }

    enum CustomPet: TaggedUnion, Equatable {
        case cat(Cat)
        case dog(Dog)

        static var tagName: String { "petType" }
        static var contentName: String? { "petData" }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_Envelope_Object_CustomProperties_get",
            "Type_Union_Discriminated_Envelope_Object_CustomProperties_put"))
    func customEnvelope() async throws {
        try await expectPets(
            "envelope/object/custom-properties", tag: "petType",
            cat: (Tagged(CustomPet.cat(cat)), #"{"petData":{"meow":true,"name":"Whiskers"},"petType":"cat"}"#),
            dog: (Tagged(CustomPet.dog(dog)), #"{"petData":{"bark":false,"name":"Rex"},"petType":"dog"}"#))
    }

    enum InlinePet: TaggedUnion, Equatable {
        case cat(Cat)
        case dog(Dog)

        static var tagName: String { "kind" }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_NoEnvelope_Default_get", "Type_Union_Discriminated_NoEnvelope_Default_put"))
    func inline() async throws {
        try await expectPets(
            "no-envelope/default", tag: "kind",
            cat: (Tagged(InlinePet.cat(cat)), #"{"kind":"cat","meow":true,"name":"Whiskers"}"#),
            dog: (Tagged(InlinePet.dog(dog)), #"{"bark":false,"kind":"dog","name":"Rex"}"#))
    }

    enum TypedPet: TaggedUnion, Equatable {
        case cat(Cat)
        case dog(Dog)

        static var tagName: String { "type" }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_NoEnvelope_CustomDiscriminator_get",
            "Type_Union_Discriminated_NoEnvelope_CustomDiscriminator_put"))
    func customTag() async throws {
        try await expectPets(
            "no-envelope/custom-discriminator", tag: "type",
            cat: (Tagged(TypedPet.cat(cat)), #"{"meow":true,"name":"Whiskers","type":"cat"}"#),
            dog: (Tagged(TypedPet.dog(dog)), #"{"bark":false,"name":"Rex","type":"dog"}"#))
    }
}
