/// Encodes what the compiler's code for enums writes, such as `{"cat": {"_0": {"name": "Tom"}}}`, in the format with a
/// tag: `{"kind": "cat", "name": "Tom"}`.
final class CaseEncoder: Encoder {
    private let union: any TaggedUnion.Type
    private let encoder: any Encoder
    /// Encodes the members of a value beside the tag.
    fileprivate let memberEncoder: MemberEncoder
    /// The key of the case; nil until the enum has begun to encode it.
    private var caseKey: (any CodingKey)?
    /// Whether a value of the case was encoded.
    private var hasValue = false
    /// Whether an object of the unknown case was encoded, to which nothing can be added.
    private var isComplete = false

    init(union: any TaggedUnion.Type, encoder: any Encoder) {
        self.union = union
        self.encoder = encoder
        memberEncoder = MemberEncoder(encoder)
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { encoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CaseEncodingContainer(encoder: self))
    }

    // Only code that is written by hand asks for other containers. It writes into the object.

    func unkeyedContainer() -> any UnkeyedEncodingContainer { memberEncoder.unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer { memberEncoder.singleValueContainer() }

    // MARK: - Cases

    private var isUnknownCase: Bool { caseKey?.stringValue == union.unknownCase }

    fileprivate func beginCase(_ key: any CodingKey) { caseKey = key }

    /// Encodes a value of the case at its place in the format with a tag:
    /// - a value with a label as the member of that name;
    /// - the value of the unknown case as the whole object;
    /// - any other value as the member for the content, if the union has one, or else as members beside the tag.
    ///
    /// - Throws: `EncodingError` for a value whose members belong beside the tag, if it is not encoded as an object;
    ///   that of the encoder.
    fileprivate func encode<Key: CodingKey>(_ value: some Encodable, forKey key: Key) throws {
        if isComplete { throw error(value, "the unknown case has more than one value") }
        hasValue = true
        if !key.isUnlabeledValue {
            try memberEncoder.encode(value, forKey: key)
        } else if isUnknownCase {
            isComplete = true
            // The object is encoded as one value. Encoded member by member, its names would be converted by a key
            // strategy.
            var container = encoder.singleValueContainer()
            try container.encode(value)
        } else if let contentName = union.contentName {
            try memberEncoder.encode(value, forKey: JSONKey.name(contentName))
        } else {
            try memberEncoder.encodeMembers(of: value)
        }
    }

    /// Encodes the tag. It comes after the members of the case's value, and so replaces one of the same name.
    ///
    /// - Parameter value: The enum, for errors.
    /// - Throws: `EncodingError` for the unknown case if its tag is not known; that of the encoder.
    func finish(_ value: some TaggedUnion) throws {
        // An enum whose `encode(to:)` is written by hand may have encoded no case.
        guard let caseKey else { return try memberEncoder.finish() }
        if isUnknownCase {
            // The object of the unknown case was encoded with its tag.
            if !hasValue { throw error(value, "the unknown case has no value, and so its tag is not known") }
            return try memberEncoder.finish()
        }
        let tagKey = JSONKey.name(union.tagName)
        if let number = caseKey.intValue {
            try memberEncoder.encode(number, forKey: tagKey)
        } else {
            try memberEncoder.encode(caseKey.stringValue, forKey: tagKey)
        }
        try memberEncoder.finish()
    }

    /// Returns an error with the type of a value, which may itself be a secret or a `Date` that cannot be printed.
    private func error(_ value: Any, _ problem: String) -> EncodingError {
        .invalidValue(type(of: value), .init(codingPath: codingPath, debugDescription: problem))
    }
}

/// A container with one key, that of the case.
private struct CaseEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CaseEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.beginCase(key)
        return KeyedEncodingContainer(CaseValueEncodingContainer(encoder: encoder))
    }

    // The compiler's code calls nothing else. Code that is written by hand writes into the object.

    func encodeNil(forKey key: Key) { encoder.beginCase(key) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.beginCase(key)
        try encoder.encode(value, forKey: JSONKey.name("_0"))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.memberEncoder.unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.memberEncoder }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.memberEncoder }
}

/// A container with the values of a case.
private struct CaseValueEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: CaseEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.encode(value, forKey: key) }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.encode(value, forKey: key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.encode(value, forKey: key) }

    func encodeNil(forKey key: Key) throws { try encoder.encode(JSONValue.null, forKey: key) }

    // The compiler's code calls nothing else. Code that is written by hand writes into the object.

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.memberEncoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.memberEncoder.unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.memberEncoder }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.memberEncoder }
}
