/// Checks a JSON text by RFC 8259 in one pass, and notes where its values begin.
struct JSONScanner {
    /// How deep arrays and objects may nest.
    static let maximumDepth = 512

    private let text: JSONText
    private var index = 0
    private let cells: JSONCells
    /// The cells of the arrays and objects that have not ended.
    private let open = JSONCells(capacity: 16)
    /// The cells of names by their hashes, a table for each depth. Those up to an object's cell are of earlier objects.
    private let names = JSONCells(capacity: tableSize)
    private static let tableSize = 256
    /// How many places of a table are tried for a name: few objects with less than 200 members need more.
    private static let maximumTries = 16

    /// The cells of a text: see ``JSONDocument``.
    ///
    /// - Throws: ``JSONSyntaxError`` at the first byte that is not JSON.
    static func cells(of text: JSONText) throws(JSONSyntaxError) -> JSONCells {
        guard text.count <= JSONDocument.maximumSize else { throw JSONSyntaxError(expected: "at most 2 GB", at: 0) }
        var scanner = JSONScanner(text)
        try scanner.scan()
        return scanner.cells
    }

    private init(_ text: JSONText) {
        self.text = text
        cells = JSONCells(capacity: text.count / 8 + 4)
    }

    private mutating func scan() throws(JSONSyntaxError) {
        repeat {
            try scanValue()
        } while try scanToNextValue()
    }

    /// Scans a scalar, an empty container, or the beginning of another one up to its first value.
    @inline(__always)
    private mutating func scanValue() throws(JSONSyntaxError) {
        while true {
            skipSpaces()
            switch text[index] {
            case UInt8(ascii: "\""):
                return try scanString()
            case UInt8(ascii: "{"):
                try begin()
                if text[index] == UInt8(ascii: "}") { return end() }
                try scanName()
            case UInt8(ascii: "["):
                try begin()
                if text[index] == UInt8(ascii: "]") { return end() }
            case UInt8(ascii: "t"): return try scanWord("true")
            case UInt8(ascii: "f"): return try scanWord("false")
            case UInt8(ascii: "n"): return try scanWord("null")
            default: return try scanNumber()
            }
        }
    }

    /// The cell of the innermost array or object that has not ended.
    private var container: Int { Int(open[open.count &- 1]) }

    /// Scans what stands between two values.
    ///
    /// - Returns: False at the end of the text.
    @inline(__always)
    private mutating func scanToNextValue() throws(JSONSyntaxError) -> Bool {
        while open.count > 0 {
            skipSpaces()
            let isObject = text[Int(cells[container])] == UInt8(ascii: "{")
            switch text[index] {
            case UInt8(ascii: ","):
                index += 1
                if isObject { try scanName() }
                return true
            case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                end()
            default:
                throw JSONSyntaxError(expected: isObject ? "`,` or `}`" : "`,` or `]`", at: index)
            }
        }
        skipSpaces()
        guard index >= text.count else { throw JSONSyntaxError(expected: "the end", at: index) }
        return false
    }

    private mutating func begin() throws(JSONSyntaxError) {
        guard open.count < Self.maximumDepth else {
            throw JSONSyntaxError(expected: "at most \(Self.maximumDepth) levels of nesting", at: index)
        }
        open.append(cells.count)
        cells.append(index)
        cells.append(0)
        index += 1
        skipSpaces()
    }

    private mutating func end() {
        index += 1
        cells[open.removeLast() + 1] |= UInt32(truncatingIfNeeded: cells.count)
    }

    /// Scans the name of a member and the colon after it.
    private mutating func scanName() throws(JSONSyntaxError) {
        skipSpaces()
        guard text[index] == UInt8(ascii: "\"") else { throw JSONSyntaxError(expected: "a name in quotes", at: index) }
        let start = index
        try scanString()
        noteName(start + 1..<index)
        skipSpaces()
        guard text[index] == UInt8(ascii: ":") else { throw JSONSyntaxError(expected: "`:`", at: index) }
        index += 1
    }

    /// Notes the last name, or marks the object if it needs an index: if the name has escapes or may be there twice.
    ///
    /// - Parameter name: The bytes of the name, with the quote after them.
    @inline(__always)
    private mutating func noteName(_ name: Range<Int>) {
        let table = (open.count &- 1) * Self.tableSize
        if names.count <= table { addTables(table) }
        let (cell, place) = (cells.count &- 1, table &+ Int(text.hash(name) >> 56))
        if Int(names[place]) <= container, cells[cell] & JSONDocument.escapedFlag == 0 {
            names[place] = UInt32(truncatingIfNeeded: cell)
        } else {
            noteCollision(name, place)
        }
    }

