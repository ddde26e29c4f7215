/// An encoder of a value's members into an object to which others add further members.
///
/// `JSONEncoder` traps if an array or a string is followed by a member. So here a value that is not encoded as an
/// object is an error.
final class MemberEncoder: Encoder {
    /// The encoder of the object.
    fileprivate let encoder: any Encoder
    /// Whether the value was encoded as an array.
    private var isArray = false

    init(_ encoder: any Encoder) {
        self.encoder = encoder
    }

    /// Encodes the members of a value.
    ///
    /// - Throws: `EncodingError` if the value is not encoded as an object; that of the encoder.
    func encodeMembers(of value: some Encodable) throws {
        isArray = false
        var container = singleValueContainer()
        try container.encode(value)
        if isArray { throw notAnObject(value, "\(type(of: value))") }
    }

    fileprivate func notAnObject(_ value: Any, _ name: String) -> EncodingError {
        let problem = "\(name) is not encoded as an object, to which members could be added"
        return .invalidValue(value, .init(codingPath: codingPath, debugDescription: problem))
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoder.container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        isArray = true
        // This function cannot throw. Until the value is encoded, and the error is thrown, a member takes the elements.
        var object = encoder.container(keyedBy: JSONKey.self)
        return object.superEncoder(forKey: .name("_0")).unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { MemberValueContainer(encoder: self) }
}

/// A container of a value that encodes another value as itself, such as an optional, whose members are encoded.
private struct MemberValueContainer: SingleValueEncodingContainer {
    let encoder: MemberEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { throw encoder.notAnObject(Any?.none as Any, "nil") }

    func encode<T: Encodable>(_ value: T) throws {
        if isSingleValue(T.self) { throw encoder.notAnObject(value, "\(T.self)") }
        try value.encode(to: encoder)
    }
}

/// Whether all encoders have a string, a number or a Bool for values of a type, or a format of their own, as for dates.
func isSingleValue(_ type: Any.Type) -> Bool {
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type { return true }
    let others: [Any.Type] = [String.self, Bool.self, Date.self, Data.self, URL.self, Decimal.self]
    return others.contains { $0 == type }
}
