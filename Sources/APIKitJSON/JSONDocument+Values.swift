extension JSONDocument {
    /// Decodes a value.
    ///
    /// Types whose format depends on the decoder or that it decodes faster than their own `init(from:)` come first. The
    /// forced casts cannot fail, since each of them follows a comparison of `T` with the type. The comparisons are not
    /// in a function of their own: returning an optional `T` would take longer than all of them.
    @inline(never)
    func value<T: Decodable>(_ type: T.Type, _ place: JSONPlace) throws -> T {
        if type == String.self { return try text(place) as! T }
        if type == Int.self { return try integer(place) as Int as! T }
        if type == Double.self { return try floatingPoint(place) as! T }
        if type == Date.self { return try date(place) as! T }
        if type == URL.self { return try url(place) as! T }
        if type == Data.self { return try bytes(place) as! T }
        if type == Decimal.self { return try decimal(place) as! T }
        // The standard library's arrays and dictionaries decode their values one by one through protocols, which is
        // slow. Both have the size of a pointer, and comparing sizes first is faster than casting every type.
        if MemoryLayout<T>.size == MemoryLayout<[Int]>.size {
            switch kind(of: place) {
            case .openingBracket:
                // Without the cast to `JSONList`, the three most frequent arrays take a fifth less time.
                if type == [Double].self { return try array(place.cell, floatingPoint) as! T }
                if type == [String].self { return try array(place.cell, text) as! T }
                if type == [Int].self { return try array(place.cell) { try integer($0) as Int } as! T }
                if let list = type as? any JSONList.Type { return try list.decoded(from: self, place.cell) as! T }
            case .openingBrace:
                if let dictionary = type as? any JSONDictionary.Type {
                    return try dictionary.decoded(from: self, place.cell) as! T
                }
            default:
                break
            }
        }
        // `T` may be a class, and `type` one of its subclasses, whose initializer is the right one.
        return try type.init(from: JSONValueDecoder(document: self, place: place))
    }

    /// Decodes the elements of an array.
    @inline(__always)
    fileprivate func array<Value>(_ cell: JSONCell, _ decode: (JSONPlace) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(countedValues(of: cell))
        let contents = contents(of: cell)
        var next = contents.lowerBound
        while next < contents.upperBound {
            values.append(try decode(JSONPlace(next, in: cell, index: values.count)))
            next = self.cell(after: next)
        }
        return values
    }

    // MARK: - Single values

    @inline(__always)
    func text(_ place: JSONPlace) throws -> String {
        guard kind(of: place) == .quote else { throw mismatch(String.self, place) }
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
        case .rfc3339: return try internetDate(place)
        case .secondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(place) / 1000)
        case .deferredToDate: return try Date(from: JSONValueDecoder(document: self, place: place))
        case .custom(let decode): return try decode(JSONValueDecoder(document: self, place: place))
        }
    }

    /// Decodes a date and time in the format of RFC 3339.
    private func internetDate(_ place: JSONPlace) throws -> Date {
        guard kind(of: place) == .quote else { throw mismatch(Date.self, place) }
        guard let date = ISO8601.date(string(place.cell)) else {
            throw corrupted("expected a date and time with an offset, such as 2026-11-20T18:30:00Z", place)
        }
        return date
    }

    private func bytes(_ place: JSONPlace) throws -> Data {
        if isNull(place) { throw mismatch(Data.self, place) }
        let decoder = JSONValueDecoder(document: self, place: place)
        switch reader.data {
        case .custom(let decode): return try decode(decoder)
        case .deferredToData: return try Data(from: decoder)
        default:
            guard let data = Data(base64Encoded: try text(place)) else { throw corrupted("expected Base64", place) }
            return data
        }
    }

    private func url(_ place: JSONPlace) throws -> URL {
        if isNull(place) { throw mismatch(URL.self, place) }
        guard let url = URL(string: try text(place)) else { throw corrupted("expected a URL", place) }
        return url
    }

    // MARK: - Errors

    /// The error for a value of another type.
    ///
    /// The text is constant, which saves time: a model that tries several types for a value discards most of these
    /// errors. The type and the path are in the error itself.
    @inline(never)
    func mismatch(_ type: Any.Type, _ place: JSONPlace) -> DecodingError {
        let found =
            switch kind(of: place) {
            case .quote: "The value is a string."
            case .openingBrace: "The value is an object."
            case .openingBracket: "The value is an array."
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "The value is a boolean."
            case UInt8(ascii: "n"): "The value is null."
            default: "The value is a number."
            }
        let context = DecodingError.Context(codingPath: path(to: place), debugDescription: found)
        // As with `JSONDecoder`, null in place of a boolean is a mismatch of types, not a missing value.
        if isNull(place), type != Bool.self { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    @inline(never)
    func corrupted(_ problem: String, _ place: JSONPlace) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: place), debugDescription: problem))
    }

    /// The error for a number that a type cannot represent.
    ///
    /// The text is constant for the same reason as in ``mismatch(_:_:)``. The number is recorded, so that
    /// ``completed(_:)`` can add it and the type to an error that a caller gets to see.
    @inline(never)
    func notRepresentable(_ type: Any.Type, _ place: JSONPlace) -> DecodingError {
        unfittingNumber = UnfittingNumber(place: place, type: type)
        return corrupted(Self.unfittingText, place)
    }

    private static let unfittingText = "The number does not fit the type."

    /// The error to throw if decoding the whole text fails: an error of ``notRepresentable(_:_:)`` gets a text with the
    /// number and the type, any other error is returned as it is.
    func completed(_ error: DecodingError) -> DecodingError {
        guard case .dataCorrupted(let context) = error, context.debugDescription == Self.unfittingText,
            let unfittingNumber
        else { return error }
        let place = unfittingNumber.place
        // Only the last number is recorded. A model may have kept the error of an earlier one and thrown it later.
        let isErrorOfNumber = path(to: place).map(\.stringValue) == context.codingPath.map(\.stringValue)
        guard isErrorOfNumber else { return error }
        return corrupted("the number \(number(place.cell)) does not fit \(unfittingNumber.type)", place)
    }
}

/// An array. Its elements are decoded without the array's own `init(from:)`, which is slower.
protocol JSONList {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self
}

extension Array: JSONList where Element: Decodable {
    static func decoded(from document: JSONDocument, _ cell: JSONCell) throws -> Self {
        try document.array(cell) { try document.value(Element.self, $0) }
    }
}
