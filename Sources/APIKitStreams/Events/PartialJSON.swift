public import APIKitCore

/// A JSON text that arrives in pieces, such as the arguments of a tool call, and can be read before it is complete.
///
/// ```swift
/// var arguments = PartialJSON()
/// var nextFrame = ContinuousClock.now
/// for try await piece in pieces {
///     arguments.append(piece)
///     guard .now >= nextFrame else { continue }
///     nextFrame = .now + .milliseconds(50)
///     if let draft = try? arguments.decodeSoFar(DraftSearch.self) { show(draft) }
/// }
/// let search = try arguments.decode(Search.self)
/// ```
///
/// Appending takes time in proportion to the piece. Decoding takes time in proportion to the whole text so far, so
/// decode as often as a screen can show it, not after each piece.
public struct PartialJSON: Sendable {
    /// The text as it has arrived.
    public private(set) var text = ""

    /// The position of the next byte in the grammar of JSON.
    private enum Place: Sendable, Hashable {
        case beforeValue
        case beforeName
        case afterName
        case afterValue
        /// A number or a literal, which may continue.
        case scalar
        case string(isName: Bool)
        case escape(Escape)
    }

    /// An incomplete escape in a string.
    private struct Escape: Sendable, Hashable {
        let isInName: Bool
        /// Whether the escape is `\u` with four digits.
        var isUnicode = false
        var digitCount = 0
        var codeUnit: UInt32 = 0
    }

    /// The beginning of the text up to the end of a value, which becomes valid JSON when its lists and objects are
    /// closed.
    private struct Closable: Sendable {
        /// The number of bytes of the beginning.
        var length = 0
        /// The number of lists and objects that are open after it.
        var closerCount = 0
    }

    private var place = Place.beforeValue
    /// The number of bytes that have been read.
    private var count = 0
    /// The closing brackets of the open lists and objects, the innermost last.
    private var closers: [UInt8] = []
    /// The longest beginning of the text that only needs closing brackets to be valid JSON.
    private var closable = Closable()
    /// The offset of an incomplete escape or of the first half of a surrogate pair; nil if the string so far is
    /// complete.
    private var escapeStart: Int?

    /// The value of ``textSoFar``. It is updated and not created anew, so that a piece takes only the time of its
    /// length.
    private var closed = ""
    /// The number of bytes of the text in ``closed``.
    private var closedLength = 0
    /// The number of closing bytes after them in ``closed``.
    private var closingLength = 0

    /// Creates a text.
    public init(_ text: String = "") {
        append(text)
    }

    /// Appends a piece.
    public mutating func append(_ piece: String) {
        text += piece
        for byte in piece.utf8 {
            accept(byte)
            count += 1
        }
        close()
    }

    /// The text so far with its open strings, lists and objects closed; nil before the first value has begun.
    ///
    /// A number or literal at the end is left out, since it may continue, and so is a name without a value and an
    /// escape without its end. Nothing is closed while more than 512 lists and objects are open, which no decoder
    /// reads.
    public var textSoFar: String? {
        if closed.isEmpty { return nil }
        return closed
    }

    /// Decodes the text so far, with its open strings, lists and objects closed.
    ///
    /// - Parameters:
    ///   - type: The type of the value, whose properties should be optional, since they arrive one after another.
    ///   - decoder: The decoder; by default, the type's decoder if it is a ``JSONResponse``, and otherwise
    ///     `JSONReader()`.
    /// - Returns: The value, or nil before the first value has begun.
    /// - Throws: The decoder's error if the text so far is not such a value.
    public func decodeSoFar<Value: Decodable>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws -> Value? {
        guard let textSoFar else { return nil }
        return try (decoder ?? StandardJSON.decoder(for: type)).decode(type, from: Data(textSoFar.utf8))
    }

