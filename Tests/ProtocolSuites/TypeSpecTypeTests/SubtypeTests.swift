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
        var kind = "eagle"
        var wingspan: Int
        var friends: [Bird]?
        var hate: [String: Bird]?
        var partner: Bird?
    }

    indirect enum Bird: Codable, Sendable, Equatable {
        case eagle(Eagle)
        case other(SimpleBird)

        init(from decoder: any Decoder) throws {
            let bird = try SimpleBird(from: decoder)
            switch bird.kind {
            case "eagle": self = .eagle(try Eagle(from: decoder))
            default: self = .other(bird)
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .eagle(let eagle): try eagle.encode(to: encoder)
            case .other(let bird): try bird.encode(to: encoder)
            }
        }
    }

    let path = "type/model/inheritance/single-discriminator"

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getModel",
            "Type_Model_Inheritance_SingleDiscriminator_putModel",
            byHand: "init(from:) and encode(to:) of a union"))
    func model() async throws {
        try await expectGetAndPut(
            "\(path)/model", Bird.other(SimpleBird(kind: "sparrow", wingspan: 1)), #"{"kind":"sparrow","wingspan":1}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getRecursiveModel",
            "Type_Model_Inheritance_SingleDiscriminator_putRecursiveModel",
            byHand: "init(from:) and encode(to:) of a union"))
    func recursiveModel() async throws {
        let eagle = Eagle(
            wingspan: 5,
            friends: [.other(SimpleBird(kind: "seagull", wingspan: 2))],
            hate: ["key3": .other(SimpleBird(kind: "sparrow", wingspan: 1))],
            partner: .other(SimpleBird(kind: "goose", wingspan: 2)))
        let friends = #""friends":[{"kind":"seagull","wingspan":2}]"#
        let hate = #""hate":{"key3":{"kind":"sparrow","wingspan":1}}"#
        let partner = #""partner":{"kind":"goose","wingspan":2}"#
        try await expectGetAndPut(
            "\(path)/recursivemodel", Bird.eagle(eagle),
            #"{\#(friends),\#(hate),"kind":"eagle",\#(partner),"wingspan":5}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_SingleDiscriminator_getMissingDiscriminator",
            "Type_Model_Inheritance_SingleDiscriminator_getWrongDiscriminator",
            byHand: "init(from:) and encode(to:) of a union"))
    func missingAndWrongKind() async throws {
        let missing = Get<Bird>(path: "\(segments: path)/missingdiscriminator")
        try await expect(missing, sends: "GET", "/\(path)/missingdiscriminator")
        try await expect(missing, reads: #"{"wingspan":1}"#, as: .other(SimpleBird(kind: nil, wingspan: 1)))

        let wrong = Get<Bird>(path: "\(segments: path)/wrongdiscriminator")
        try await expect(wrong, sends: "GET", "/\(path)/wrongdiscriminator")
        try await expect(
            wrong, reads: #"{"wingspan":1,"kind":"wrongKind"}"#, as: .other(SimpleBird(kind: "wrongKind", wingspan: 1)))
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
        var kind = "shark"
        var age: Int
        var sharktype: SharkType
    }

    struct Salmon: Codable, Sendable, Equatable {
        var kind = "salmon"
        var age: Int
        var friends: [Fish]?
        var hate: [String: Fish]?
        var partner: Fish?
    }

    struct OtherFish: Codable, Sendable, Equatable {
        var kind: String?
        var age: Int
    }

    indirect enum Fish: Codable, Sendable, Equatable {
        case shark(Shark)
        case salmon(Salmon)
        case other(OtherFish)

        init(from decoder: any Decoder) throws {
            let fish = try OtherFish(from: decoder)
            switch fish.kind {
            case "shark": self = .shark(try Shark(from: decoder))
            case "salmon": self = .salmon(try Salmon(from: decoder))
            default: self = .other(fish)
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .shark(let shark): try shark.encode(to: encoder)
            case .salmon(let salmon): try salmon.encode(to: encoder)
            case .other(let fish): try fish.encode(to: encoder)
            }
        }
    }

    let path = "type/model/inheritance/nested-discriminator"

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getModel",
            "Type_Model_Inheritance_NestedDiscriminator_putModel",
            byHand: "init(from:) and encode(to:) of a union"))
    func model() async throws {
        try await expectGetAndPut(
            "\(path)/model", Fish.shark(Shark(age: 1, sharktype: .goblin)),
            #"{"age":1,"kind":"shark","sharktype":"goblin"}"#)
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getRecursiveModel",
            "Type_Model_Inheritance_NestedDiscriminator_putRecursiveModel",
            byHand: "init(from:) and encode(to:) of a union"))
    func recursiveModel() async throws {
        let friend = Salmon(
            age: 2,
            hate: ["key1": .salmon(Salmon(age: 4)), "key2": .shark(Shark(age: 2, sharktype: .goblin))],
            partner: .salmon(Salmon(age: 3)))
        let enemy = Salmon(
            age: 2, friends: [.salmon(Salmon(age: 1)), .shark(Shark(age: 4, sharktype: .goblin))])
        let fish = Fish.salmon(
            Salmon(
                age: 1, friends: [.salmon(friend), .shark(Shark(age: 3, sharktype: .goblin))],
                hate: ["key3": .shark(Shark(age: 3, sharktype: .saw)), "key4": .salmon(enemy)],
                partner: .shark(Shark(age: 2, sharktype: .saw))))
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
        let get = Get<Fish>(path: "\(segments: path)/recursivemodel")
        try await expect(get, sends: "GET", "/\(path)/recursivemodel")
        try await expect(get, reads: json, as: fish)
        let put = Put(path: "\(segments: path)/recursivemodel", value: fish)
        try await expect(put, sends: "PUT", "/\(path)/recursivemodel", .json(json))
        try await expect(put, reads: "", status: 204, as: NoContent())
    }

    @Test(
        .scenario(
            "Type_Model_Inheritance_NestedDiscriminator_getMissingDiscriminator",
            "Type_Model_Inheritance_NestedDiscriminator_getWrongDiscriminator",
            byHand: "init(from:) and encode(to:) of a union"))
    func missingAndWrongKind() async throws {
        let missing = Get<Fish>(path: "\(segments: path)/missingdiscriminator")
        try await expect(missing, sends: "GET", "/\(path)/missingdiscriminator")
        try await expect(missing, reads: #"{"age":1}"#, as: .other(OtherFish(kind: nil, age: 1)))

        let wrong = Get<Fish>(path: "\(segments: path)/wrongdiscriminator")
        try await expect(wrong, sends: "GET", "/\(path)/wrongdiscriminator")
        try await expect(
            wrong, reads: #"{"age":1,"kind":"wrongKind"}"#, as: .other(OtherFish(kind: "wrongKind", age: 1)))
    }
}
