package import APIKitCore

extension JSONValue {
    /// Reads a text (RFC 8259), with the members of objects sorted by their names; nil if it is not JSON, is nested
    /// more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        var reader = Reader(rest: Array(data)[...])
        guard let value = reader.value(depth: 100), reader.isAtEnd else { return nil }
        self = value
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool {
            mutating get { next == nil }
        }

        /// The next byte that is not whitespace.
        private var next: UInt8? {
            mutating get {
                rest = rest.drop { " \t\r\n".utf8.contains($0) }
                return rest.first
            }
        }

        private mutating func take(_ sign: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: sign) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func value(depth: Int) -> JSONValue? {
            guard depth > 0 else { return nil }
            switch next {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map(JSONValue.string)
            default: return literal()
            }
        }

        private mutating func object(depth: Int) -> JSONValue? {
            var members: [[UInt8]: JSONValue] = [:]
            guard take("{") else { return nil }
            if take("}") { return .object([]) }
            repeat {
                guard next == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth - 1),
                    members.updateValue(value, forKey: Array(name.utf8)) == nil
                else { return nil }
            } while take(",")
            guard take("}") else { return nil }
            return .object(
                members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                    .map { (String(decoding: $0.key, as: UTF8.self), $0.value) })
        }

        private mutating func array(depth: Int) -> JSONValue? {
            var elements: [JSONValue] = []
            guard take("[") else { return nil }
            if take("]") { return .list(elements) }
            repeat {
                guard let element = value(depth: depth - 1) else { return nil }
                elements.append(element)
            } while take(",")
            return take("]") ? .list(elements) : nil
        }

        private mutating func string() -> String? {
            var end = rest.startIndex + 1
            while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard end < rest.endIndex else { return nil }
            defer { rest = rest[(end + 1)...] }
            return try? JSONDecoder().decode(String.self, from: Data(rest[...end]))
        }

        private mutating func literal() -> JSONValue? {
            let word = rest.prefix { !" \t\r\n,]}".utf8.contains($0) }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            let isNumber = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
            return isNumber || ["true", "false", "null"].contains(text) ? .literal(text) : nil
        }
    }
}
