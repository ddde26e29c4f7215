/// A JSON text to compare (RFC 8259). Numbers keep their spelling, and names and strings their bytes.
enum JSONTree: Sendable {
    case object([[UInt8]: JSONTree])
    case array([JSONTree])
    /// A string as it is written, without its escapes.
    case string(String)
    /// A number, `true`, `false` or `null`.
    case literal(String)

    /// Reads a text; nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    init?(_ data: Data) {
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

        mutating func value(depth: Int) -> JSONTree? {
            guard depth > 0 else { return nil }
            switch next {
            case UInt8(ascii: "{"): return object(depth: depth)
            case UInt8(ascii: "["): return array(depth: depth)
            case UInt8(ascii: "\""): return string().map(JSONTree.string)
            default: return literal()
            }
        }

        private mutating func object(depth: Int) -> JSONTree? {
            var members: [[UInt8]: JSONTree] = [:]
            guard take("{") else { return nil }
            if take("}") { return .object(members) }
            repeat {
                guard next == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth - 1),
                    members.updateValue(value, forKey: Array(name.utf8)) == nil
                else { return nil }
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func array(depth: Int) -> JSONTree? {
            var elements: [JSONTree] = []
            guard take("[") else { return nil }
            if take("]") { return .array(elements) }
            repeat {
                guard let element = value(depth: depth - 1) else { return nil }
                elements.append(element)
            } while take(",")
            return take("]") ? .array(elements) : nil
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

        private mutating func literal() -> JSONTree? {
            let word = rest.prefix { !" \t\r\n,]}".utf8.contains($0) }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            let isNumber = text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) } && Double(text) != nil
            return isNumber || ["true", "false", "null"].contains(text) ? .literal(text) : nil
        }
    }
}

extension JSONTree: CustomStringConvertible {
    /// The value as JSON, with its members sorted by name.
    var description: String {
        switch self {
        case .object(let members):
            let texts = members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { "\(String(decoding: $0, as: UTF8.self).debugDescription): \($1)" }
            return "{\(texts.joined(separator: ", "))}"
        case .array(let elements): return "[\(elements.map(\.description).joined(separator: ", "))]"
        case .string(let text): return text.debugDescription
        case .literal(let text): return text
        }
    }
}
