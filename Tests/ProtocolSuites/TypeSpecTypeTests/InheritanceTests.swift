import APIKit
import SuiteSupport
import Testing

/// Models that extend other models: the folders `type/model/inheritance/not-discriminated` and `recursive`.
@Suite struct InheritanceTests {
    struct Siamese: JSONResponse, JSONBody, Equatable {
        var name: String
        var age: Int
        var smart: Bool
    }

    struct PostSiamese: SuiteRequest {
        typealias Response = NoContent
        var cat: Siamese
        var method: HTTPMethod { .post }
        var path: URLPath { "type/model/inheritance/not-discriminated/valid" }
        var body: RequestBody? { .json(cat) }
    }

    struct GetSiamese: SuiteRequest {
        typealias Response = Siamese
        var path: URLPath { "type/model/inheritance/not-discriminated/valid" }
    }

    struct PutSiamese: SuiteRequest {
        typealias Response = Siamese
        var cat: Siamese
        var method: HTTPMethod { .put }
        var path: URLPath { "type/model/inheritance/not-discriminated/valid" }
        var body: RequestBody? { .json(cat) }
    }

    struct Extension: Codable, Sendable, Equatable {
        var level: Int8
        var `extension`: [Extension]?
    }

    let path = "/type/model/inheritance/not-discriminated/valid"
    let json = #"{"age":32,"name":"abc","smart":true}"#
    let cat = Siamese(name: "abc", age: 32, smart: true)

    @Test(.scenario("Type_Model_Inheritance_NotDiscriminated_postValid"))
    func post() async throws {
        try await expect(PostSiamese(cat: cat), sends: "POST", path, .text(json))
        try await expect(PostSiamese(cat: cat), reads: "", status: 204, as: NoContent())
    }

    @Test(.scenario("Type_Model_Inheritance_NotDiscriminated_getValid"))
    func get() async throws {
        try await expect(GetSiamese(), sends: "GET", path)
        try await expect(GetSiamese(), reads: json, as: cat)
    }

    @Test(.scenario("Type_Model_Inheritance_NotDiscriminated_putValid"))
    func put() async throws {
        try await expect(PutSiamese(cat: cat), sends: "PUT", path, .text(json))
        try await expect(PutSiamese(cat: cat), reads: json, as: cat)
    }

    @Test(.scenario("Type_Model_Inheritance_Recursive_get", "Type_Model_Inheritance_Recursive_put"))
    func recursive() async throws {
        let model = Extension(
            level: 0,
            extension: [Extension(level: 1, extension: [Extension(level: 2)]), Extension(level: 1)])
        try await expectGetAndPut(
            "type/model/inheritance/recursive", model,
            #"{"extension":[{"extension":[{"level":2}],"level":1},{"level":1}],"level":0}"#)
    }
}

/// Models with a kind, whose known kinds have no properties of their own, so that one struct is all of them: the folder
/// `type/model/inheritance/enum-discriminator`, and some models of `single-discriminator`.
@Suite struct KindTests {
    struct Dog: Codable, Sendable, Equatable {
        struct Kind: RawRepresentable, Codable, Sendable, Hashable {
            var rawValue: String
            static let golden = Kind(rawValue: "golden")
        }
        var kind: Kind?
        var weight: Int
    }

    struct Snake: Codable, Sendable, Equatable {
        struct Kind: RawRepresentable, Codable, Sendable, Hashable {
            var rawValue: String
            static let cobra = Kind(rawValue: "cobra")
        }
        var kind: Kind?
        var length: Int
    }

    struct Dinosaur: Codable, Sendable, Equatable {
        struct Kind: RawRepresentable, Codable, Sendable, Hashable {
            var rawValue: String
            static let tRex = Kind(rawValue: "t-rex")
        }
        var kind: Kind
        var size: Int
    }

    struct Fish: Codable, Sendable, Equatable {
        var kind: String
        var size: Int
    }

    let path = "type/model/inheritance/enum-discriminator"

    @Test(
        .scenario(
            "Type_Model_Inheritance_EnumDiscriminator_getExtensibleModel",
            "Type_Model_Inheritance_EnumDiscriminator_putExtensibleModel"))
    func extensible() async throws {
        try await expectGetAndPut(
            "\(path)/extensible-enum", Dog(kind: .golden, weight: 10), #"{"kind":"golden","weight":10}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_EnumDiscriminator_getFixedModel",
            "Type_Model_Inheritance_EnumDiscriminator_putFixedModel"))
    func fixed() async throws {
        try await expectGetAndPut(
            "\(path)/fixed-enum", Snake(kind: .cobra, length: 10), #"{"kind":"cobra","length":10}"#)
    }

    @Test(.scenario("Type_Model_Inheritance_EnumDiscriminator_getExtensibleModelMissingDiscriminator"))
    func extensibleMissing() async throws {
        let get = Get<Dog>(path: "\(segments: path)/extensible-enum/missingdiscriminator")
        try await expect(get, sends: "GET", "/\(path)/extensible-enum/missingdiscriminator")
        try await expect(get, reads: #"{"weight":10}"#, as: Dog(kind: nil, weight: 10))
    }

    @Test(.scenario("Type_Model_Inheritance_EnumDiscriminator_getExtensibleModelWrongDiscriminator"))
    func extensibleWrong() async throws {
        let get = Get<Dog>(path: "\(segments: path)/extensible-enum/wrongdiscriminator")
        try await expect(get, sends: "GET", "/\(path)/extensible-enum/wrongdiscriminator")
        let dog = Dog(kind: Dog.Kind(rawValue: "wrongKind"), weight: 8)
        try await expect(get, reads: #"{"weight":8,"kind":"wrongKind"}"#, as: dog)
    }

    @Test(.scenario("Type_Model_Inheritance_EnumDiscriminator_getFixedModelMissingDiscriminator"))
    func fixedMissing() async throws {
        let get = Get<Snake>(path: "\(segments: path)/fixed-enum/missingdiscriminator")
        try await expect(get, sends: "GET", "/\(path)/fixed-enum/missingdiscriminator")
        try await expect(get, reads: #"{"length":10}"#, as: Snake(kind: nil, length: 10))
    }

    @Test(.scenario("Type_Model_Inheritance_EnumDiscriminator_getFixedModelWrongDiscriminator"))
    func fixedWrong() async throws {
        let get = Get<Snake>(path: "\(segments: path)/fixed-enum/wrongdiscriminator")
        try await expect(get, sends: "GET", "/\(path)/fixed-enum/wrongdiscriminator")
        let snake = Snake(kind: Snake.Kind(rawValue: "wrongKind"), length: 8)
        try await expect(get, reads: #"{"length":8,"kind":"wrongKind"}"#, as: snake)
    }

    @Test(.scenario("Type_Model_Inheritance_SingleDiscriminator_getLegacyModel"))
    func legacy() async throws {
        let get = Get<Dinosaur>(path: "type/model/inheritance/single-discriminator/legacy-model")
        try await expect(get, sends: "GET", "/type/model/inheritance/single-discriminator/legacy-model")
        try await expect(get, reads: #"{"size":20,"kind":"t-rex"}"#, as: Dinosaur(kind: .tRex, size: 20))
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getNoSubtypesModel",
            "Type_Model_Inheritance_SingleDiscriminator_putNoSubtypesModel"))
    func noSubtypes() async throws {
        try await expectGetAndPut(
            "type/model/inheritance/single-discriminator/no-subtypes/model", Fish(kind: "salmon", size: 10),
            #"{"kind":"salmon","size":10}"#)
    }
}
