extension JSONDocument {
    /// Decodes a value of any type: single values of known types by their own functions, arrays and dictionaries
    /// element by element, and all other types by their `init(from:)`.
    ///
    /// Known types are those whose format depends on the reader, such as `Date`, and those that are decoded faster here
    /// than by their `init(from:)`. The forced casts cannot fail, since each of them follows a comparison of `T` with
    /// the type. All of this is one function, since returning an optional `T` from another one would take longer than
    /// the comparisons.
    @inline(never)
    func value<T: Decodable>(_ type: T.Type, _ place: JSONPlace) throws -> T {
        // Single values.
        if type == String.self { return try text(place) as! T }
        if type == Int.self { return try integer(place) as Int as! T }
        if type == Double.self { return try floatingPoint(place) as! T }
        if type == Date.self { return try date(place) as! T }
        if type == URL.self { return try url(place) as! T }
        if type == Data.self { return try bytes(place) as! T }
        if type == Decimal.self { return try decimal(place) as! T }
        // Arrays and dictionaries have the size of a pointer. Comparing sizes first is faster than casting all types.
        let mayBeArrayOrDictionary = MemoryLayout<T>.size == MemoryLayout<[Int]>.size
        if mayBeArrayOrDictionary {
            switch kind(of: place) {
            case .openingBracket:
                // The `init(from:)` of an array takes about 500 instructions for each element, so the three most
                // frequent arrays are decoded here. To recognize all others, a cast to a protocol would be needed. The
                // first cast of each type in a process takes longer than decoding most lists.
                if type == [Double].self { return try array(place.cell, floatingPoint) as! T }
                if type == [String].self { return try array(place.cell, text) as! T }
                if type == [Int].self { return try array(place.cell) { try integer($0) as Int } as! T }
            case .openingBrace:
                if let dictionary = type as? any JSONDictionary.Type {
                    return try dictionary.decoded(from: self, place.cell) as! T
                }
            default:
                break
            }
        }
        // All other types. `T` may be a class, and `type` one of its subclasses, whose initializer is the right one.
        return try type.init(from: JSONValueDecoder(document: self, place: place))
    }

    /// Decodes the elements of an array with a closure, which gets the place of each element: where it is in the
    /// document. Each element is a string or a number, which has one cell; for any other one, the closure throws.
    @inline(__always)
    private func array<Element>(_ array: JSONCell, _ decode: (JSONPlace) throws -> Element) throws -> [Element] {
        let contents = contents(of: array)
        var elements: [Element] = []
        elements.reserveCapacity(contents.upperBound - contents.lowerBound)
        var element = contents.lowerBound
        while element < contents.upperBound {
            elements.append(try decode(JSONPlace(element, in: array, index: elements.count)))
            element += 1
        }
        return elements
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

    /// Decodes a date in the reader's format.
    private func date(_ place: JSONPlace) throws -> Date {
        // The error for null names `Date`, not the number or string that a format expects, and a custom function does
        // not get null.
        if isNull(place) { throw mismatch(Date.self, place) }
        switch reader.dates {
        case .rfc3339: return try internetDate(place)
        case .httpDate: return try httpDate(place)
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

    /// Decodes a date in a format of HTTP.
    private func httpDate(_ place: JSONPlace) throws -> Date {
        guard kind(of: place) == .quote else { throw mismatch(Date.self, place) }
        guard let date = Date(httpDate: string(place.cell)) else {
            throw corrupted("expected an HTTP date, such as Sun, 06 Nov 1994 08:49:37 GMT", place)
        }
        return date
    }

    /// Decodes bytes in the reader's format.
    private func bytes(_ place: JSONPlace) throws -> Data {
        // As for dates, the error for null names `Data`, and a custom function does not get null.
        if isNull(place) { throw mismatch(Data.self, place) }
        switch reader.data {
        case .deferredToData: return try Data(from: JSONValueDecoder(document: self, place: place))
        case .custom(let decode): return try decode(JSONValueDecoder(document: self, place: place))
        // `.base64`. Foundation may add strategies on Apple platforms, so the compiler asks for a default there.
        default: return try base64(place)
        }
    }

    private func base64(_ place: JSONPlace) throws -> Data {
        guard let data = Data(base64Encoded: try text(place)) else { throw corrupted("expected Base64", place) }
        return data
    }

    private func url(_ place: JSONPlace) throws -> URL {
        if isNull(place) { throw mismatch(URL.self, place) }
        guard let url = URL(string: try text(place)) else { throw corrupted("expected a URL", place) }
        return url
    }

    // MARK: - Errors

    /// Returns the error for a value of another type than the expected one.
    ///
    /// Its text is one of six literals, which takes less time than a text with the type or the value: a model that
    /// tries several types for a value discards most of these errors. The type and the path are in the error itself.
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
        // As with `JSONDecoder`, null counts as a missing value, except where a boolean is expected.
        if isNull(place), type != Bool.self { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }

    @inline(never)
    func corrupted(_ problem: String, _ place: JSONPlace) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: place), debugDescription: problem))
    }

    /// Returns the error for a number that a type cannot represent, and records the number.
    ///
    /// The text is a literal, since a model that tries several types discards most of these errors. If the error ends
    /// the decoding of the whole text, ``errorNamingNumber(_:)`` replaces it by one that names the recorded number.
    @inline(never)
    func notRepresentable(_ type: Any.Type, _ place: JSONPlace) -> DecodingError {
        let number = UnfittingNumber(place: place, type: type)
        unfittingNumber = number
        let text = "The number does not fit the type."
        return .dataCorrupted(.init(codingPath: path(to: place), debugDescription: text, underlyingError: number))
    }

    /// Replaces the error of a number that does not fit its type by one whose text names both, such as "the number 300
    /// does not fit UInt8". Returns any other error as it is.
    ///
    /// It takes long to create this text, and most such errors are discarded. So ``notRepresentable(_:_:)`` creates the
    /// error with a constant text and records the number, and only the error that ends the decoding of the whole text
    /// gets the longer text here.
    func errorNamingNumber(_ error: DecodingError) -> DecodingError {
        guard let unfittingNumber, isError(error, of: unfittingNumber) else { return error }
        let place = unfittingNumber.place
        return corrupted("the number \(number(place.cell)) does not fit \(unfittingNumber.type)", place)
    }

    /// Whether an error is the one that ``notRepresentable(_:_:)`` has created for a number.
    private func isError(_ error: DecodingError, of unfittingNumber: UnfittingNumber) -> Bool {
        guard case .dataCorrupted(let context) = error else { return false }
        guard let cause = context.underlyingError as? UnfittingNumber else { return false }
        // Only the last number is recorded. A model may have kept the error of an earlier one, which has another place,
        // and thrown it later.
        return cause.place == unfittingNumber.place
    }
}
