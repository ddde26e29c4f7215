public import APIKitCore
import APIKitSupport

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

    /// The beginning of the text up to the end of a value. It becomes valid JSON when its open lists and objects are
    /// closed: `[{"a": 1` of the text `[{"a": 1, "b`, with two closing brackets.
    private struct Closable: Sendable {
        /// The number of bytes of the beginning.
        var length = 0
        /// The number of lists and objects that are open after it.
        var closerCount = 0
    }

    /// The tokens of the text.
    private var tokens = JSONTokens()
    /// Whether a string that begins now is the name of a member: after `{`, and after a comma in an object.
    private var isBeforeName = false
    /// The closing brackets of the open lists and objects, the innermost last.
    private var closers: [UInt8] = []
    /// The longest beginning of the text that only needs closing brackets to be valid JSON.
    private var closable = Closable()
    /// The value of ``textSoFar``: the beginning of the text, and closing quotes and brackets. It is updated and not
    /// created again, so that a piece takes only the time of its length.
    private var closed = ""
    /// The number of bytes in `closed` that are from the text.
    private var closedLength = 0
    /// The number of closing bytes after them.
    private var closingLength = 0

    /// Creates a text.
    public init(_ text: String = "") {
        append(text)
    }

    /// Appends a piece.
    public mutating func append(_ piece: String) {
        text += piece
        tokens.append(piece.utf8)
        while let token = tokens.next() { read(token) }
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
        return try (decoder ?? StandardJSON.decoder(for: type)).decode(type, from: textSoFar.utf8Data)
    }

    /// Decodes the whole text.
    ///
    /// - Throws: The decoder's error if the text is not complete or not such a value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws -> Value {
        try (decoder ?? StandardJSON.decoder(for: type)).decode(type, from: text.utf8Data)
    }

    // MARK: - The text so far

    /// The depth up to which the text is closed. `JSONReader` and `JSONDecoder` refuse deeper texts.
    private static let maximumDepth = 512

    /// Updates `closed` after a piece: removes the closing brackets at its end, appends the part of the text that can
    /// now be shown, and closes it again.
    private mutating func close() {
        var length = closable.length
        var openClosers = closers.prefix(closable.closerCount)
        var closing: [UInt8] = []
        // A value that is a string is shown while it arrives, up to its last complete character.
        if let string = tokens.incompleteString, !isBeforeName {
            length = string.incompleteCharacter ?? text.utf8.count
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

    // MARK: - Tokens

    /// Records which lists and objects are open after a token, and whether the text can be closed there. Invalid JSON
    /// is not detected here: decoding reports it.
    private mutating func read(_ token: JSONTokens.Token) {
        switch token.kind {
        case .open(let isObject):
            closers.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            // The list or object can be closed while it is empty.
            recordClosable(upTo: token.range.upperBound)
            isBeforeName = isObject
        case .close:
            _ = closers.popLast()
            recordClosable(upTo: token.range.upperBound)
            isBeforeName = false
        case .comma:
            isBeforeName = closers.last == UInt8(ascii: "}")
        case .colon:
            isBeforeName = false
        case .string where isBeforeName:
            // The text cannot be closed here, since the name has no value yet.
            isBeforeName = false
        case .string, .scalar:
            recordClosable(upTo: token.range.upperBound)
            isBeforeName = false
        }
    }

    /// Records that the text up to an offset is valid JSON once the open lists and objects are closed.
    private mutating func recordClosable(upTo offset: Int) {
        closable = Closable(length: offset, closerCount: closers.count)
    }
}
