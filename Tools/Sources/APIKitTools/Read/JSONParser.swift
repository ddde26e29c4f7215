/// Reads JSON (RFC 8259) and keeps the line of each value, which no decoder does.
struct JSONParser {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line: Int32 = 1
    private var depth = 0

    /// How deep lists and objects may be nested, in every format.
    static let maximumDepth = 200

    /// Reads a text.
    ///
    /// - Throws: ``DescriptionError`` with the line of the first mistake.
    static func parse(_ bytes: [UInt8], file: String) throws -> Node {
        var parser = JSONParser(bytes: bytes, file: file)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        let node = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else {
            throw parser.error("there is more after the end of the JSON value")
        }
        return node
    }

    private init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private func error(_ message: String) -> DescriptionError {
        DescriptionError(message, at: Place(file: file, line: Int(line)))
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            position += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws -> Node {
        skipSpace()
        guard position < bytes.count else { throw error("the JSON text ends too early") }
        let start = line
        switch bytes[position] {
        case UInt8(ascii: "{"): return Node(try object(), line: start)
        case UInt8(ascii: "["): return Node(try list(), line: start)
        case UInt8(ascii: "\""): return Node(.text(try text()), line: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return Node(.number(number()), line: start)
        default:
            for (word, content) in [("true", Node.Content.boolean(true)), ("false", .boolean(false)), ("null", .null)]
            where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return Node(content, line: start)
            }
            throw error("expected a JSON value")
        }
    }

    private mutating func enter() throws {
        position += 1
        depth += 1
        guard depth <= Self.maximumDepth else { throw error("lists and objects are nested more than 200 deep") }
    }

    private mutating func object() throws -> Node.Content {
        try enter()
        defer { depth -= 1 }
        var members: [String: Node] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw error("expected the name of a member in quotes")
            }
            let name = try text()
            guard take(":") else { throw error("expected a colon after the name \"\(name)\"") }
            guard members.updateValue(try value(), forKey: name) == nil else {
                throw error("the member \"\(name)\" appears twice")
            }
        } while take(",")
        guard take("}") else { throw error("expected a comma or the end of the object") }
        return .object(members)
    }

    private mutating func list() throws -> Node.Content {
        try enter()
        defer { depth -= 1 }
        var elements: [Node] = []
        if take("]") { return .list(elements) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw error("expected a comma or the end of the list") }
        return .list(elements)
    }

    private mutating func number() -> String {
        let start = position
        while position < bytes.count, "+-.eE0123456789".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func text() throws -> String {
        position += 1
        var start = position
        var result: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                let rest = bytes[start..<position]
                return result.isEmpty
                    ? String(decoding: rest, as: UTF8.self) : String(decoding: result + rest, as: UTF8.self)
            case UInt8(ascii: "\\"):
                result += bytes[start..<position]
                result += try escape()
                start = position
            case 0..<0x20: throw error("a text contains a line break or another control character")
            default: position += 1
            }
        }
        throw error("a text has no end")
    }

    private mutating func escape() throws -> [UInt8] {
        position += 2
        guard position <= bytes.count else { throw error("a text has no end") }
        switch bytes[position - 1] {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case let byte where "\"\\/".utf8.contains(byte): return [byte]
        case UInt8(ascii: "u"): break
        default: throw error("a text contains an unknown escape")
        }
        var unit = try codeUnit()
        if 0xD800..<0xDC00 ~= unit, bytes[position...].starts(with: #"\u"#.utf8) {
            position += 2
            unit = 0x10000 + (unit - 0xD800) << 10 + (try codeUnit() & 0x3FF)
        }
        return Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
    }

    private mutating func codeUnit() throws -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw error("a text contains an incomplete \\u escape")
        }
        position += 4
        return unit
    }
}
