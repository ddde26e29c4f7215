extension JSONDocument {
    /// Decodes the value of a cell.
    @inline(__always)
    func value<T: Decodable>(_ type: T.Type, _ cell: Int) throws -> T {
        if type == String.self { return try text(cell) as! T }
        if type == Date.self { return try date(cell) as! T }
        if type == URL.self { return try url(cell) as! T }
        if type == Data.self { return try bytes(cell) as! T }
        if type == Decimal.self { return try decimal(cell) as! T }
        if let values = try scalars(type, cell) { return values }
        // Asked only of types of a dictionary's size, since the answer takes long.
        if kind(of: cell) == UInt8(ascii: "{"), MemoryLayout<T>.size == MemoryLayout<[String: Int]>.size,
            let type = type as? any StringDictionary.Type
        {
            return try type.decoded(from: self, cell) as! T
        }
        return try T(from: JSONValueDecoder(document: self, cell: cell))
    }

    /// A value or an array of a frequent type, which would decode itself, and its values one by one, through protocols.
    @inline(__always)
    private func scalars<T>(_ type: T.Type, _ cell: Int) throws -> T? {
        if type == Int.self { return try integer(cell) as Int as? T }
        if type == Double.self { return try floatingPoint(cell) as? T }
        if type == [Double].self { return try array(cell, floatingPoint) as? T }
        if type == [String].self { return try array(cell, text) as? T }
        if type == [Int].self { return try array(cell) { cell -> Int in try integer(cell) } as? T }
        return nil
    }

    private func array<Value>(_ cell: Int, _ value: (Int) throws -> Value) throws -> [Value] {
        guard kind(of: cell) == UInt8(ascii: "[") else { throw mismatch([Any].self, cell) }
        let contents = contents(of: cell)
        var (values, next): ([Value], Int) = ([], contents.lowerBound)
        values.reserveCapacity(contents.count)
        while next < contents.upperBound {
            values.append(try value(next))
            next = self.cell(after: next)
        }
        return values
    }

    @inline(__always)
    func text(_ cell: Int) throws -> String {
        guard kind(of: cell) == UInt8(ascii: "\"") else { throw mismatch(String.self, cell) }
        return string(cell)
    }

    func bool(_ cell: Int) throws -> Bool {
        switch kind(of: cell) {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw mismatch(Bool.self, cell)
        }
    }

    private func date(_ cell: Int) throws -> Date {
        if isNull(cell) { throw mismatch(Date.self, cell) }
        switch reader.dates {
        case .rfc3339:
            guard kind(of: cell) == UInt8(ascii: "\"") else { throw mismatch(Date.self, cell) }
            guard let date = ISO8601.date(string(cell)) else {
                throw corrupted("expected a date and time with an offset, such as 2026-11-20T18:30:00Z", cell)
            }
            return date
        case .secondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(cell))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try floatingPoint(cell) / 1000)
        case .deferredToDate: return try Date(from: JSONValueDecoder(document: self, cell: cell))
        case .custom(let decode): return try decode(JSONValueDecoder(document: self, cell: cell))
        }
    }

    private func bytes(_ cell: Int) throws -> Data {
        if isNull(cell) { throw mismatch(Data.self, cell) }
        switch reader.data {
        case .base64:
            guard let data = Data(base64Encoded: try text(cell)) else { throw corrupted("expected Base64", cell) }
            return data
        case .deferredToData: return try Data(from: JSONValueDecoder(document: self, cell: cell))
        case .custom(let decode): return try decode(JSONValueDecoder(document: self, cell: cell))
        }
    }

    private func url(_ cell: Int) throws -> URL {
        if isNull(cell) { throw mismatch(URL.self, cell) }
        guard let url = URL(string: try text(cell)) else { throw corrupted("expected a URL", cell) }
        return url
    }

    private func decimal(_ cell: Int) throws -> Decimal {
        guard isNumber(cell) else { throw mismatch(Decimal.self, cell) }
        guard let value = Decimal(string: number(cell)) else { throw notRepresentable(Decimal.self, cell) }
        return value
    }

    // MARK: - Errors

    /// The error of a value that is not of a type.
    func mismatch(_ type: Any.Type, _ cell: Int) -> DecodingError {
        let found =
            switch kind(of: cell) {
            case UInt8(ascii: "\""): "a string"
            case UInt8(ascii: "{"): "an object"
            case UInt8(ascii: "["): "an array"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
            case UInt8(ascii: "n"): "null"
            default: "a number"
            }
        let context = DecodingError.Context(
            codingPath: path(to: cell), debugDescription: "Expected \(type), but found \(found).")
        return isNull(cell) && type != Bool.self ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func notRepresentable(_ type: Any.Type, _ cell: Int) -> DecodingError {
        corrupted("the number \(number(cell)) does not fit \(type)", cell)
    }

    func corrupted(_ problem: String, _ cell: Int) -> DecodingError {
        .dataCorrupted(.init(codingPath: path(to: cell), debugDescription: problem))
    }
}

/// A dictionary whose keys are names as they are, which no key strategy changes.
protocol StringDictionary {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
    static func decoded(from document: JSONDocument, _ cell: Int) throws -> Self {
        document.dictionaries.insert(cell)
        var result: Self = [:]
        let contents = document.contents(of: cell)
        var name = contents.lowerBound
        while name < contents.upperBound {
            let key = document.string(name)
            // As `JSONDecoder`, which reads the value of a repeated name only with a key strategy.
            let isRepeated = result[key] != nil
            if !isRepeated || !document.reader.keys.isDefault {
                let value = try document.value(Value.self, name + 1)
                if !isRepeated { result[key] = value }
            }
            name = document.cell(after: name + 1)
        }
        return result
    }
}
