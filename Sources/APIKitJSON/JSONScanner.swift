import APIKitSupport

/// Validates a JSON text (RFC 8259) in one pass, and creates the cells that describe it: the numbers that say where its
/// values are. ``JSONDocument`` describes them.
struct JSONScanner: ~Copyable {
    /// The greatest depth to which arrays and objects may nest.
    static let maximumDepth = 512

    let text: JSONText
    /// The bytes of the text, and the zeros after it.
    private let bytes: UnsafePointer<UInt8>
    /// The index of the next byte.
    private var index = 0
    private(set) var cells: JSONCells
    /// The cell of the innermost array or object that has not ended. Without one, it has no meaning.
    private var innermostContainer: JSONCell = 0
    /// The cells of the arrays and objects around it, with the outermost one first. There is one for each level of
    /// nesting, so the first has no meaning either.
    private var outerContainers = JSONCells(capacity: 16)
    /// The names in the objects around the next byte.
    private var names = JSONNameTables()

    init(_ text: consuming JSONText) {
        // An estimate: one cell for every eight bytes, and a few for a short text. The list grows if a text has more.
        cells = JSONCells(capacity: text.count / 8 + 4)
        bytes = text.bytes
        self.text = text
    }

    /// Scans the whole text, one value with white space around it, and creates its cells: see ``JSONDocument``.
    ///
    /// - Throws: ``JSONSyntaxError`` at the first byte that is not JSON.
    mutating func scan() throws(JSONSyntaxError) {
        guard text.count <= JSONDocument.maximumSize else { throw JSONSyntaxError(expected: "at most 2 GB", at: 0) }
        repeat {
            try scanUntilValueEnds()
        } while try scanToNextValue()
        skipSpaces()
        guard index >= text.count else { throw JSONSyntaxError(expected: "the end", at: index) }
    }

    /// Scans until a value has ended: a string, a number, a word such as `true`, or an empty array or object.
    ///
    /// An array or object with contents does not end here. Only its opening bracket is scanned, and then its first
    /// value. So of `[{"a": 1}, 2]`, the first call scans `[{"a": 1`. The array and the object remain open, and
    /// ``scanToNextValue()`` scans their closing brackets later. Without recursion, this is faster.
    @inline(__always)
    private mutating func scanUntilValueEnds() throws(JSONSyntaxError) {
        while true {
            skipSpaces()
            switch bytes[index] {
            case .quote:
                return try scanString()
            case .openingBrace:
                try beginContainer()
                if bytes[index] == .closingBrace { return endContainer() }
                // The object is not empty: after the name, the loop continues with the value of its first member.
                try scanName()
            case .openingBracket:
                try beginContainer()
                if bytes[index] == .closingBracket { return endContainer() }
                // The array is not empty: the loop continues with its first element.
                continue
            case UInt8(ascii: "t"):
                return try scanWord("true")
            case UInt8(ascii: "f"):
                return try scanWord("false")
            case UInt8(ascii: "n"):
                return try scanWord("null")
            default:
                return try scanNumber()
            }
        }
    }

    /// Scans from the end of a value to the next value: closing brackets, a comma, and in an object a name. Between the
    /// numbers of `[{"a": 1}, 2]`, that is `}, `.
    ///
    /// - Returns: False if the top-level value has ended.
    @inline(__always)
    private mutating func scanToNextValue() throws(JSONSyntaxError) -> Bool {
        while depth > 0 {
            skipSpaces()
            let isInObject = bytes[Int(cells.numbers[innermostContainer])] == .openingBrace
            switch bytes[index] {
            case .comma:
                index += 1
                if isInObject { try scanName() }
                return true
            case .closingBrace where isInObject, .closingBracket where !isInObject:
                endContainer()
            default:
                throw JSONSyntaxError(expected: isInObject ? "`,` or `}`" : "`,` or `]`", at: index)
            }
        }
        return false
    }

    @inline(__always)
    private mutating func skipSpaces() {
        // All spaces are at most 0x20. This comparison is fast, and excludes almost all other bytes.
        while bytes[index] <= 0x20, bytes[index].isSpace { index += 1 }
    }

    /// Scans `true`, `false` or `null`, of which the first letter was recognized.
    private mutating func scanWord(_ word: StaticString) throws(JSONSyntaxError) {
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text.hasText(letters, at: index) else { throw JSONSyntaxError(expected: "a value", at: index) }
        cells.append(index)
        index += letters.count
    }

    // MARK: - Arrays and objects

