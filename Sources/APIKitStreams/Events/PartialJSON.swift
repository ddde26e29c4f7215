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
/// Appending a piece takes the time of the piece. Decoding takes that of the whole text so far, so decode as often as a
/// screen can show it, not after each piece.
public struct PartialJSON: Sendable {
    /// The text as it has arrived.
    public private(set) var text = ""

    /// The place of the next byte.
    private enum Place: Sendable, Hashable {
        case beforeValue, beforeName, afterName, afterValue
        /// A number or a literal that begins at an offset, and may continue.
        case scalar(from: Int)
        case string(isName: Bool)
        /// The number of missing bytes of an escape; of `\u`, the digits so far.
        case escape(isName: Bool, missing: Int, digits: UInt32)
    }

    private var place = Place.beforeValue
    private var count = 0
    /// The closing brackets of the open lists and objects, the innermost last.
    private var closers: [UInt8] = []
    /// The text so far with what closes it, kept so that a piece costs only its own length.
    private var closed = ""
    /// The number of bytes from the text that begin the closed one, and of those that close it.
    private var written = (length: 0, closers: 0)
    /// The longest start of the text that only needs closers to be JSON, and how many of the closers those are.
    private var closable = (length: 0, closers: 0)
    /// The offset of an incomplete escape, or of a surrogate that needs another one.
    private var escapeStart: Int?

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
    public var textSoFar: String? { closed.isEmpty ? nil : closed }

    /// Decodes the text so far, with its open strings, lists and objects closed.
    ///
    /// - Parameters:
    ///   - type: The type of the value, whose properties should be optional, since they arrive one after another.
    ///   - decoder: The decoder; by default, that of the type if it is a ``JSONResponse``, and otherwise
    ///     `JSONReader()`.
    /// - Returns: The value, or nil before the first value has begun.
    /// - Throws: The decoder's error if the text so far is not such a value.
    public func decodeSoFar<Value: Decodable>(
        _ type: Value.Type, decoder: (any DataDecoder)? = nil
    ) throws -> Value? {
        try textSoFar.map { try (decoder ?? StandardJSON.decoder(for: type)).decode(type, from: Data($0.utf8)) }
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

    /// The depth up to which the text is closed: `JSONReader` and `JSONDecoder` refuse more.
    private static let maximumDepth = 512

    /// Appends the new bytes to the closed text, and closes it again.
    private mutating func close() {
        var (length, end) = (closable.length, closers.prefix(closable.closers))
        var quote = ""
        switch place {
        case .string(isName: false), .escape(isName: false, _, _):
            (length, end, quote) = (escapeStart ?? count, closers[...], "\"")
        default: break
        }
        closed.removeSubrange(closed.utf8.index(closed.utf8.endIndex, offsetBy: -written.closers)...)
        closed += Substring(text.utf8.prefix(length).dropFirst(written.length))
        let open = end.count > Self.maximumDepth ? [] : end
        closed += quote + String(decoding: open.reversed(), as: UTF8.self)
        written = (length, quote.utf8.count + open.count)
    }

    // MARK: - The text byte by byte

    /// Takes the next byte. What is not JSON leads anywhere: decoding reports it.
    private mutating func accept(_ byte: UInt8) {
        switch place {
        case .string(let isName): acceptInString(byte, isName)
        case .escape(let isName, let missing, let digits): acceptInEscape(byte, isName, missing, digits)
        case .scalar where !Self.endsScalar(byte): break
        case .scalar:
            endValue(at: count)
            acceptBetweenValues(byte)
        case .beforeValue, .beforeName, .afterName, .afterValue: acceptBetweenValues(byte)
        }
    }

    private mutating func acceptBetweenValues(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            closers.append(UInt8(ascii: isObject ? "}" : "]"))
            endValue(at: count + 1)
            place = isObject ? .beforeName : .beforeValue
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = closers.popLast()
            endValue(at: count + 1)
        case UInt8(ascii: ","): place = closers.last == UInt8(ascii: "}") ? .beforeName : .beforeValue
        case UInt8(ascii: ":"): place = .beforeValue
        case UInt8(ascii: "\""): place = .string(isName: place == .beforeName)
        case 0x20, 0x09, 0x0A, 0x0D: break
        default: place = .scalar(from: count)
        }
    }

    private mutating func acceptInString(_ byte: UInt8, _ isName: Bool) {
        switch byte {
        case UInt8(ascii: "\\"):
            escapeStart = escapeStart ?? count
            place = .escape(isName: isName, missing: 1, digits: 0)
        case UInt8(ascii: "\""):
            escapeStart = nil
            if isName { place = .afterName } else { endValue(at: count + 1) }
        default: escapeStart = nil
        }
    }

    private mutating func acceptInEscape(_ byte: UInt8, _ isName: Bool, _ missing: Int, _ digits: UInt32) {
        if missing == 1, digits == 0, byte == UInt8(ascii: "u") {
            // A digit more, which marks that digits follow.
            place = .escape(isName: isName, missing: 4, digits: 1)
            return
        }
        let digits = digits << 4 | UInt32(byte.hexValue ?? 0)
        guard missing == 1 else {
            place = .escape(isName: isName, missing: missing - 1, digits: digits)
            return
        }
        place = .string(isName: isName)
        // The first half of a pair stays out until the second one is there.
        if !(0x1D800..<0x1DC00).contains(digits) { escapeStart = nil }
    }

    private mutating func endValue(at length: Int) {
        place = .afterValue
        closable = (length, closers.count)
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
