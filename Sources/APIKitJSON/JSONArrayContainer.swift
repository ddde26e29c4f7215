/// Decodes the elements of an array, one after another.
///
/// A container has three words. An `any UnkeyedDecodingContainer` stores that inline, without an allocation.
struct JSONArrayContainer: UnkeyedDecodingContainer {
    private let document: JSONDocument
    /// The cell of the array.
    private let array: UInt32
    /// The cell of the next element.
    private var next: UInt32
    /// The cell after the last element.
    private let end: UInt32
    /// The index of the next element.
    private var index: UInt32 = 0

    init(_ document: JSONDocument, _ cell: JSONCell) {
        self.document = document
        array = UInt32(cell)
        let contents = document.contents(of: cell)
        next = UInt32(contents.lowerBound)
        end = UInt32(contents.upperBound)
    }

    var codingPath: [any CodingKey] { document.path(toContainer: Int(array)) }
    var isAtEnd: Bool { next >= end }
    var currentIndex: Int { Int(index) }
    var count: Int? { document.count(of: Int(array)) }

    /// The place of the next element.
    private var place: JSONPlace { JSONPlace(Int(next), in: Int(array), index: currentIndex) }

    /// Decodes the next element and advances. If decoding fails, the container stays at the element, so that another
    /// type can be tried.
    @inline(__always)
    private mutating func take<Value>(_ type: Any.Type, _ decode: (JSONPlace) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw atEnd(type) }
        let value = try decode(place)
        advance()
        return value
    }

    @inline(__always)
    private mutating func advance() {
        next = UInt32(document.cell(after: Int(next)))
        index += 1
    }

    /// Returns the error for a value that was expected after the last element.
    private func atEnd(_ type: Any.Type) -> DecodingError {
        let path = codingPath + [JSONKey.index(currentIndex)]
        return .valueNotFound(type, .init(codingPath: path, debugDescription: "The array is at its end."))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw atEnd(Never.self) }
        // As the protocol demands, the container only advances if the element is null.
        guard document.isNull(place) else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type, document.bool) }
    mutating func decode(_ type: String.Type) throws -> String { try take(type, document.text) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type, document.floatingPoint) }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type, document.float) }
    mutating func decode(_ type: Int.Type) throws -> Int { try take(type, document.integer) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try take(type, document.integer) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try take(type, document.integer) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try take(type, document.integer) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try take(type, document.integer) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try take(type, document.integer) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take(type, document.integer) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take(type, document.integer) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take(type, document.integer) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take(type, document.integer) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try take(type, document.longInteger) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try take(type, document.longInteger) }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard !isAtEnd else { throw atEnd(type) }
        let value = try document.value(type, place)
        advance()
        return value
    }

    // The default implementation decodes a `T`. If `T` is a class, `type` may be one of its subclasses.
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        if isAtEnd { return nil }
        if try decodeNil() { return nil }
        return try decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try take(KeyedDecodingContainer<NestedKey>.self) { [document] place in
            try JSONValueDecoder(document: document, place: place).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) { [document] place in
            try JSONValueDecoder(document: document, place: place).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { [document] in JSONValueDecoder(document: document, place: $0) }
    }
}
