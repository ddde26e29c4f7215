/// Decodes the members of an object by their names.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: JSONDocument
    private let object: Int
    /// Of an object with many members, or some whose bytes are not those of the keys.
    private let index: JSONNameIndex?

    init(_ document: JSONDocument, _ cell: Int) {
        self.document = document
        object = cell
        index = document.needsIndex(cell) ? JSONNameIndex(document, cell) : nil
    }

    var codingPath: [any CodingKey] { document.path(to: object) }

    var allKeys: [Key] {
        let names = document.names(of: object)
        guard let index else { return names.compactMap { Key(stringValue: document.key($0, in: object)) } }
        // Without names that are repeated.
        return names.compactMap { name in
            let key = document.key(name, in: object)
            return index.name(key) == name ? Key(stringValue: key) : nil
        }
    }

    func contains(_ key: Key) -> Bool { cell(of: key) != nil }

    @inline(__always)
    private func cell(of key: some CodingKey) -> Int? {
        guard let index else { return document.member(of: object, named: key.stringValue) }
        return index.name(key.stringValue).map { $0 + 1 }
    }

    @inline(__always)
    private func value(of key: Key) throws -> Int {
        if let cell = cell(of: key) { return cell }
        throw DecodingError.keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "There is no member \"\(key.stringValue)\"."))
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try value(of: key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try document.bool(value(of: key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try document.text(value(of: key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try document.floatingPoint(value(of: key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try document.float(value(of: key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try document.integer(value(of: key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try document.integer(value(of: key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try document.integer(value(of: key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try document.integer(value(of: key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try document.integer(value(of: key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try document.integer(value(of: key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try document.integer(value(of: key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try document.integer(value(of: key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try document.integer(value(of: key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try document.integer(value(of: key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try document.integer(value(of: key)) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try document.integer(value(of: key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let cell = try value(of: key)
        let value = try document.value(type, cell)
        document.lastFound = (object, cell - 1)
        return value
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let cell = cell(of: key), !document.isNull(cell) else { return nil }
        let value = try document.value(type, cell)
        document.lastFound = (object, cell - 1)
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
    private func valueIfPresent<Value>(_ key: Key, _ value: (Int) throws -> Value) throws -> Value? {
        guard let cell = cell(of: key), !document.isNull(cell) else { return nil }
        return try value(cell)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try JSONValueDecoder(document: document, cell: value(of: key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONValueDecoder(document: document, cell: value(of: key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(named: JSONKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

    private func superDecoder(named key: some CodingKey) -> any Decoder {
        JSONValueDecoder(document: document, cell: cell(of: key) ?? document.missingCell(at: codingPath + [key]))
    }
}

extension JSONDocument {
    /// How many members are searched one by one.
    private static let maximumSearched = 32

    /// The cells of an object's names.
    func names(of object: Int) -> [Int] {
        let contents = contents(of: object)
        var (names, name): ([Int], Int) = ([], contents.lowerBound)
        while name < contents.upperBound {
            names.append(name)
            name = cell(after: name + 1)
        }
        return names
    }

    /// Whether the members of an object are found by an index: if they are many, or if a name may be there twice or needs
    /// to be converted in a way that is not seen from its bytes.
    func needsIndex(_ object: Int) -> Bool {
        if case .custom = reader.keys { return true }
        let contents = contents(of: object)
        var (name, count, seen) = (contents.lowerBound, 0, UInt64(0))
        while name < contents.upperBound {
            count += 1
            guard !isEscaped(name), count <= Self.maximumSearched, let hash = hash(of: name) else { return true }
            let bit = UInt64(1) << hash
            if seen & bit != 0, isRepeated(name, in: object) { return true }
            seen |= bit
            name = cell(after: name + 1)
        }
        return false
    }

    /// A number that names have in common if they are converted to the same key; nil if that is not seen from their
    /// bytes.
    private func hash(of name: Int) -> UInt64? {
        let first = start(of: name) + 1
        if reader.keys.isDefault { return text.prefixBeforeQuote(from: first).times(0x9E37_79B9_7F4A_7C15) >> 58 }
        var (hash, index) = (UInt64(0), first)
        while text[index] != UInt8(ascii: "\"") {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "_") { continue }
            guard byte.isLowercase || byte.isDigit else { return nil }
            hash = (hash ^ UInt64(byte)).times(0x9E37_79B9_7F4A_7C15)
        }
        return hash >> 58
    }

    /// Whether an earlier member of an object may be converted to the same key.
    private func isRepeated(_ name: Int, in object: Int) -> Bool {
        let string = Array(self.string(name).utf8).filter { reader.keys.isDefault || $0 != UInt8(ascii: "_") }
        var other = contents(of: object).lowerBound
        while other < name {
            let otherString = self.string(other).utf8.lazy.filter { [reader] in
                reader.keys.isDefault || $0 != UInt8(ascii: "_")
            }
            if string.elementsEqual(otherString) { return true }
            other = cell(after: other + 1)
        }
        return false
    }

    /// A name as a coding key spells it.
    func key(_ name: Int, in object: Int) -> String {
        reader.keys.converted(string(name), path(to: object))
    }

    /// The cell of the value of a member. The search begins where it ended last, since models and texts mostly have the
    /// same order.
    @inline(__always)
    func member(of object: Int, named key: String) -> Int? {
        var key = key
        return key.withUTF8 { key in
            let contents = contents(of: object)
            let start = lastFound.object == object ? lastFound.name : contents.lowerBound
            var name = start
            while name < contents.upperBound {
                if isName(key, name) { return found(name, in: object) }
                name = cell(after: name + 1)
            }
            name = contents.lowerBound
            while name < start {
                if isName(key, name) { return found(name, in: object) }
                name = cell(after: name + 1)
            }
            return nil
        }
    }

    @inline(__always)
    private func found(_ name: Int, in object: Int) -> Int {
        lastFound = (object, name)
        return name + 1
    }

    @inline(__always)
    func isName(_ key: UnsafeBufferPointer<UInt8>, _ name: Int) -> Bool {
        let first = start(of: name) + 1
        guard reader.keys.isDefault else { return isSnakeCase(key, first) }
        return text.hasText(key, at: first) && text[first + key.count] == UInt8(ascii: "\"")
    }

    /// Whether a name of small letters, digits and underscores becomes a key if its words are joined in camel case.
    private func isSnakeCase(_ key: UnsafeBufferPointer<UInt8>, _ first: Int) -> Bool {
        let underscore = UInt8(ascii: "_")
        var (index, offset) = (first, 0)
        func take(_ byte: UInt8) -> Bool {
            guard offset < key.count, key[offset] == byte else { return false }
            offset += 1
            return true
        }
        while text[index] == underscore {
            guard take(underscore) else { return false }
            index += 1
        }
        // In later words, a letter that does not follow another one becomes a capital.
        var (isLaterWord, isAfterLetter) = (false, false)
        while text[index] != UInt8(ascii: "\"") {
            var next = index
            while text[next] == underscore { next += 1 }
            if text[next] == UInt8(ascii: "\"") {
                // Underscores at the end are kept.
                while index < next, take(underscore) { index += 1 }
                break
            }
            if next > index { (isLaterWord, isAfterLetter) = (true, false) }
            let byte = text[next]
            guard take(isLaterWord && !isAfterLetter && byte.isLowercase ? byte - 0x20 : byte) else { return false }
            isAfterLetter = byte.isLowercase
            index = next + 1
        }
        return text[index] == UInt8(ascii: "\"") && offset == key.count
    }
}

extension UInt8 {
    /// Whether the byte is a small letter of ASCII.
    @inline(__always)
    fileprivate var isLowercase: Bool { self &- UInt8(ascii: "a") < 26 }
}