    @inline(never)
    private mutating func noteCollision(_ name: Range<Int>, _ place: Int) {
        let cell = cells.count - 1
        guard cells[container + 1] == 0 else { return }
        if cells[cell] & JSONDocument.escapedFlag == 0 {
            for offset in 0..<Self.maximumTries {
                // The last place of a table is followed by its first.
                let place = place & ~(Self.tableSize - 1) | (place + offset) & (Self.tableSize - 1)
                let other = Int(names[place])
                guard other > container else {
                    names[place] = UInt32(truncatingIfNeeded: cell)
                    return
                }
                if text.isRepeated(name, at: Int(cells[other]) + 1) { break }
            }
        }
        cells[container + 1] = JSONDocument.indexedFlag
    }

    @inline(never)
    private mutating func addTables(_ table: Int) {
        while names.count < table + Self.tableSize { names.append(0) }
    }

    private mutating func scanWord(_ word: StaticString) throws(JSONSyntaxError) {
        guard text.hasText(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount), at: index) else {
            throw JSONSyntaxError(expected: "a value", at: index)
        }
        cells.append(index)
        index += word.utf8CodeUnitCount
    }

    private mutating func scanNumber() throws(JSONSyntaxError) {
        let start = index
        if text[index] == UInt8(ascii: "-") { index += 1 }
        let first = text[index]
        guard first.isDigit else { throw JSONSyntaxError(expected: index == start ? "a value" : "a digit", at: index) }
        index += 1
        if first != UInt8(ascii: "0") { skipDigits() }
        if text[index] == UInt8(ascii: ".") {
            index += 1
            try scanDigits()
        }
        if text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
            try scanDigits()
        }
        cells.append(start)
    }

    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard text[index].isDigit else { throw JSONSyntaxError(expected: "a digit", at: index) }
        skipDigits()
    }

    private mutating func skipDigits() {
        while text[index].isDigit { index += 1 }
    }

    @inline(__always)
    private mutating func skipSpaces() {
        while text[index] <= 0x20, [0x20, 0x0A, 0x0D, 0x09].contains(text[index]) { index += 1 }
    }

    @inline(__always)
    private mutating func scanString() throws(JSONSyntaxError) {
        let end = text.endOfPlainText(from: index + 1)
        guard text[end] == UInt8(ascii: "\"") else { return try scanString(plainUpTo: end) }
        cells.append(index)
        index = end + 1
    }

    /// Scans a string with escapes or with characters beyond ASCII.
    @inline(never)
    private mutating func scanString(plainUpTo end: Int) throws(JSONSyntaxError) {
        let start = index
        var isPlain = true
        index = end
        while text[index] != UInt8(ascii: "\"") {
            switch text[index] {
            case UInt8(ascii: "\\"):
                isPlain = false
                try scanEscape()
            case 0x80...:
                repeat { index += try lengthOfCharacter() } while text[index] >= 0x80
            default:
                let isEnd = index >= text.count
                throw JSONSyntaxError(
                    expected: isEnd ? "the end of a string" : "an escaped control character", at: index)
            }
            index = text.endOfPlainText(from: index)
        }
        index += 1
        cells.append(isPlain ? start : start | Int(JSONDocument.escapedFlag))
    }

    private mutating func scanEscape() throws(JSONSyntaxError) {
        let start = index
        index += 2
        switch text[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = try scanHexDigits()
            guard UTF16.isSurrogate(unit) else { return }
            if UTF16.isLeadSurrogate(unit), text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") {
                index += 2
                if UTF16.isTrailSurrogate(try scanHexDigits()) { return }
            }
            throw JSONSyntaxError(expected: "a pair of surrogates", at: start)
        default:
            throw JSONSyntaxError(expected: "an escape such as `\\n`", at: start)
        }
    }

    private mutating func scanHexDigits() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = text[index].hexDigit else {
                throw JSONSyntaxError(expected: "four hexadecimal digits", at: index)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    /// How many bytes the character beyond ASCII has that begins here (RFC 3629, section 4).
    private func lengthOfCharacter() throws(JSONSyntaxError) -> Int {
        let (first, second) = (text[index], text[min(index + 1, text.count)])
        let (length, seconds): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        guard length > 0, seconds.contains(second), length < 3 || text[index + 2] & 0xC0 == 0x80,
            length < 4 || text[index + 3] & 0xC0 == 0x80
        else { throw JSONSyntaxError(expected: "UTF-8", at: index) }
        return length
    }
}

extension UInt8 {
    @inline(__always)
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// The value of this byte as a hexadecimal digit; nil if it is not one.
    var hexDigit: UInt16? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(self | 0x20) - 0x57
        default: nil
        }
    }
}

extension UInt64 {
    /// The low half of the product; `&*` is resolved to a declaration that needs macOS 15.
    @inline(__always)
    package func times(_ other: UInt64) -> UInt64 { multipliedReportingOverflow(by: other).partialValue }
}
