import APIKit

/// A value that may contain others of its type: `comment.parent?.text` reads through it.
@dynamicMemberLookup
nonisolated indirect enum Indirect<Value: Sendable>: Sendable {
    /// The value.
    case value(Value)

    /// The value.
    var value: Value {
        switch self {
        case .value(let value): value
        }
    }

    /// A member of the value.
    subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}

nonisolated extension Indirect: Decodable where Value: Decodable {
    /// Reads the value.
    init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
}

nonisolated extension Indirect: Encodable where Value: Encodable {
    /// Writes the value.
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

nonisolated extension Indirect: ParameterValue where Value: ParameterValue {
    /// The value's node.
    var parameterNode: Parameters.Node { value.parameterNode }
}
