extension ArraySlice<UInt8> {
    /// Splits the bytes at separators that are not inside a quoted string (RFC 9110, section 5.6.4).
    ///
    /// A quote that is never closed counts as an ordinary character.
    package func splitOutsideQuotes(at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var partStart = startIndex
        var index = startIndex
        var mayBeQuoted = true
        while index < endIndex {
            if self[index] == separator {
                parts.append(self[partStart..<index])
                partStart = index + 1
            } else if mayBeQuoted, self[index] == UInt8(ascii: "\"") {
                if let end = closingQuote(after: index) {
                    index = end
                } else {
                    // No later quote is closed either. A search for the end of each would take quadratic time.
                    mayBeQuoted = false
                }
            }
            index += 1
        }
        parts.append(self[partStart...])
        return parts
    }

    /// Returns the index of the quote that closes the one at the given index; nil if there is none.
    private func closingQuote(after openingQuote: Int) -> Int? {
        var index = openingQuote + 1
        while index < endIndex, self[index] != UInt8(ascii: "\"") {
            let isEscape = self[index] == UInt8(ascii: "\\")
            // A backslash and the byte after it, such as a quote, are skipped together.
            index += isEscape ? 2 : 1
        }
        return index < endIndex ? index : nil
    }

    /// The text of a quoted string without its quotes and backslashes (RFC 9110, section 5.6.4); nil if the bytes are
    /// not exactly one quoted string, such as `W/"a"`.
    package var unquoted: String? {
        guard first == UInt8(ascii: "\""), let end = closingQuote(after: startIndex) else { return nil }
        guard end == endIndex - 1 else { return nil }
        var rest = self[(startIndex + 1)..<end]
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "\\")
            // A backslash stands for the byte after it.
            text.append(isEscape ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
