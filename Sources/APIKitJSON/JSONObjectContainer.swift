/// Decodes the members of an object by their names.
///
/// The compiler copies a container for each member, so a container holds a single reference.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject

    private var document: JSONDocument { object.document }

    init(_ document: JSONDocument, _ cell: JSONCell) {
        object = JSONObject(document, cell)
    }

    var codingPath: [any CodingKey] { document.path(toContainer: object.cell) }

    /// The keys in the order of the text, without repetitions.
    var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    /// The place of a member's value; nil if there is no such member.
    @inline(__always)
    private func member(_ key: some CodingKey) -> JSONPlace? { object.member(key.stringValue) }

    /// Returns the place of a member's value, which has to exist.
    @inline(__always)
    private func requiredMember(_ key: Key) throws -> JSONPlace {
        if let place = member(key) { return place }
        throw missing(key)
    }

    /// Returns the error for a member that does not exist.
    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "There is no member of this name."))
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try requiredMember(key)) }

    // MARK: - Decoding members

    // Callers pass closures such as `{ try object.document.bool($0) }`, not method references such as `document.bool`.
    // A method reference would retain the document for each member.

    /// Decodes a member that has to exist. The search for the next member then begins after it.
    @inline(__always)
    private func decodeMember<Value>(_ key: Key, _ decode: (JSONPlace) throws -> Value) throws -> Value {
        let place = try requiredMember(key)
        return try decodeAndAdvance(place, decode)
    }

    /// Decodes a member; nil if it is null or does not exist. The search for the next member then begins after it.
    @inline(__always)
    private func decodeMemberIfPresent<Value>(
        _ key: Key, _ decode: (JSONPlace) throws -> Value
    ) throws -> Value? {
        guard let place = member(key) else { return nil }
        if object.document.isNull(place) {
            object.expectMember(after: place)
            return nil
        }
        return try decodeAndAdvance(place, decode)
    }

    /// Decodes the value at a place, and lets the search for the next member begin after it.
    @inline(__always)
    private func decodeAndAdvance<Value>(
        _ place: JSONPlace, _ decode: (JSONPlace) throws -> Value
    ) throws -> Value {
        let value = try decode(place)
        object.expectMember(after: place)
        return value
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
        try decodeMember(key) { try object.document.integer($0) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decodeMember(key) { try object.document.bool($0) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if let text = try object.text(key.stringValue) { return text }
        throw missing(key)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decodeMember(key) { try object.document.floatingPoint($0) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decodeMember(key) { try object.document.float($0) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decodeMember(key) { try object.document.value(type, $0) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try decodeMemberIfPresent(key) { try object.document.value(type, $0) }
    }

    // The default implementation of `decodeIfPresent` looks a key up three times. The types that models use most have
    // an implementation that looks it up once.

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try decodeMemberIfPresent(key) { try object.document.text($0) }
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try decodeMemberIfPresent(key) { try object.document.bool($0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try decodeMemberIfPresent(key) { try object.document.integer($0) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try decodeMemberIfPresent(key) { try object.document.floatingPoint($0) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try JSONValueDecoder(document: document, place: requiredMember(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONValueDecoder(document: document, place: requiredMember(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: JSONKey.name("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

    /// Returns a decoder for a member; if there is none, one that decodes null.
    private func superDecoder(named key: some CodingKey) -> any Decoder {
        if let place = member(key) { return JSONValueDecoder(document: document, place: place) }
        return JSONValueDecoder(document: document, place: document.missingPlace(at: codingPath + [key]))
    }
}
