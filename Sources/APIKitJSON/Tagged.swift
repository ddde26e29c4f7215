/// A value of a ``TaggedUnion``, in the format with a tag: `{"kind": "cat", "name": "Tom"}`.
///
/// ```swift
/// struct PetRequest: APIRequest {
///     typealias Response = Tagged<Pet>
///     …
/// }
///
/// switch try await client.send(PetRequest(id: 7)).value {
/// case .cat(let cat): …
/// case .dog(let dog): …
/// case .other(let json): …
/// }
/// ```
///
/// It is a response, a body, an element of a list of them, and a member of models. A value is created with
/// `Tagged(.cat(cat))`.
public struct Tagged<Union: TaggedUnion>: Sendable {
    /// The value.
    public var value: Union

    /// Creates a value in the format with a tag.
    public init(_ value: Union) {
        self.value = value
    }
}

extension Tagged: Equatable where Union: Equatable {}
extension Tagged: Hashable where Union: Hashable {}

extension Tagged: Decodable {
    /// Reads the tag, and then the values of its case.
    ///
    /// - Throws: `DecodingError` if the value is not an object; unless there is a ``TaggedUnion/unknownCase``, also if
    ///   the tag is missing, unknown, or neither a string nor an integer; if more than 100 such values are nested or,
    ///   with another decoder than `JSONReader`, more than 100 arrays and objects; that of the case's values.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, besides: [])
    }
}

extension Tagged: OpenObject {
    init(from decoder: any Decoder, besides keys: Set<String>) throws {
        value = try decoder.decodeNestedModel {
            let members = try decoder.container(keyedBy: JSONKey.self)
            let object = TaggedObject(union: Union.self, decoder: decoder, members: members, outerKeys: keys)
            return try Union(from: CaseDecoder(object: object))
        }
    }
}

extension Tagged: Encodable {
    /// Writes the values of the case, and the tag. A member of a value that has the name of the tag is replaced by it.
    ///
    /// - Throws: `EncodingError` if the value of a case is not encoded as an object, such as a string, and there is no
    ///   ``TaggedUnion/contentName``; if the ``TaggedUnion/unknownCase`` has no value; that of the encoder.
    public func encode(to encoder: any Encoder) throws {
        let caseEncoder = CaseEncoder(union: Union.self, encoder: encoder)
        try value.encode(to: caseEncoder)
        try caseEncoder.finish(value)
    }
}
