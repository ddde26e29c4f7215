/// An object with a tag that is being decoded.
struct TaggedObject {
    let union: any TaggedUnion.Type
    /// The decoder of the object.
    let decoder: any Decoder
    /// The object's members.
    let members: KeyedDecodingContainer<JSONKey>
    /// The coding keys of members that belong to an object around this one, such as its tag, whose value has no member
    /// of its own.
    let outerKeys: Set<String>

    /// The tag as the JSON has it.
    private enum Tag {
        case text(String)
        case integer(Int)
    }

    /// Returns the coding key of the case that the tag names: `cat` for `{"kind": "cat"}`. If the tag is missing or
    /// names no case, returns the key of the unknown case.
    ///
    /// - Throws: `DecodingError` if the enum has no unknown case either.
    func caseKey<Key: CodingKey>(_ type: Key.Type) throws -> Key {
        let unknownCase = union.unknownCase.flatMap { Key(stringValue: $0) }
        let tag: Tag
        do {
            tag = try readTag()
        } catch {
            if let unknownCase { return unknownCase }
            throw error
        }
        let namedCase =
            switch tag {
            // If a coding key has an integer, that is the tag. Its text is only the case's name in Swift, so a tag with
            // this text does not name the case.
            case .text(let text): Key(stringValue: text).flatMap { $0.intValue == nil ? $0 : nil }
            case .integer(let number): Key(intValue: number)
            }
        if let key = namedCase ?? unknownCase { return key }
        throw unknownTag(tag)
    }

    /// Reads the tag.
    ///
    /// - Throws: `DecodingError` if it is missing, or neither a string nor an integer.
    private func readTag() throws -> Tag {
        let key = JSONKey.name(union.tagName)
        do {
            return .text(try members.decode(String.self, forKey: key))
        } catch {
            guard let number = try? members.decode(Int.self, forKey: key) else { throw error }
            return .integer(number)
        }
    }

    /// Returns the error for a tag that no case has. It names the tag and its value, and no other values.
    private func unknownTag(_ tag: Tag) -> DecodingError {
        let value =
            switch tag {
            // A server may have chosen a long text, or a single character of any length.
            case .text(let text): String(text.unicodeScalars.prefix(100)).debugDescription
            case .integer(let number): number.description
            }
        let name = union.tagName
        let problem = "the tag \(name.debugDescription) is \(value), which is not a case of \(union)"
        return .dataCorrupted(
            .init(codingPath: members.codingPath + [JSONKey.name(name)], debugDescription: problem))
    }
}

/// Decodes an object with a tag as if it had the format that the compiler's code for enums reads.
///
/// For that code, `{"kind": "cat", "name": "Tom"}` looks like `{"cat": {"_0": {"name": "Tom"}}}`, and
/// `{"kind": "fish", "age": 3}` like `{"fish": {"age": 3}}`.
struct CaseDecoder: Decoder {
    let object: TaggedObject

    var codingPath: [any CodingKey] { object.decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { object.decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(CaseContainer(object: object, key: try object.caseKey(type)))
    }

    // Only code that is written by hand asks for other containers. It gets those of the object.

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try object.decoder.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        try object.decoder.singleValueContainer()
    }
}

/// A container with one key, that of the case, whose value is an object with the case's values.
private struct CaseContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: TaggedObject
    let key: Key

    var codingPath: [any CodingKey] { object.members.codingPath }
    var allKeys: [Key] { [key] }

    func contains(_ key: Key) -> Bool { key.stringValue == self.key.stringValue }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let isUnknown = key.stringValue == object.union.unknownCase
        return KeyedDecodingContainer(CaseValueContainer(object: object, isUnknownCase: isUnknown))
    }

    // The compiler's code calls nothing else. Code that is written by hand gets the object.

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try object.decoder.singleValueContainer().decode(type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try object.decoder.unkeyedContainer()
    }

    func superDecoder() -> any Decoder { object.decoder }

    func superDecoder(forKey key: Key) -> any Decoder { object.decoder }
}

/// A container with the values of a case. The key of a value without a label, `_0`, stands for the whole object or for
/// its content; all other keys are members of the object.
private struct CaseValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: TaggedObject
    let isUnknownCase: Bool

    private var members: KeyedDecodingContainer<JSONKey> { object.members }

    var codingPath: [any CodingKey] { members.codingPath }
    var allKeys: [Key] { members.allKeys.compactMap { Key(stringValue: $0.stringValue) } }

    /// Where a value of the case is.
    private enum Location {
        case member(JSONKey)
        case wholeObject
    }

    /// Returns where the value with a key is: `.member("age")` for the label `age` and, for a value without a label,
    /// the member for the content, if the union has one, or the whole object.
    private func location(of key: Key) -> Location {
        guard key.isUnlabeledValue else { return .member(.name(key.stringValue)) }
        // An object of an unknown case is kept with its tag, so it is never taken out of an envelope.
        if isUnknownCase { return .wholeObject }
        if let contentName = object.union.contentName { return .member(.name(contentName)) }
        return .wholeObject
    }

    func contains(_ key: Key) -> Bool {
        switch location(of: key) {
        case .member(let member): members.contains(member)
        case .wholeObject: true
        }
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        switch location(of: key) {
        case .member(let member): try members.decodeNil(forKey: member)
        case .wholeObject: false
        }
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(type, key) }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }

    /// Decodes a value of the case: from the member that has it, or else from the whole object.
    private func value<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        if case .member(let member) = location(of: key) { return try members.decode(type, forKey: member) }
        guard let open = type as? any OpenObject.Type else {
            return try object.decoder.singleValueContainer().decode(type)
        }
        // The whole object has the tag as well, which must not become a member of the value.
        var keys = object.outerKeys
        if !isUnknownCase { keys.insert(object.union.tagName) }
        // The cast cannot fail, since `open` is the type `T`.
        return try open.init(from: object.decoder, besides: keys) as! T
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try members.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        switch location(of: key) {
        case .member(let member): try members.superDecoder(forKey: member)
        case .wholeObject: object.decoder
        }
    }
}

extension CodingKey {
    /// Whether the compiler's code for enums uses this key for the first value of a case, if that has no label.
    var isUnlabeledValue: Bool { stringValue == "_0" }
}
