import APIKit
import SuiteSupport
import Testing

/// Models whose kind decides which properties they have: the folder `type/model/inheritance/single-discriminator`.
@Suite struct SingleDiscriminatorTests {
    struct SimpleBird: Codable, Sendable, Equatable {
        /// The kind: `seagull`, `sparrow`, `goose`, or one that is not known yet.
        var kind: String?
        var wingspan: Int
    }

    struct Eagle: Codable, Sendable, Equatable {
        var wingspan: Int
        var friends: [Tagged<Bird>]?
        var hate: [String: Tagged<Bird>]?
        var partner: Tagged<Bird>?
    }

    indirect enum Bird: TaggedUnion, Equatable {
        case eagle(Eagle)
        case other(SimpleBird)

        static var tagName: String { "kind" }
        static var unknownCase: String? { "other" }
    }

    let path = "type/model/inheritance/single-discriminator"

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getModel",
            "Type_Model_Inheritance_SingleDiscriminator_putModel"))
    func model() async throws {
        try await expectGetAndPut(
            "\(path)/model", Tagged(Bird.other(SimpleBird(kind: "sparrow", wingspan: 1))),
            #"{"kind":"sparrow","wingspan":1}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getRecursiveModel",
            "Type_Model_Inheritance_SingleDiscriminator_putRecursiveModel"))
    func recursiveModel() async throws {
        let eagle = Eagle(
            wingspan: 5,
            friends: [Tagged(.other(SimpleBird(kind: "seagull", wingspan: 2)))],
            hate: ["key3": Tagged(.other(SimpleBird(kind: "sparrow", wingspan: 1)))],
            partner: Tagged(.other(SimpleBird(kind: "goose", wingspan: 2))))
        let friends = #""friends":[{"kind":"seagull","wingspan":2}]"#
        let hate = #""hate":{"key3":{"kind":"sparrow","wingspan":1}}"#
        let partner = #""partner":{"kind":"goose","wingspan":2}"#
        try await expectGetAndPut(
            "\(path)/recursivemodel", Tagged(Bird.eagle(eagle)),
            #"{\#(friends),\#(hate),"kind":"eagle",\#(partner),"wingspan":5}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getMissingDiscriminator",
            "Type_Model_Inheritance_SingleDiscriminator_getWrongDiscriminator"))
    func missingAndWrongKind() async throws {
        let missing = Get<Tagged<Bird>>(path: "\(segments: path)/missingdiscriminator")
        try await expect(missing, sends: "GET", "/\(path)/missingdiscriminator")
        try await expect(missing, reads: #"{"wingspan":1}"#, as: Tagged(.other(SimpleBird(kind: nil, wingspan: 1))))

        let wrong = Get<Tagged<Bird>>(path: "\(segments: path)/wrongdiscriminator")
        try await expect(wrong, sends: "GET", "/\(path)/wrongdiscriminator")
        try await expect(
            wrong, reads: #"{"wingspan":1,"kind":"wrongKind"}"#,
            as: Tagged(.other(SimpleBird(kind: "wrongKind", wingspan: 1))))
    }
}

/// Models with a kind, one of which has a kind of its own: the folder `type/model/inheritance/nested-discriminator`.
@Suite struct NestedDiscriminatorTests {
    struct Shark: Codable, Sendable, Equatable {
        struct SharkType: RawRepresentable, Codable, Sendable, Hashable {
            var rawValue: String
            static let saw = SharkType(rawValue: "saw")
            static let goblin = SharkType(rawValue: "goblin")
        }
        var age: Int
        var sharktype: SharkType
    }

    struct Salmon: Codable, Sendable, Equatable {
        var age: Int
        var friends: [Tagged<Fish>]?
        var hate: [String: Tagged<Fish>]?
        var partner: Tagged<Fish>?
    }

    struct OtherFish: Codable, Sendable, Equatable {
        var kind: String?
        var age: Int
    }

    indirect enum Fish: TaggedUnion, Equatable {
        case shark(Shark)
        case salmon(Salmon)
        case other(OtherFish)

        static var tagName: String { "kind" }
        static var unknownCase: String? { "other" }
    }

    func shark(age: Int, _ type: Shark.SharkType) -> Tagged<Fish> {
        Tagged(.shark(Shark(age: age, sharktype: type)))
    }

    let path = "type/model/inheritance/nested-discriminator"

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getModel",
            "Type_Model_Inheritance_NestedDiscriminator_putModel"))
    func model() async throws {
        try await expectGetAndPut(
            "\(path)/model", shark(age: 1, .goblin),
            #"{"age":1,"kind":"shark","sharktype":"goblin"}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getRecursiveModel",
            "Type_Model_Inheritance_NestedDiscriminator_putRecursiveModel"))
    func recursiveModel() async throws {
        let friend = Salmon(
            age: 2,
            hate: ["key1": Tagged(.salmon(Salmon(age: 4))), "key2": shark(age: 2, .goblin)],
            partner: Tagged(.salmon(Salmon(age: 3))))
        let enemy = Salmon(age: 2, friends: [Tagged(.salmon(Salmon(age: 1))), shark(age: 4, .goblin)])
        let salmon = Salmon(
            age: 1, friends: [Tagged(.salmon(friend)), shark(age: 3, .goblin)],
            hate: ["key3": shark(age: 3, .saw), "key4": Tagged(.salmon(enemy))], partner: shark(age: 2, .saw))
        let fish = Tagged(Fish.salmon(salmon))
        let json = #"""
            {
              "age": 1, "kind": "salmon", "partner": {"age": 2, "kind": "shark", "sharktype": "saw"},
              "friends": [
                {
                  "age": 2, "kind": "salmon", "partner": {"age": 3, "kind": "salmon"},
                  "hate": {
                    "key1": {"age": 4, "kind": "salmon"},
                    "key2": {"age": 2, "kind": "shark", "sharktype": "goblin"}
                  }
                },
                {"age": 3, "kind": "shark", "sharktype": "goblin"}
              ],
              "hate": {
                "key3": {"age": 3, "kind": "shark", "sharktype": "saw"},
                "key4": {
                  "age": 2, "kind": "salmon",
                  "friends": [
                    {"age": 1, "kind": "salmon"},
                    {"age": 4, "kind": "shark", "sharktype": "goblin"}
                  ]
                }
              }
            }
            """#
        let get = Get<Tagged<Fish>>(path: "\(segments: path)/recursivemodel")
        try await expect(get, sends: "GET", "/\(path)/recursivemodel")
        try await expect(get, reads: json, as: fish)
        let put = Put(path: "\(segments: path)/recursivemodel", value: fish)
        try await expect(put, sends: "PUT", "/\(path)/recursivemodel", .json(json))
        try await expect(put, reads: "", status: 204, as: NoContent())
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getMissingDiscriminator",
            "Type_Model_Inheritance_NestedDiscriminator_getWrongDiscriminator"))
    func missingAndWrongKind() async throws {
        let missing = Get<Tagged<Fish>>(path: "\(segments: path)/missingdiscriminator")
        try await expect(missing, sends: "GET", "/\(path)/missingdiscriminator")
        try await expect(missing, reads: #"{"age":1}"#, as: Tagged(.other(OtherFish(kind: nil, age: 1))))

        let wrong = Get<Tagged<Fish>>(path: "\(segments: path)/wrongdiscriminator")
        try await expect(wrong, sends: "GET", "/\(path)/wrongdiscriminator")
        try await expect(
            wrong, reads: #"{"age":1,"kind":"wrongKind"}"#, as: Tagged(.other(OtherFish(kind: "wrongKind", age: 1))))
    }
}
