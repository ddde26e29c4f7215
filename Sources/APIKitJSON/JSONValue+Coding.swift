extension JSONValue: Decodable {
    /// Reads any value. With `JSONReader`, numbers keep all of their digits, and members their order.
    ///
    /// - Throws: `DecodingError` for a value with more than 100 nested arrays and objects; that of the decoder.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            let reader = JSONValueReader(document: decoder.document, acceptsRepeatedNames: true)
            self = try reader.value(decoder.place)
            return
        }
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: JSONValueReader.depthMessage))
        }
        // Other decoders do not show the type of a value, so one type after the other is tried.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let number = Number(from: container) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(elements))
        } else {
            // Key strategies do not convert the names of a dictionary.
            let members = try container.decode([String: JSONValue].self)
            let sorted = members.sorted { $0.key < $1.key }
            self = .object(Object(sorted.map { (name: $0.key, value: $0.value) }))
        }
    }

    private static func elements(_ container: any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var container = container
        var elements: [JSONValue] = []
        while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
        return elements
    }
}

extension JSONValue.Number {
    /// Reads a number with a decoder that does not show its digits; nil if the value is not a number.
    fileprivate init?(from container: any SingleValueDecodingContainer) {
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self), let number = JSONValue.Number(value) {
            self = number
        } else {
            return nil
        }
    }
}

extension JSONValue: Encodable {
    /// Writes the value.
    ///
    /// A number is written with all of its digits if it is a 64-bit integer or has up to 38 digits, otherwise as the
    /// nearest Double.
    ///
    /// - Throws: `EncodingError` for a number that is too large for a Double; that of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let number): try number.encode(to: &container)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        // Key strategies do not convert the names of a dictionary.
        case .object(let members): try container.encode(members.dictionary)
        }
    }
}

extension JSONValue.Number {
    /// Writes the number as the first of these types that has all of its digits: Int64, UInt64, Decimal; otherwise as a
    /// Double.
    fileprivate func encode(to container: inout any SingleValueEncodingContainer) throws {
        if let value = Int64(description) {
            try container.encode(value)
        } else if let value = UInt64(description) {
            try container.encode(value)
        } else if let value = decimal {
            try container.encode(value)
        } else {
            try container.encode(double)
        }
    }
}

/// Reads any value of a document.
struct JSONValueReader {
    static let depthMessage = "there are more than \(JSONValue.maximumDepth) nested arrays and objects"

    let document: JSONDocument
    /// Whether an object may have several members of one name. Otherwise such an object is an error.
    let acceptsRepeatedNames: Bool

    /// Reads the value at a place.
    ///
    /// - Throws: `DecodingError` if too many arrays and objects are nested, or if a name is repeated that must not be.
    func value(_ place: JSONPlace) throws -> JSONValue {
        // A value that does not exist is treated as null.
        if place.isMissing { return .null }
        return try value(place, remainingDepth: JSONValue.maximumDepth)
    }

    /// Reads a value that may contain the given number of nested arrays and objects, including itself.
    private func value(_ place: JSONPlace, remainingDepth: Int) throws -> JSONValue {
        // The first byte of a value shows its type.
        switch document.kind(of: place) {
        case .quote: return .string(document.string(place.cell))
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        case .openingBracket, .openingBrace:
            if remainingDepth == 0 { throw document.corrupted(Self.depthMessage, place) }
            if document.isArray(place.cell) {
                return .array(try elements(of: place.cell, remainingDepth: remainingDepth - 1))
            }
            return .object(try object(place, remainingDepth: remainingDepth - 1))
        default: return .number(JSONValue.Number(digits: document.number(place.cell)))
        }
    }

    /// Reads the elements of an array.
    private func elements(of array: JSONCell, remainingDepth: Int) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        let contents = document.contents(of: array)
        var element = contents.lowerBound
        while element < contents.upperBound {
            let place = JSONPlace(element, in: array, index: elements.count)
            elements.append(try value(place, remainingDepth: remainingDepth))
            element = document.cell(after: element)
        }
        return elements
    }

    /// Reads the members of an object.
    private func object(_ place: JSONPlace, remainingDepth: Int) throws -> JSONValue.Object {
        // The names are as they are in the text, also in the coding paths of errors.
        document.recordDictionary(place.cell)
        var members: [JSONValue.Object.Member] = []
        for nameCell in document.names(of: place.cell) {
            // The cell of a name is followed by that of its value.
            let valuePlace = JSONPlace(nameCell + 1, in: place.cell)
            let value = try value(valuePlace, remainingDepth: remainingDepth)
            members.append((name: document.string(nameCell), value: value))
        }
        if !acceptsRepeatedNames, document.mayRepeatNames(place.cell) {
            // Names are compared by their bytes, since Swift considers the two spellings of é equal.
            let names = Set(members.map { Array($0.name.utf8) })
            if names.count < members.count { throw document.corrupted("a name is repeated", place) }
        }
        return JSONValue.Object(members)
    }
}

extension JSONValue {
    /// Reads a text (RFC 8259); nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        guard let document = try? JSONReader().document(data) else { return nil }
        let reader = JSONValueReader(document: document, acceptsRepeatedNames: false)
        guard let value = try? reader.value(.top) else { return nil }
        self = value
    }
}
