import APIKit

/// A value that may contain others of its type: `comment.parent?.text` reads through it.
@dynamicMemberLookup
nonisolated indirect enum Indirect<Value: Sendable>: Sendable {
    case value(Value)

    var value: Value {
        switch self {
        case .value(let value): value
        }
    }

    subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}

nonisolated extension Indirect: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
}

nonisolated extension Indirect: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

nonisolated extension Indirect: ParameterValue where Value: ParameterValue {
    var parameterNode: Parameters.Node { value.parameterNode }
}
