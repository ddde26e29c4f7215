import Foundation
import OpenAPIRules

/// Reads JSON (RFC 8259) and keeps the line of each value.
///
/// The library's `JSONReader` is stricter and does not suffice for two reasons: it reports lines only for syntax
/// errors, and it rejects descriptions and recordings with texts that some programs cut in the middle of a character.
struct JSONParser {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line: Int32 = 1
    private var depth = 0

    /// The maximum depth of nested lists and objects, in JSON and in YAML. It keeps the recursion from overflowing the
    /// stack.
    static let maximumDepth = 200

    /// The bytes of U+FEFF, with which some editors begin a text in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads a text that consists of one JSON value.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, with or without a byte order mark.
    ///   - file: Its name, for messages.
    /// - Returns: The value.
    /// - Throws: ``DescriptionError`` with the line of the first mistake.
    static func parse(_ bytes: [UInt8], file: String) throws -> Node {
        var parser = JSONParser(bytes: bytes, file: file)
        if bytes.starts(with: byteOrderMark) { parser.position = byteOrderMark.count }
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

    /// Skips white space, and counts the line breaks in it. They appear nowhere else, since JSON texts have to escape
    /// them.
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

    /// Skips white space, and then the character if it is the next one. Returns whether it is.
    private mutating func takeAfterSpace(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Reads the next value, with all values within it.
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
            guard let content = word() else { throw error("expected a JSON value") }
            return Node(content, line: start)
        }
    }

    /// Reads `true`, `false` or `null`; returns nil for anything else.
    private mutating func word() -> Node.Content? {
        let words: [(word: String, content: Node.Content)] = [
            ("true", .boolean(true)), ("false", .boolean(false)), ("null", .null),
        ]
        guard let found = words.first(where: { bytes[position...].starts(with: $0.word.utf8) }) else {
            return nil
        }
        position += found.word.utf8.count
        return found.content
    }

    /// Reads the bracket or brace at which a list or an object begins. The caller decreases the depth at its end.
    private mutating func beginContainer() throws {
        position += 1
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw error("lists and objects are nested more than \(Self.maximumDepth) deep")
        }
    }

    /// Reads an object, from its opening brace to its closing one. A name that appears twice is an error, since it is
    /// unclear which member counts.
    private mutating func object() throws -> Node.Content {
        // This takes the brace, and increases the depth.
        try beginContainer()
        defer { depth -= 1 }
        var members: Node.Members = [:]
        if takeAfterSpace("}") { return .object(members) }
        repeat {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw error("expected the name of a member in quotes")
            }
            let name = try text()
            guard takeAfterSpace(":") else {
                throw error("expected a colon after the name \"\(name)\"")
            }
            let isRepeated = members.updateValue(try value(), forKey: name) != nil
            if isRepeated { throw error("the member \"\(name)\" appears twice") }
        } while takeAfterSpace(",")
        guard takeAfterSpace("}") else { throw error("expected a comma or the end of the object") }
        return .object(members)
    }

    /// Reads a list.
    private mutating func list() throws -> Node.Content {
        try beginContainer()
        defer { depth -= 1 }
        var elements: [Node] = []
        if takeAfterSpace("]") { return .list(elements) }
        repeat { elements.append(try value()) } while takeAfterSpace(",")
        guard takeAfterSpace("]") else { throw error("expected a comma or the end of the list") }
        return .list(elements)
    }

    /// Reads a number as it is written. Whether it is a valid number is not checked.
    private mutating func number() -> String {
        let start = position
        while position < bytes.count, "+-.eE0123456789".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a text in quotes, and replaces its escapes. Most texts have no escapes, or only simple ones such as `\n`.
    /// The slower ways of replacing them are tried after the faster ones.
    private mutating func text() throws -> String {
        let quoted = try quotedText()
        let content = quoted.dropFirst().dropLast()
        let hasEscapes = content.contains(UInt8(ascii: "\\"))
        if !hasEscapes { return String(decoding: content, as: UTF8.self) }
        if let text = Self.withShortEscapesReplaced(content) { return text }
        if let text = Self.unescaped(quoted) { return text }
        // The text may contain a lone surrogate: half of a character that is written as two escapes, such as `\ud83d`.
        if let text = Self.unescaped(Self.withoutSurrogates(quoted).utf8) { return text }
        throw error("a text contains an unknown or incomplete escape")
    }

    /// Moves from the opening quote of a text past its closing one, and returns the bytes as they are written, with the
    /// quotes and escapes.
    private mutating func quotedText() throws -> ArraySlice<UInt8> {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 0x20 else {
                throw error("a text contains a line break or another control character")
            }
            // The character after a backslash is skipped with it, so that an escaped quote does not end the text. If
            // the file ends in a backslash, the position is past the end, which the check below reports.
            let isEscape = bytes[position] == UInt8(ascii: "\\")
            position += isEscape ? 2 : 1
        }
        guard position < bytes.count else { throw error("a text has no end") }
        position += 1
        return bytes[start..<position]
    }

    /// Replaces each escaped surrogate by U+FFFD: `"\ud83d"` becomes `"\u{FFFD}"`.
    ///
    /// JSON writes an emoji as two escapes, `\ud83d\ude00`, each of them a surrogate. Programs that cut off a text may
    /// leave only the first one, which Foundation's decoder rejects. An escaped backslash is matched as well, since a
    /// `u` after it does not begin an escape.
    private static func withoutSurrogates(_ quoted: ArraySlice<UInt8>) -> String {
        let escapedBackslashOrSurrogate = /(\\\\)|\\u[Dd][89A-Fa-f]../
        return String(decoding: quoted, as: UTF8.self).replacing(escapedBackslashOrSurrogate) { match in
            match.1 ?? "\u{FFFD}"
        }
    }

    /// The text with its escapes replaced if these are only line breaks, quotes and backslashes, as in nearly all
    /// texts; nil if it has others. It takes a fraction of the time of Foundation's decoder.
    private static func withShortEscapesReplaced(_ bytes: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            text += rest[..<backslash]
            rest = rest[backslash...].dropFirst()
            switch rest.popFirst() {
            case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    /// The text in quotes with its escapes replaced; nil if Foundation's decoder rejects it.
    private static func unescaped(_ quoted: some Sequence<UInt8>) -> String? {
        try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}
