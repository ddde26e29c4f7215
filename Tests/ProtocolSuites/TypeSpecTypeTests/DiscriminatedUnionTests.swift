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

    enum EnvelopedPet: JSONResponse, JSONBody, Equatable {
        case cat(Cat)
        case dog(Dog)

        private enum CodingKeys: CodingKey { case kind, value }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            switch try members.decode(PetType.self, forKey: .kind) {
            case .cat: self = .cat(try members.decode(Cat.self, forKey: .value))
            case .dog: self = .dog(try members.decode(Dog.self, forKey: .value))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .cat(let cat):
                try members.encode(PetType.cat, forKey: .kind)
                try members.encode(cat, forKey: .value)
            case .dog(let dog):
                try members.encode(PetType.dog, forKey: .kind)
                try members.encode(dog, forKey: .value)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_Envelope_Object_Default_get",
            "Type_Union_Discriminated_Envelope_Object_Default_put",
            byHand: "init(from:) and encode(to:) of a union"))
    func envelope() async throws {
        try await expectPets(
            "envelope/object/default", tag: "kind",
            cat: (EnvelopedPet.cat(cat), #"{"kind":"cat","value":{"meow":true,"name":"Whiskers"}}"#),
            dog: (EnvelopedPet.dog(dog), #"{"kind":"dog","value":{"bark":false,"name":"Rex"}}"#))
    }

    enum CustomPet: JSONResponse, JSONBody, Equatable {
        case cat(Cat)
        case dog(Dog)

        private enum CodingKeys: CodingKey { case petType, petData }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            switch try members.decode(PetType.self, forKey: .petType) {
            case .cat: self = .cat(try members.decode(Cat.self, forKey: .petData))
            case .dog: self = .dog(try members.decode(Dog.self, forKey: .petData))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .cat(let cat):
                try members.encode(PetType.cat, forKey: .petType)
                try members.encode(cat, forKey: .petData)
            case .dog(let dog):
                try members.encode(PetType.dog, forKey: .petType)
                try members.encode(dog, forKey: .petData)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_Envelope_Object_CustomProperties_get",
            "Type_Union_Discriminated_Envelope_Object_CustomProperties_put",
            byHand: "init(from:) and encode(to:) of a union"))
    func customEnvelope() async throws {
        try await expectPets(
            "envelope/object/custom-properties", tag: "petType",
            cat: (CustomPet.cat(cat), #"{"petData":{"meow":true,"name":"Whiskers"},"petType":"cat"}"#),
            dog: (CustomPet.dog(dog), #"{"petData":{"bark":false,"name":"Rex"},"petType":"dog"}"#))
    }

    enum InlinePet: JSONResponse, JSONBody, Equatable {
        case cat(Cat)
        case dog(Dog)

        private enum CodingKeys: CodingKey { case kind }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            switch try members.decode(PetType.self, forKey: .kind) {
            case .cat: self = .cat(try Cat(from: decoder))
            case .dog: self = .dog(try Dog(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .cat(let cat):
                try members.encode(PetType.cat, forKey: .kind)
                try cat.encode(to: encoder)
            case .dog(let dog):
                try members.encode(PetType.dog, forKey: .kind)
                try dog.encode(to: encoder)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_NoEnvelope_Default_get", "Type_Union_Discriminated_NoEnvelope_Default_put",
            byHand: "init(from:) and encode(to:) of a union"))
    func inline() async throws {
        try await expectPets(
            "no-envelope/default", tag: "kind",
            cat: (InlinePet.cat(cat), #"{"kind":"cat","meow":true,"name":"Whiskers"}"#),
            dog: (InlinePet.dog(dog), #"{"bark":false,"kind":"dog","name":"Rex"}"#))
    }

    enum TypedPet: JSONResponse, JSONBody, Equatable {
        case cat(Cat)
        case dog(Dog)

        private enum CodingKeys: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            switch try members.decode(PetType.self, forKey: .type) {
            case .cat: self = .cat(try Cat(from: decoder))
            case .dog: self = .dog(try Dog(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .cat(let cat):
                try members.encode(PetType.cat, forKey: .type)
                try cat.encode(to: encoder)
            case .dog(let dog):
                try members.encode(PetType.dog, forKey: .type)
                try dog.encode(to: encoder)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Union_Discriminated_NoEnvelope_CustomDiscriminator_get",
            "Type_Union_Discriminated_NoEnvelope_CustomDiscriminator_put",
            byHand: "init(from:) and encode(to:) of a union"))
    func customTag() async throws {
        try await expectPets(
            "no-envelope/custom-discriminator", tag: "type",
            cat: (TypedPet.cat(cat), #"{"meow":true,"name":"Whiskers","type":"cat"}"#),
            dog: (TypedPet.dog(dog), #"{"bark":false,"name":"Rex","type":"dog"}"#))
    }
}