    /// How many arrays and objects are around the next byte.
    private var depth: Int { outerContainers.count }

    /// Scans an opening bracket and the white space after it, up to the first value or name or the closing bracket, and
    /// adds the two cells of the array or object.
    private mutating func beginContainer() throws(JSONSyntaxError) {
        guard depth < Self.maximumDepth else {
            throw JSONSyntaxError(expected: "at most \(Self.maximumDepth) levels of nesting", at: index)
        }
        outerContainers.append(innermostContainer)
        innermostContainer = cells.count
        cells.append(index)
        // `endContainer` sets the second cell to the end of the contents.
        cells.append(0)
        index += 1
        skipSpaces()
    }

    /// Scans a closing bracket, and stores the end of the contents in the second cell of the array or object.
    private mutating func endContainer() {
        index += 1
        // The cell is 0, or has the flag for repeated names, which is kept.
        cells[innermostContainer + 1] |= UInt32(truncatingIfNeeded: cells.count)
        innermostContainer = outerContainers.removeLast()
    }

    /// Scans the name of a member and the colon after it. White space may surround both.
    private mutating func scanName() throws(JSONSyntaxError) {
        skipSpaces()
        guard bytes[index] == .quote else { throw JSONSyntaxError(expected: "a name in quotes", at: index) }
        let start = index
        try scanString()
        checkForRepetition(nameFrom: start + 1)
        skipSpaces()
        guard bytes[index] == .colon else { throw JSONSyntaxError(expected: "`:`", at: index) }
        index += 1
    }

    /// Adds the name that was scanned last to the names of its object. If it was there already, sets the object's flag
    /// for repeated names, ``JSONDocument/repeatedNamesFlag``.
    ///
    /// A name with escapes is not added, since names are compared by their bytes. It may equal any other name, as
    /// `"\u0061"` equals `"a"`, so it always sets the flag.
    ///
    /// - Parameter start: The index of the name's first byte. Its closing quote was scanned.
    @inline(__always)
    private mutating func checkForRepetition(nameFrom start: Int) {
        let object = innermostContainer
        let cell = cells.count &- 1
        let isEscaped = cells.numbers[cell] & JSONDocument.escapedFlag != 0
        if !isEscaped {
            let name = JSONNameTables.Name(cell: cell, start: start, end: index)
            if names.insert(name, in: object, depth: depth, of: text, cells: cells) { return }
        }
        cells[object + 1] |= JSONDocument.repeatedNamesFlag
    }

    // MARK: - Numbers

    /// Scans a number, such as `-12.5e3`, and adds its cell.
    private mutating func scanNumber() throws(JSONSyntaxError) {
        let start = index
        if bytes[index] == .minus { index += 1 }
        let isAfterSign = index > start
        try scanIntegralDigits(isAfterSign: isAfterSign)
        if bytes[index] == .point {
            index += 1
            try scanDigits()
        }
        if bytes[index].isExponentSign {
            index += 1
            if bytes[index] == .minus || bytes[index] == .plus { index += 1 }
            try scanDigits()
        }
        cells.append(start)
    }

    /// Scans the digits before the point: a single zero, or digits that do not begin with zero.
    /// If there is no digit, the error after a minus sign differs from that at the start of a value.
    @inline(__always)
    private mutating func scanIntegralDigits(isAfterSign: Bool) throws(JSONSyntaxError) {
        let first = bytes[index]
        guard first.isDigit else { throw JSONSyntaxError(expected: isAfterSign ? "a digit" : "a value", at: index) }
        index += 1
        if first != .zero { skipDigits() }
    }