    /// Decodes the whole text.
    ///
    /// - Throws: The decoder's error if the text is not complete or not such a value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws -> Value {
        try (decoder ?? StandardJSON.decoder(for: type)).decode(type, from: Data(text.utf8))
    }

    // MARK: - The text so far

    /// The depth up to which the text is closed. `JSONReader` and `JSONDecoder` refuse deeper texts.
    private static let maximumDepth = 512

    /// Appends the new bytes to the closed text, and closes it again.
    private mutating func close() {
        var length = closable.length
        var openClosers = closers.prefix(closable.closerCount)
        var closing: [UInt8] = []
        if isInValueString {
            // A string is shown up to its last complete character, and needs a closing quote.
            length = escapeStart ?? count
            openClosers = closers[...]
            closing.append(UInt8(ascii: "\""))
        }
        if openClosers.count <= Self.maximumDepth { closing += openClosers.reversed() }
        closed.removeSubrange(closed.utf8.index(closed.utf8.endIndex, offsetBy: -closingLength)...)
        closed += Substring(text.utf8.prefix(length).dropFirst(closedLength))
        closed += String(decoding: closing, as: UTF8.self)
        closedLength = length
        closingLength = closing.count
    }

    /// Whether the text ends within a string that is not a name.
    private var isInValueString: Bool {
        switch place {
        case .string(let isName): !isName
        case .escape(let escape): !escape.isInName
        case .beforeValue, .beforeName, .afterName, .afterValue, .scalar: false
        }
    }

    // MARK: - The text byte by byte

    /// Processes the next byte. Invalid JSON is not detected here: decoding reports it.
    private mutating func accept(_ byte: UInt8) {
        switch place {
        case .string(let isName):
            acceptInString(byte, isName: isName)
        case .escape(let escape):
            accept(byte, in: escape)
        case .scalar:
            guard Self.endsScalar(byte) else { return }
            endValue(at: count)
            acceptBetweenValues(byte)
        case .beforeValue, .beforeName, .afterName, .afterValue:
            acceptBetweenValues(byte)
        }
    }

    private mutating func acceptBetweenValues(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"):
            closers.append(UInt8(ascii: "}"))
            endValue(at: count + 1)
            place = .beforeName
        case UInt8(ascii: "["):
            closers.append(UInt8(ascii: "]"))
            endValue(at: count + 1)
            place = .beforeValue
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = closers.popLast()
            endValue(at: count + 1)
        case UInt8(ascii: ","):
            let isInObject = closers.last == UInt8(ascii: "}")
            place = isInObject ? .beforeName : .beforeValue
        case UInt8(ascii: ":"):
            place = .beforeValue
        case UInt8(ascii: "\""):
            place = .string(isName: place == .beforeName)
        case 0x20, 0x09, 0x0A, 0x0D:
            break
        default:
            place = .scalar
        }
    }

    private mutating func acceptInString(_ byte: UInt8, isName: Bool) {
        switch byte {
        case UInt8(ascii: "\\"):
            // If this is the second half of a surrogate pair, the offset of the first half stays.
            if escapeStart == nil { escapeStart = count }
            place = .escape(Escape(isInName: isName))
        case UInt8(ascii: "\""):
            escapeStart = nil
            if isName {
                place = .afterName
            } else {
                endValue(at: count + 1)
            }
        default:
            escapeStart = nil
        }
    }

    private mutating func accept(_ byte: UInt8, in escape: Escape) {
        var escape = escape
        if escape.isUnicode {
            escape.digitCount += 1
            escape.codeUnit = escape.codeUnit << 4 | UInt32(byte.hexValue ?? 0)
        } else {
            escape.isUnicode = byte == UInt8(ascii: "u")
        }
        if escape.isUnicode, escape.digitCount < 4 {
            place = .escape(escape)
            return
        }
        place = .string(isName: escape.isInName)
        // The first half of a surrogate pair is not shown before the second half has arrived.
        let isFirstOfPair = (0xD800..<0xDC00).contains(escape.codeUnit)
        if !isFirstOfPair { escapeStart = nil }
    }

    /// Ends a value, or begins a list or object, and remembers that the text up to here can be closed.
    private mutating func endValue(at length: Int) {
        place = .afterValue
        closable = Closable(length: length, closerCount: closers.count)
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
