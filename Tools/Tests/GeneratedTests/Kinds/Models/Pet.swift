import APIKit

indirect enum Pet: JSONResponse, JSONBody, ParameterValue {
    case cat(Cat)
    case dog(Dog)
    case base(Base)
    case puppy(Puppy)
    case other(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .petType) {
        case "cat": self = .cat(try container.decode(Cat.self))
        case "dog": self = .dog(try container.decode(Dog.self))
        case "pet": self = .base(try container.decode(Base.self))
        case "puppy": self = .puppy(try container.decode(Puppy.self))
        default: self = .other(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .cat(let value): try container.encode(value)
        case .dog(let value): try container.encode(value)
        case .base(let value): try container.encode(value)
        case .puppy(let value): try container.encode(value)
        case .other(let value): try container.encode(value)
        }
    }

    var parameterNode: Parameters.Node {
        switch self {
        case .cat(let value): value.parameterNode
        case .dog(let value): value.parameterNode
        case .base(let value): value.parameterNode
        case .puppy(let value): value.parameterNode
        case .other(let value): value.parameterNode
        }
    }

    struct Base: Codable, ParameterValue {
        var name: String
        var petType = "pet"
        var friend: Pet?
        var parameterNode: Parameters.Node { .object(["name": name, "petType": petType, "friend": friend]) }
    }

    struct Dog: Codable, ParameterValue {
        var name: String
        var petType = "dog"
        var friend: Pet?
        var tricks: [String]?

        var parameterNode: Parameters.Node {
            .object(["name": name, "petType": petType, "friend": friend, "tricks": tricks])
        }
    }

    struct Puppy: Codable, ParameterValue {
        var name: String
        var petType = "puppy"
        var weeks: Int
        var friend: Pet?
        var tricks: [String]?

        var parameterNode: Parameters.Node {
            .object(["name": name, "petType": petType, "weeks": weeks, "friend": friend, "tricks": tricks])
        }
    }

    private enum CodingKeys: String, CodingKey { case petType }
}