    /// Scans at least one digit.
    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard bytes[index].isDigit else { throw JSONSyntaxError(expected: "a digit", at: index) }
        skipDigits()
    }

    private mutating func skipDigits() {
        while bytes[index].isDigit { index += 1 }
    }

    // MARK: - Strings

    /// Scans a string with its quotes, and adds its cell.
    @inline(__always)
    private mutating func scanString() throws(JSONSyntaxError) {
        let endOfPlainText = text.endOfPlainText(from: index + 1)
        guard bytes[endOfPlainText] == .quote else { return try scanString(afterPlainText: endOfPlainText) }
        cells.append(index)
        index = endOfPlainText + 1
    }

    /// Scans a string that has escapes, characters beyond ASCII or invalid bytes, and adds its cell.
    ///
    /// The caller has found `endOfPlainText`, the index of the first byte that is neither plain text nor the closing
    /// quote.
    @inline(never)
    private mutating func scanString(afterPlainText endOfPlainText: Int) throws(JSONSyntaxError) {
        let start = index
        var isEscaped = false
        index = endOfPlainText
        while bytes[index] != .quote {
            switch bytes[index] {
            case .backslash:
                isEscaped = true
                try scanEscape()
            case 0x80...:
                try scanCharactersBeyondASCII()
            default:
                throw errorAtControlCharacter
            }
            index = text.endOfPlainText(from: index)
        }
        index += 1
        cells.append(start)
        if isEscaped { cells[cells.count - 1] |= JSONDocument.escapedFlag }
    }

    /// The error for a control character in a string. The text is followed by zeros, which are control characters too.
    /// So a string without a closing quote gets here as well, at the end of the text.
    private var errorAtControlCharacter: JSONSyntaxError {
        if index >= text.count { return JSONSyntaxError(expected: "the end of a string", at: index) }
        return JSONSyntaxError(expected: "an escaped control character", at: index)
    }

    /// Scans an escape, such as `\n` or `\u00e9`, which begins at the index.
    private mutating func scanEscape() throws(JSONSyntaxError) {
        switch bytes[index + 1] {
        case .quote, .backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            try scanEscapedUnits()
        default:
            throw JSONSyntaxError(expected: "an escape such as `\\n`", at: index)
        }
    }

    /// Scans `\u` with its digits. A lead surrogate has to be followed by the escape of a trail surrogate.
    private mutating func scanEscapedUnits() throws(JSONSyntaxError) {
        let start = index
        let unit = try scanEscapedUnit()
        guard UTF16.isSurrogate(unit) else { return }
        let isFollowedByUnit = bytes[index] == .backslash && bytes[index + 1] == UInt8(ascii: "u")
        if UTF16.isLeadSurrogate(unit), isFollowedByUnit {
            let secondUnit = try scanEscapedUnit()
            if UTF16.isTrailSurrogate(secondUnit) { return }
        }
        throw JSONSyntaxError(expected: "a pair of surrogates", at: start)
    }

    /// Scans `\u` and the four hexadecimal digits after it, and returns their value.
    private mutating func scanEscapedUnit() throws(JSONSyntaxError) -> UInt16 {
        // The caller has checked the backslash and the `u`.
        index += 2
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = bytes[index].hexValue else {
                throw JSONSyntaxError(expected: "four hexadecimal digits", at: index)
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    /// Scans one or more characters beyond ASCII, up to a byte of ASCII.
    @inline(__always)
    private mutating func scanCharactersBeyondASCII() throws(JSONSyntaxError) {
        while bytes[index] >= 0x80 { try scanCharacterBeyondASCII() }
    }

    /// Scans a character of two to four bytes (RFC 3629, section 4).
    @inline(__always)
    private mutating func scanCharacterBeyondASCII() throws(JSONSyntaxError) {
        switch bytes[index] {
        case 0xC2...0xDF: try scanCharacter(length: 2)
        // With a second byte below 0xA0, the character would have a shorter form.
        case 0xE0: try scanCharacter(length: 3, second: 0xA0...0xBF)
        // With a second byte above 0x9F, the character would be a surrogate.
        case 0xED: try scanCharacter(length: 3, second: 0x80...0x9F)
        case 0xE1...0xEF: try scanCharacter(length: 3)
        // With a second byte below 0x90, the character would have a shorter form.
        case 0xF0: try scanCharacter(length: 4, second: 0x90...0xBF)
        case 0xF1...0xF3: try scanCharacter(length: 4)
        // With a second byte above 0x8F, the character would be beyond U+10FFFF.
        case 0xF4: try scanCharacter(length: 4, second: 0x80...0x8F)
        default: throw JSONSyntaxError(expected: "UTF-8", at: index)
        }
    }

    /// Scans a character of the given number of bytes. Its second byte has to be in a range, and all others have to be
    /// continuation bytes, 0x80 to 0xBF.
    @inline(__always)
    private mutating func scanCharacter(
        length: Int, second: ClosedRange<UInt8> = 0x80...0xBF
    ) throws(JSONSyntaxError) {
        guard second.contains(bytes[index + 1]) else { throw JSONSyntaxError(expected: "UTF-8", at: index) }
        // At the end of the text, the zeros after it fail this check.
        for offset in 2..<length {
            guard 0x80...0xBF ~= bytes[index + offset] else { throw JSONSyntaxError(expected: "UTF-8", at: index) }
        }
        index += length
    }
}
