/// Writes types that are not part of an API's description. Each is written only if other code uses it.
///
/// In the code below, `ACCESS ` is a placeholder for the access modifier: `public ` with a space, or nothing.
enum Support {
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
