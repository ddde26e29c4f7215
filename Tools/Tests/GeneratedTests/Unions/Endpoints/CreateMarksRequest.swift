import APIKit

struct CreateMarksRequest: UnionsRequest {
    typealias Response = [Mark]
    var content: [Mark]

    var method: HTTPMethod { .post }
    var path: URLPath { "marks" }
    var body: RequestBody? { .json(content) }
}

struct Mark: JSONResponse, JSONBody {
    var digits: Digits?
    var large: Large?
    var mapped: Mapped?
    var mixed: Mixed?
    var nested: Nested?
    var partly: Partly?
    var ratio: Ratio?
    var `switch`: Switch?

    enum Digits: Codable {
        case _1(Digits_1)
        case minus1(Minus1)
        case digitsempty(Digitsempty)
        case digits日本(Digits日本)
        case digits東京(Digits東京)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(JSONValue.self, forKey: .kind) {
            case "": self = .digitsempty(try container.decode(Digitsempty.self))
            case "-1": self = .minus1(try container.decode(Minus1.self))
            case "1": self = ._1(try container.decode(Digits_1.self))
            case "日本": self = .digits日本(try container.decode(Digits日本.self))
            case 2: self = .digits東京(try container.decode(Digits東京.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case ._1(let value): try container.encode(value)
            case .minus1(let value): try container.encode(value)
            case .digitsempty(let value): try container.encode(value)
            case .digits日本(let value): try container.encode(value)
            case .digits東京(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct Digits_1: Codable {
            var kind = "1"
            var a: String?
        }

        struct Digitsempty: Codable {
            var kind = ""
            var a: String?
        }

        struct Digits日本: Codable {
            var kind = "日本"
            var a: String?
        }

        struct Digits東京: Codable {
            var kind = 2
            var tokyo: String?
        }

        struct Minus1: Codable {
            var kind = "-1"
            var a: String?
        }

        private enum CodingKeys: String, CodingKey { case kind }
    }

    enum Large: Codable {
        case small(Small)
        case big(Big)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(Int64.self, forKey: .id) {
            case -5: self = .small(try container.decode(Small.self))
            case 5_000_000_000: self = .big(try container.decode(Big.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .small(let value): try container.encode(value)
            case .big(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct Big: Codable {
            var id: Int64 = Int64(5_000_000_000)
            var a: String?
        }

        struct Small: Codable {
            var id = -5
            var a: String?
        }

        private enum CodingKeys: String, CodingKey { case id }
    }

    enum Mapped: Codable {
        case first(First)
        case second(Second)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .version) {
            case 1: self = .first(try container.decode(First.self))
            case 2: self = .second(try container.decode(Second.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .first(let value): try container.encode(value)
            case .second(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct First: Codable {
            var version: Int
            var a: String?
        }

        struct Second: Codable {
            var version: Int
            var a: String?
        }

        private enum CodingKeys: String, CodingKey { case version }
    }

    enum Mixed: Codable {
        case text(Text)
        case number(Number)
        case flag(Flag)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(JSONValue.self, forKey: .kind) {
            case "a": self = .text(try container.decode(Text.self))
            case 1: self = .number(try container.decode(Number.self))
            case true: self = .flag(try container.decode(Flag.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .flag(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct Flag: Codable {
            var kind = true
            var flag: Bool
        }

        struct Number: Codable {
            var number: Double
            var kind = 1
        }

        struct Text: Codable {
            var kind = "a"
            var text: String
        }

        private enum CodingKeys: String, CodingKey { case kind }
    }

    enum Nested: Codable {
        case action(Action)
        case items([Action])
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode([Action].self) {
                self = .items(value)
            } else if let value = try? container.decode(Action.self) {
                self = .action(value)
            } else {
                self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .action(let value): try container.encode(value)
            case .items(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }
    }

    enum Partly: Codable {
        case one(One)
        case two(Two)
        case untyped(Untyped)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(JSONValue.self, forKey: .type) {
            case 1: self = .one(try container.decode(One.self))
            case 2: self = .two(try container.decode(Two.self))
            case nil:
                if let value = try? container.decode(Untyped.self) {
                    self = .untyped(value)
                } else {
                    self = .other(try container.decode(JSONValue.self))
                }
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .one(let value): try container.encode(value)
            case .two(let value): try container.encode(value)
            case .untyped(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct One: Codable {
            var type = 1
            var x: String?
        }

        struct Two: Codable {
            var type = 2
            var x: String?
        }

        struct Untyped: Codable {
            var y: String
        }

        private enum CodingKeys: String, CodingKey { case type }
    }

    enum Ratio: Codable {
        case half(Half)
        case whole(Whole)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .ratio) {
            case 0.5: self = .half(try container.decode(Half.self))
            case 1: self = .whole(try container.decode(Whole.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .half(let value): try container.encode(value)
            case .whole(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct Half: Codable {
            var ratio: Double = 0.5
            var a: String?
        }

        struct Whole: Codable {
            var ratio = 1
            var a: String?
        }

        private enum CodingKeys: String, CodingKey { case ratio }
    }

    enum Switch: Codable {
        case success(Success)
        case problem(Problem)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .ok) {
            case false: self = .problem(try container.decode(Problem.self))
            case true: self = .success(try container.decode(Success.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .success(let value): try container.encode(value)
            case .problem(let value): try container.encode(value)
            case .other(let value): try container.encode(value)
            }
        }

        struct Problem: Codable {
            var reason: String
            var ok = false
        }

        struct Success: Codable {
            var value: String
            var ok = true
        }

        private enum CodingKeys: String, CodingKey { case ok }
    }
}
