/// Decodes the members of an object by their names.
///
/// The compiler copies a container for each member, so a container holds a single reference.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: JSONObject

    init(_ document: JSONDocument, _ cell: JSONCell) {
        object = JSONObject(document, cell)
    }

    var codingPath: [any CodingKey] { object.document.path(toContainer: object.cell) }

    /// The keys in the order of the text, without repetitions.
    var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { object.member(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let place = object.member(key.stringValue) else { throw missing(key) }
        return object.document.isNull(place)
    }

    /// Returns the error for a member that does not exist.
    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "There is no member of this name."))
    }

    // MARK: - Decoding members

    /// Finds the value of a member, which has to exist. The search for the next member begins after it.
    @inline(__always)
    private func place(_ key: Key) throws -> JSONPlace {
        if let place = object.nextMember(key.stringValue) { return place }
        throw missing(key)
    }

    /// Finds the value of a member; nil if it is null or does not exist. The search for the next member begins after
    /// it.
    @inline(__always)
    private func placeIfPresent(_ key: Key) -> JSONPlace? {
        guard let place = object.nextMember(key.stringValue) else { return nil }
        return object.document.isNull(place) ? nil : place
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try object.document.bool(place(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try object.document.text(place(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try object.document.floatingPoint(place(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try object.document.float(place(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try object.document.integer(place(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try object.document.integer(place(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try object.document.integer(place(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try object.document.integer(place(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try object.document.integer(place(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try object.document.integer(place(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try object.document.integer(place(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try object.document.integer(place(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try object.document.integer(place(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try object.document.integer(place(key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try object.document.longInteger(place(key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try object.document.longInteger(place(key)) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try object.document.value(type, place(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let place = placeIfPresent(key) else { return nil }
        return try object.document.value(type, place)
    }

    // The default implementation of `decodeIfPresent` looks a key up three times. The types that models use most have
    // an implementation that looks it up once.

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let place = placeIfPresent(key) else { return nil }
        return try object.document.text(place)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let place = placeIfPresent(key) else { return nil }
        return try object.document.bool(place)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let place = placeIfPresent(key) else { return nil }
        return try object.document.integer(place)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let place = placeIfPresent(key) else { return nil }
        return try object.document.floatingPoint(place)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    /// Returns a decoder for a member, which has to exist.
    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        JSONValueDecoder(document: object.document, place: try place(key))
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: JSONKey.name("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

    /// Returns a decoder for a member; if there is none, one that decodes null.
    private func superDecoder(named key: some CodingKey) -> any Decoder {
        let document = object.document
        let place = object.member(key.stringValue) ?? document.missingPlace(at: codingPath + [key])
        return JSONValueDecoder(document: document, place: place)
    }
}
