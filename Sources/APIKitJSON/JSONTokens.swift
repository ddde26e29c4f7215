import APIKitSupport

/// The tokens of a JSON text (RFC 8259, section 2) that may be damaged, cut off, or arrive in pieces.
///
/// The grammar is not checked: `}, 12 "a"` has four tokens. A complete text is read faster by ``JSONReader``, which
/// also reports what is wrong with it.
///
/// ```swift
/// var tokens = JSONTokens()
/// tokens.append(Array(#"{"name": "Zü"#.utf8))
/// // The opening brace, the string `"name"` and the colon:
/// while let token = tokens.next() { … }
/// let string = tokens.incompleteString  // the string that begins with `"Zü`
/// ```
package struct JSONTokens: Sequence, IteratorProtocol, Sendable {
    package enum Kind: Sendable, Hashable {
        /// `{` or `[`.
        case open(isObject: Bool)
        /// `}` or `]`.
        case close
        case colon
        case comma
        case string
        /// A number, `true`, `false` or `null`, or invalid characters.
        case scalar
    }

    /// A complete token.
    package struct Token: Sendable {
        package let kind: Kind
        /// Where the token is in the whole text, with the quotes of a string.
        package let range: Range<Int>
    }

    /// The token in which the next byte is.
    private enum State {
        case betweenTokens
        case string(IncompleteString)
        case scalar(start: Int)
    }

    private var state = State.betweenTokens
    /// The last piece of the text. Earlier ones are not kept.
    private var piece: [UInt8]
    /// The index in `piece` of the next byte.
    private var index = 0
    /// The number of bytes in the earlier pieces.
    private var startOfPiece = 0

    /// Creates the tokens of a text, of which more pieces may follow.
    package init(_ text: [UInt8] = []) {
        piece = text
    }

    /// Appends a piece of the text. The tokens of the earlier pieces must have been read: ``next()`` must have returned
    /// nil.
    package mutating func append(_ piece: some Sequence<UInt8>) {
        assert(index == self.piece.count)
        startOfPiece += self.piece.count
        self.piece = Array(piece)
        index = 0
    }

    /// Returns the next complete token; nil if the text so far has no other one.
    ///
    /// A number or literal at the end of the text is not returned, since more of it may follow.
    package mutating func next() -> Token? {
        while index < piece.count {
            let byte = piece[index]
            switch state {
            case .betweenTokens:
                let token = beginToken(byte, at: offset(of: index))
                index += 1
                if let token { return token }
            case .string(let string):
                return readRest(of: string)
            case .scalar(let start):
                if byte.endsScalar {
                    // The next call reads the byte again, as the first one of another token.
                    state = .betweenTokens
                    return Token(kind: .scalar, range: start..<offset(of: index))
                }
                index += 1
            }
        }
        return nil
    }

    /// Reads a string up to its closing quote, and returns it. If the piece ends before, keeps the string in `state`,
    /// so that the next piece continues it, and returns nil.
    private mutating func readRest(of incompleteString: IncompleteString) -> Token? {
        var string = incompleteString
        while index < piece.count, !string.isClosed {
            string.read(piece[index], at: offset(of: index))
            index += 1
        }
        guard string.isClosed else {
            state = .string(string)
            return nil
        }
        state = .betweenTokens
        return Token(kind: .string, range: string.start..<offset(of: index))
    }

    /// The offset in the whole text of an index in the last piece.
    private func offset(of index: Int) -> Int { startOfPiece + index }

    /// Begins the token of which a byte is the first. A token of only this byte, such as a colon, is returned; a string
    /// or scalar becomes the new state. White space changes nothing.
    private mutating func beginToken(_ byte: UInt8, at offset: Int) -> Token? {
        let kind: Kind
        switch byte {
        case .openingBrace: kind = .open(isObject: true)
        case .openingBracket: kind = .open(isObject: false)
        case .closingBrace, .closingBracket: kind = .close
        case .colon: kind = .colon
        case .comma: kind = .comma
        case .quote:
            state = .string(IncompleteString(start: offset))
            return nil
        default:
            if !byte.isSkippedBetweenTokens { state = .scalar(start: offset) }
            return nil
        }
        return Token(kind: kind, range: offset..<offset + 1)
    }

    /// The string that the text so far ends in, if its closing quote is still missing.
    package var incompleteString: IncompleteString? {
        if case .string(let string) = state { string } else { nil }
    }

    /// A string whose closing quote may not have been read yet.
    package struct IncompleteString: Sendable {
        /// The offset of its opening quote in the whole text.
        package let start: Int
        /// The offset at which an incomplete character at the end begins: an escape such as `\u00` without its end, or
        /// the first of two surrogates; nil if the last character is complete.
        package private(set) var incompleteCharacter: Int?
        /// Whether the closing quote was read.
        fileprivate private(set) var isClosed = false
        private var escape = Escape.none

        /// The part of an escape that was read.
        private enum Escape {
            /// No escape: the last character is complete.
            case none
            case backslash
            /// `\u` and some of its four hexadecimal digits, whose value is that of a UTF-16 code unit.
            case unicode(digitCount: Int, codeUnit: UInt16)
            /// The escape of the first surrogate of a pair. That of the second one should follow.
            case leadSurrogate
        }

        fileprivate init(start: Int) {
            self.start = start
        }

        /// Reads the next byte of the string: a part of an escape if one has begun, and otherwise plain text, a
        /// backslash or the closing quote.
        fileprivate mutating func read(_ byte: UInt8, at offset: Int) {
            switch escape {
            case .none:
                readUnescaped(byte, at: offset)
            case .backslash:
                // Any byte may follow, also a quote, which then does not end the string.
                if byte == UInt8(ascii: "u") {
                    escape = .unicode(digitCount: 0, codeUnit: 0)
                } else {
                    endEscape()
                }
            case .unicode(let digitCount, let codeUnit):
                guard let digit = byte.hexValue else {
                    // The text is invalid. The escape ends before this byte.
                    endEscape()
                    return readUnescaped(byte, at: offset)
                }
                readDigit(UInt16(digit), after: codeUnit, earlierCount: digitCount)
            case .leadSurrogate:
                guard byte == .backslash else {
                    // The text is invalid: the second surrogate is missing. The character ends before this byte.
                    endEscape()
                    return readUnescaped(byte, at: offset)
                }
                // The second escape of a pair belongs to the same character, which begins at the first escape.
                escape = .backslash
            }
        }

        /// Reads a byte that does not belong to an escape, or is the backslash at the beginning of one. A quote ends
        /// the string. Any other byte is plain text, which changes nothing.
        private mutating func readUnescaped(_ byte: UInt8, at offset: Int) {
            switch byte {
            case .quote:
                isClosed = true
            case .backslash:
                escape = .backslash
                // The character is incomplete from here on, until `endEscape()`.
                incompleteCharacter = offset
            default:
                break
            }
        }

        /// Reads one of the four hexadecimal digits of an escape such as `\u00e9`. The fourth ends the escape and,
        /// unless that is the first surrogate of a pair, the character.
        ///
        /// - Parameters:
        ///   - digit: The value of the digit.
        ///   - earlierDigits: The value of the digits before it: 0x00e for the last digit of `\u00e9`.
        ///   - earlierCount: How many digits were read before.
        private mutating func readDigit(_ digit: UInt16, after earlierDigits: UInt16, earlierCount: Int) {
            let codeUnit = earlierDigits << 4 | digit
            let digitCount = earlierCount + 1
            if digitCount < 4 {
                escape = .unicode(digitCount: digitCount, codeUnit: codeUnit)
            } else if UTF16.isLeadSurrogate(codeUnit) {
                // The character is not complete before the second surrogate of the pair.
                escape = .leadSurrogate
            } else {
                endEscape()
            }
        }

        /// Ends an escape, and with it the character.
        private mutating func endEscape() {
            escape = .none
            incompleteCharacter = nil
        }
    }
}

extension UInt8 {
    /// Whether the byte is white space or part of a byte order mark.
    fileprivate var isSkippedBetweenTokens: Bool {
        isSpace || "\u{FEFF}".utf8.contains(self)
    }

    /// Whether the byte is not part of a number or literal, but follows it.
    fileprivate var endsScalar: Bool {
        switch self {
        case .comma, .colon, .openingBrace, .closingBrace, .openingBracket, .closingBracket, .quote: true
        default: isSpace
        }
    }
}
