/// Decodes the members of an object by their names.
///
/// It is copied for each member, so it has one reference.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: JSONDocument
    private let object: Int
    /// The number of the index; nil if the names are compared one by one.
    private let index: Int?

    init(_ document: JSONDocument, _ cell: Int) {
        self.document = document
        object = cell
        index = document.searchedMembers(of: cell) == nil ? document.addIndex(of: cell) : nil
    }

    var codingPath: [any CodingKey] { document.path(toContainer: object) }

    var allKeys: [Key] {
        let names = document.names(of: object)
        guard let index = index.map({ document.indexes[$0] }) else {
            return names.compactMap { Key(stringValue: document.key($0, in: object)) }
        }
        // Without names that are repeated.
        return names.compactMap { name in
            let key = document.key(name, in: object)
            return index.name(key, in: document) == name ? Key(stringValue: key) : nil
        }
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    /// The value of a member; nil if there is none.
    @inline(__always)
    private func member(_ key: some CodingKey) -> JSONPlace? {
        let name: Int? =
            if let index {
                document.indexes[index].name(key.stringValue, in: document)
            } else {
                document.name(key.stringValue, in: object)
            }
        return name.map { JSONPlace($0 + 1, in: object) }
    }

    @inline(__always)
    private func place(of key: Key) throws -> JSONPlace {
        if let place = member(key) { return place }
        throw missing(key)
    }

    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "There is no member of this name."))
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try place(of: key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(place(of: key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.text(place(of: key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.floatingPoint(place(of: key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(place(of: key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.integer(place(of: key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try document.integer(place(of: key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try document.integer(place(of: key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try document.integer(place(of: key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try document.integer(place(of: key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try document.integer(place(of: key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try document.integer(place(of: key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try document.integer(place(of: key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try document.integer(place(of: key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try document.integer(place(of: key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try document.integer(place(of: key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try document.integer(place(of: key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let place = try place(of: key)
        let value = try document.value(type, place)
        document.lastFound = (object, place.cell - 1)
        return value
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let place = member(key), !document.isNull(place) else { return nil }
        let value = try document.value(type, place)
        document.lastFound = (object, place.cell - 1)
        return value
    }

    // These are the most frequent ones; the others look a key up three times.

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try valueIfPresent(key, document.text)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try valueIfPresent(key, document.bool) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try valueIfPresent(key, document.integer) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try valueIfPresent(key, document.floatingPoint)
    }

    @inline(__always)
    private func valueIfPresent<Value>(_ key: Key, _ value: (JSONPlace) throws -> Value) throws -> Value? {
        guard let place = member(key), !document.isNull(place) else { return nil }
        return try value(place)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try JSONValueDecoder(document: document, place: place(of: key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONValueDecoder(document: document, place: place(of: key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: JSONKey.name("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

    private func superDecoder(named key: some CodingKey) -> any Decoder {
        JSONValueDecoder(
            document: document, place: member(key) ?? document.missingPlace(at: codingPath + [key]))
    }
}
