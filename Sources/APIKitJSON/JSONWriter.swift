/// Writes a JSON text (RFC 8259) value by value, with the commas, colons and white space between the values.
///
///     var writer = JSONWriter()
///     writer.beginObject(.spaced)
///     writer.name("ids")
///     writer.beginArray(.spaced)
///     writer.literal("17")
///     writer.literal("18")
///     writer.end()
///     writer.end()
///     // {"ids": [17, 18]}
///
/// The calls have to describe JSON: in an object, each value follows a name, and each array and object has an end.
/// `@_spi(Tools)` is for the generator in the package `Tools`.
@_spi(Tools) public struct JSONWriter: Sendable {
    /// The white space in an array or object. Arrays and objects within it may have another layout.
    public enum Layout: Sendable {
        /// No white space: `{"a":[1,2]}`.
        case compact
        /// A space after each comma and colon: `{"a": [1, 2]}`.
        case spaced
        /// A line for each element or member, which is indented by two spaces; a space after each colon.
        case lines
    }

    /// The text so far.
    public private(set) var bytes: [UInt8] = []
    /// The arrays and objects that have not ended, the innermost last.
    private var open: [Container] = []
    /// Whether the name of a member was written last, so that its value follows.
    private var isAfterName = false
    /// What every line but the first begins with.
    private let indentation: String

    private struct Container {
        let closingBracket: UInt8
        let layout: Layout
        var isEmpty = true
    }

    /// Creates a writer without any text.
    ///
    /// - Parameter indentation: What every line but the first begins with, for a text within another one.
    public init(indentation: String = "") {
        self.indentation = indentation
    }

    /// The text so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: - Arrays and objects

    /// Writes the opening bracket of an array. Its elements follow, and then ``end()``.
    public mutating func beginArray(_ layout: Layout) {
        begin(.openingBracket, Container(closingBracket: .closingBracket, layout: layout))
    }

    /// Writes the opening brace of an object. Its members follow, and then ``end()``.
    public mutating func beginObject(_ layout: Layout) {
        begin(.openingBrace, Container(closingBracket: .closingBrace, layout: layout))
    }

    private mutating func begin(_ openingBracket: UInt8, _ container: Container) {
        separate()
        bytes.append(openingBracket)
        open.append(container)
    }

    /// Writes the closing bracket of the innermost array or object.
    public mutating func end() {
        let container = open.removeLast()
        if container.layout == .lines, !container.isEmpty { beginLine() }
        bytes.append(container.closingBracket)
    }

    /// Writes the name of a member and the colon after it. The member's value has to follow.
    public mutating func name(_ name: String) {
        separate()
        appendQuoted(name)
        bytes.append(.colon)
        if open.last?.layout != .compact { bytes.append(.space) }
        isAfterName = true
    }

    // MARK: - Values

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        appendQuoted(text)
    }

    /// Writes a number, `true`, `false` or `null`, as it is given.
    public mutating func literal(_ text: String) {
        separate()
        bytes += text.utf8
    }

    // MARK: - Between values

    /// Writes what separates the next element or name from the one before it, or from the opening bracket.
    private mutating func separate() {
        if isAfterName {
            // This is the value of a member. The colon after its name was written with the name.
            isAfterName = false
            return
        }
        guard let container = open.last else { return }
        open[open.count - 1].isEmpty = false
        if !container.isEmpty { bytes.append(.comma) }
        switch container.layout {
        case .compact: break
        case .spaced: if !container.isEmpty { bytes.append(.space) }
        case .lines: beginLine()
        }
    }

    /// Begins a line with the indentation of the open arrays and objects.
    private mutating func beginLine() {
        bytes.append(.lineFeed)
        bytes += indentation.utf8
        // Only those on lines of their own are indented; they surround all others.
        for container in open where container.layout == .lines { bytes += [.space, .space] }
    }

    // MARK: - Strings

    /// Appends a string in quotes (RFC 8259, section 7): only quotes, backslashes and control characters are escaped.
    private mutating func appendQuoted(_ text: String) {
        bytes.append(.quote)
        for byte in text.utf8 {
            switch byte {
            case .quote, .backslash: bytes += [.backslash, byte]
            case .lineFeed: bytes += "\\n".utf8
            case .carriageReturn: bytes += "\\r".utf8
            case .tab: bytes += "\\t".utf8
            case 0..<0x20:
                // Such as `\u001f`.
                let digits = String(byte, radix: 16)
                let padding = digits.utf8.count == 1 ? "0" : ""
                bytes += "\\u00\(padding)\(digits)".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(.quote)
    }
}
