/// Any JSON, found out as `AnyCodable` does: one type is tried after another.
enum AnyValue: Decodable {
    case null, bool(Bool), integer(Int), unsigned(UInt), number(Double), string(String)
    case array([AnyValue]), object([String: AnyValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyValue].self))
        }
    }
}

extension AnyValue: Sample {
    static let json = Twenty.json
}
