extension JSONDocument {
    /// Decodes a value.
    @inline(never)
    func value<T: Decodable>(_ type: T.Type, _ place: JSONPlace) throws -> T {
        // An optional of `T` would take longer than all of these.
        if type == String.self { return try text(place) as! T }
        if type == Int.self { return try integer(place) as Int as! T }
        if type == Double.self { return try floatingPoint(place) as! T }
        if type == Date.self { return try date(place) as! T }
        if type == URL.self { return try url(place) as! T }
        if type == Data.self { return try bytes(place) as! T }
        if type == Decimal.self { return try decimal(place) as! T }
        // Collections that would decode their values one by one through protocols. Whether a type is one takes long to
        // find out.
        if MemoryLayout<T>.size == MemoryLayout<[Int]>.size {
            switch kind(of: place) {
            case UInt8(ascii: "["):
                if type == [Double].self { return try array(place.cell, floatingPoint) as! T }
                if type == [String].self { return try array(place.cell, text) as! T }
                if type == [Int].self { return try array(place.cell) { place -> Int in try integer(place) } as! T }
                if let type = type as? any JSONList.Type { return try type.decoded(from: self, place.cell) as! T }
            case UInt8(ascii: "{"):
                if let type = type as? any JSONDictionary.Type {
                    return try type.decoded(from: self, place.cell) as! T
                }
            default: break
            }
        }
        // Not `T`, of which a class that is passed may be a subclass.
        return try type.init(from: JSONValueDecoder(document: self, place: place))
    }

    /// The values of an array.
    @inline(__always)
    fileprivate func array<Value>(_ cell: Int, _ value: (JSONPlace) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(countedValues(of: cell))
        let contents = contents(of: cell)
        var next = contents.lowerBound
        while next < contents.upperBound {
            values.append(try value(JSONPlace(next, in: cell, index: values.count)))
            next = self.cell(after: next)
        }
        return values
    }

    @inline(__always)
    func text(_ place: JSONPlace) throws -> String {
        guard kind(of: place) == UInt8(ascii: "\"") else { throw mismatch(String.self, place) }
        return string(place.cell)
    }

    func bool(_ place: JSONPlace) throws -> Bool {
        switch kind(of: place) {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw mismatch(Bool.self, place)
        }
    }

    private func date(_ place: JSONPlace) throws -> Date {
        if isNull(place) { throw mismatch(Date.self, place) }
        switch reader.dates {
        case .rfc3339:
            guard kind(of: place) == UInt8(ascii: "\"") else { throw mismatch(Date.self, place) }
            guard let date = ISO8601.date(string(place.cell)) else {
                throw corrupted("expected a date and time with an offset, such as 2026-11-20T18:30:00Z", place)
            }
            return date
        case .secondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(place) / 1000)
        case .deferredToDate: return try Date(from: JSONValueDecoder(document: self, place: place))
        case .custom(let decode): return try decode(JSONValueDecoder(document: self, place: place))
        }
    }

    private func bytes(_ place: JSONPlace) throws -> Data {
        if isNull(place) { throw mismatch(Data.self, place) }
        let decoder = JSONValueDecoder(document: self, place: place)
        if case .custom(let decode) = reader.data { return try decode(decoder) }
        if case .deferredToData = reader.data { return try Data(from: decoder) }
        guard let data = Data(base64Encoded: try text(place)) else { throw corrupted("expected Base64", place) }
        return data
    }

    private func url(_ place: JSONPlace) throws -> URL {
        if isNull(place) { throw mismatch(URL.self, place) }
        guard let url = URL(string: try text(place)) else { throw corrupted("expected a URL", place) }
        return url
    }

    // MARK: - Errors

    /// The error of a value that is not of a type. Its text is constant, since a model that tries one type after
    /// another asks for no text; the type and the path are in the error.
    @inline(never)
    func mismatch(_ type: Any.Type, _ place: JSONPlace) -> DecodingError {
        let found =
            switch kind(of: place) {
            case UInt8(ascii: "\""): "The value is a string."
            case UInt8(ascii: "{"): "The value is an object."
            case UInt8(ascii: "["): "The value is an array."
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "The value is a boolean."
            case UInt8(ascii: "n"): "The value is null."
            default: "The value is a number."
            }
        let context = DecodingError.Context(codingPath: path(to: place), debugDescription: found)
        return isNull(place) && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error of a number that does not fit a type. ``completed(_:)`` adds both to its text.
    @inline(never)
    func notRepresentable(_ type: Any.Type, _ place: JSONPlace) -> DecodingError {
        unfitting = (place, type)
        return corrupted(Self.unfittingText, place)
    }

    private static let unfittingText = "The number does not fit the type."

    /// An error that decoding the whole text ends with: if it is that of a number, with the number and the type.
    func completed(_ error: DecodingError) -> DecodingError {
        guard case .dataCorrupted(let context) = error, context.debugDescription == Self.unfittingText,
            let (place, type) = unfitting,
            path(to: place).map(\.stringValue) == context.codingPath.map(\.stringValue)
        else { return error }
        return corrupted("the number \(number(place.cell)) does not fit \(type)", place)
    }

    @inline(never)
    func corrupted(_ problem: String, _ place: JSONPlace) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: place), debugDescription: problem))
    }
}

/// An array, whose values are decoded without its own `init(from:)`.
protocol JSONList {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self
}

extension Array: JSONList where Element: Decodable {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self {
        try document.array(cell) { try document.value(Element.self, $0) }
    }
}
