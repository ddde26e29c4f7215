/// Writes types that are not part of an API's description. Each is written only if other code uses it.
///
/// In the code below, `ACCESS ` is a placeholder for the access modifier: `public ` with a space, or nothing.
enum Support {
    /// Writes the enum `JSONValue`, which can hold any JSON value. In the code below, `ACCESS ` stands for the access
    /// modifier.
    static func jsonValue(access: String) -> [String] {
        lines(
            """
            /// A JSON value of any kind.
            ACCESS nonisolated indirect enum JSONValue: Hashable, Codable, Sendable, ParameterValue {
                case null
                case bool(Bool)
                case integer(Int)
                case number(Double)
                case string(String)
                case array([JSONValue])
                case object([String: JSONValue])

                ACCESS init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if container.decodeNil() {
                        self = .null
                    } else if let value = try? container.decode(Bool.self) {
                        self = .bool(value)
                    } else if let value = try? container.decode(Int.self) {
                        self = .integer(value)
                    } else if let value = try? container.decode(Double.self) {
                        self = .number(value)
                    } else if let value = try? container.decode(String.self) {
                        self = .string(value)
                    } else if let value = try? container.decode([JSONValue].self) {
                        self = .array(value)
                    } else {
                        self = .object(try container.decode([String: JSONValue].self))
                    }
                }

                ACCESS func encode(to encoder: any Encoder) throws {
                    var container = encoder.singleValueContainer()
                    switch self {
                    case .null: try container.encodeNil()
                    case .bool(let value): try container.encode(value)
                    case .integer(let value): try container.encode(value)
                    case .number(let value): try container.encode(value)
                    case .string(let value): try container.encode(value)
                    case .array(let value): try container.encode(value)
                    case .object(let value): try container.encode(value)
                    }
                }

                ACCESS var parameterNode: Parameters.Node {
                    switch self {
                    case .null: .null
                    case .bool(let value): value.parameterNode
                    case .integer(let value): value.parameterNode
                    case .number(let value): value.parameterNode
                    case .string(let value): value.parameterNode
                    case .array(let value): value.parameterNode
                    case .object(let value): value.parameterNode
                    }
                }
            }
            """, access)
    }

    /// Writes the enum `Indirect`, which holds the value of a member whose type is that of its owner:
    ///
    ///     struct Category {
    ///         var parent: Indirect<Category>?
    ///     }
    ///
    /// Swift does not allow a struct to contain itself without such an indirection. In the code below, `ACCESS ` stands
    /// for the access modifier.
    static func indirect(access: String) -> [String] {
        lines(
            """
            /// A value that may contain others of its type: `comment.parent?.text` reads through it.
            @dynamicMemberLookup
            ACCESS nonisolated indirect enum Indirect<Value: Sendable>: Sendable {
                case value(Value)

                ACCESS var value: Value {
                    switch self {
                    case .value(let value): value
                    }
                }

                ACCESS subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
            }

            nonisolated extension Indirect: Decodable where Value: Decodable {
                ACCESS init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
            }

            nonisolated extension Indirect: Encodable where Value: Encodable {
                ACCESS func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
            }

            nonisolated extension Indirect: ParameterValue where Value: ParameterValue {
                ACCESS var parameterNode: Parameters.Node { value.parameterNode }
            }
            """, access)
    }

    /// Splits code into lines, with an access modifier in the place of each `ACCESS `.
    private static func lines(_ code: String, _ access: String) -> [String] {
        let completedCode = code.replacing("ACCESS ", with: access)
        return completedCode.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
