/// An encoder of a value's members into an object to which others add further members.
///
/// `JSONEncoder` traps if an array or a string is followed by a member. So here a value that is not encoded as an
/// object is an error.
///
/// The names of a dictionary are data. An encoder with a key strategy converts them, unless it encodes the whole
/// dictionary as one value. So a dictionary is kept, with all members that are added to it, until ``finish()``.
final class MemberEncoder: Encoder {
    /// The encoder of the object.
    private let encoder: any Encoder
    /// The members of a dictionary, and those that were added after it; nil if no dictionary was encoded.
    private var dictionary: [String: any Encodable]?
    /// Whether the encoder of the object has a container for members, after which it takes no dictionary as a whole.
    private var hasContainer = false
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
        if isArray { throw notAnObject(type(of: value)) }
    }

    /// Encodes a member. It replaces an earlier one of the same name.
    func encode<Key: CodingKey>(_ value: some Encodable, forKey key: Key) throws {
        if dictionary != nil {
            dictionary?[key.stringValue] = value
        } else {
            var members = container(keyedBy: Key.self)
            try members.encode(value, forKey: key)
        }
    }

    /// Encodes the members of a dictionary.
    fileprivate func encode(_ members: [String: any Encodable]) {
        dictionary = (dictionary ?? [:]).merging(members) { $1 }
    }

    /// Writes the dictionary, if there is one. It has to be called after the last member.
    func finish() throws {
        guard let dictionary = dictionary.take() else { return }
        if hasContainer {
            // Only code that is written by hand encodes members by themselves and a dictionary into the same object.
            var members = encoder.container(keyedBy: JSONKey.self)
            for (name, value) in dictionary { try members.encode(Member(value: value), forKey: .name(name)) }
        } else {
            var container = encoder.singleValueContainer()
            try container.encode(dictionary.mapValues(Member.init))
        }
    }

    /// Returns the error for a value that is not encoded as an object. It has the type instead of the value, which may
    /// be a secret or a `Date` that is not a number: printing that ends the process.
    fileprivate func notAnObject(_ type: Any.Type) -> EncodingError {
        let problem = "\(type) is not encoded as an object, to which members could be added"
        return .invalidValue(type, .init(codingPath: codingPath, debugDescription: problem))
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        hasContainer = true
        return encoder.container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        isArray = true
        // This function cannot throw. So the elements go into a member that does not matter, and `encodeMembers(of:)`
        // throws the error afterwards.
        var object = container(keyedBy: JSONKey.self)
        return object.superEncoder(forKey: .name("_0")).unkeyedContainer()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { MemberValueContainer(encoder: self) }
}

/// A container of a value that encodes another value as itself, such as an optional, whose members are encoded.
private struct MemberValueContainer: SingleValueEncodingContainer {
    let encoder: MemberEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { throw encoder.notAnObject(Never?.self) }

    /// Encodes the members of a value into the object that further members are added to. A dictionary is kept as a
    /// whole until the end. A string, a number or the like has no members and is an error.
    func encode<T: Encodable>(_ value: T) throws {
        if isSingleValue(T.self) { throw encoder.notAnObject(T.self) }
        if let dictionary = value as? any NamedValues {
            encoder.encode(dictionary.encodableMembers)
        } else {
            try value.encode(to: encoder)
        }
    }
}

/// A dictionary whose keys are the names of members.
private protocol NamedValues {
    var encodableMembers: [String: any Encodable] { get }
}

extension Dictionary: NamedValues where Key == String, Value: Encodable {
    fileprivate var encodableMembers: [String: any Encodable] { mapValues { $0 } }
}

/// A member of any type, which is encoded as itself.
private struct Member: Encodable {
    let value: any Encodable

    func encode(to encoder: any Encoder) throws {
        // The container knows the formats of the encoder, such as that of dates.
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// Whether all encoders have a string, a number or a Bool for values of a type, or a format of their own, as for dates.
func isSingleValue(_ type: Any.Type) -> Bool {
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type { return true }
    let others: [Any.Type] = [String.self, Bool.self, Date.self, Data.self, URL.self, Decimal.self]
    return others.contains { $0 == type }
}
