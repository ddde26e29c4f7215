/// Decodes one value of a document: a model's `init(from:)` asks for its members, its elements, or the value itself.
///
/// A decoder has less than three words. An `any Decoder` stores that inline, without an allocation.
struct JSONValueDecoder: Decoder {
    let document: JSONDocument
    let place: JSONPlace

    var codingPath: [any CodingKey] { document.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { document.reader.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.kind(of: place) == .openingBrace else { throw document.mismatch([String: Any].self, place) }
        return KeyedDecodingContainer(JSONObjectContainer(document, place.cell))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.kind(of: place) == .openingBracket else { throw document.mismatch([Any].self, place) }
        return JSONArrayContainer(document, place.cell)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNull(place) }
    func decode(_ type: Bool.Type) throws -> Bool { try document.bool(place) }
    func decode(_ type: String.Type) throws -> String { try document.text(place) }
    func decode(_ type: Double.Type) throws -> Double { try document.floatingPoint(place) }
    func decode(_ type: Float.Type) throws -> Float { try document.float(place) }
    func decode(_ type: Int.Type) throws -> Int { try document.integer(place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(place) }
    func decode(_ type: UInt.Type) throws -> UInt { try document.integer(place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(place) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try document.longInteger(place) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.longInteger(place) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.value(type, place) }
}

extension Decoder {
    /// Decodes a value with a tag or with additional properties.
    ///
    /// Each such value takes about 2 KB of the stack in a release build, and 8 KB in a debug build: far more than other
    /// models. A thread may have no more than 512 KB, so the number of those inside one another is limited. For other
    /// decoders than `JSONReader`, which cannot count them, all arrays and objects around the value count.
    ///
    /// - Throws: `DecodingError` if the value is inside 100 others; what `decode` throws.
    func decodeNestedModel<Model>(_ decode: () throws -> Model) throws -> Model {
        // Its caller has counted the value.
        if self is KeyRecordingDecoder { return try decode() }
        guard let document = (self as? JSONValueDecoder)?.document else {
            if codingPath.count >= JSONValue.maximumDepth { throw tooManyNestedModels }
            return try decode()
        }
        if document.nestedModelCount >= JSONValue.maximumDepth { throw tooManyNestedModels }
        document.nestedModelCount += 1
        defer { document.nestedModelCount -= 1 }
        return try decode()
    }

    private var tooManyNestedModels: DecodingError {
        let limit = JSONValue.maximumDepth
        let problem = "there are more than \(limit) nested values with a tag or with additional properties"
        return .dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
    }
}
