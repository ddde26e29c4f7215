import APIKitSupport

extension JSONText {
    /// Returns the text from an index to the next quote that is not escaped, with its escapes replaced. The scanner has
    /// validated the escapes.
    func unescaped(from start: Int) -> String {
        var bytes: [UInt8] = []
        var index = start
        while self[index] != .quote {
            if self[index] == .backslash {
                appendEscape(at: &index, to: &bytes)
            } else {
                let end = endOfUnescapedText(from: index)
                append(index..<end, to: &bytes)
                index = end
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the index of the next quote or backslash.
    private func endOfUnescapedText(from start: Int) -> Int {
        var index = start
        while self[index] != .quote, self[index] != .backslash { index += 1 }
        return index
    }

    /// Appends the character that an escape represents, and moves the index after the escape: for `\n`, appends a line
    /// feed and moves the index by two.
    private func appendEscape(at index: inout Int, to bytes: inout [UInt8]) {
        let letter = self[index + 1]
        // The backslash and the letter.
        index += 2
        switch letter {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(.lineFeed)
        case UInt8(ascii: "r"): bytes.append(.carriageReturn)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes += String(escapedScalar(at: &index)).utf8
        // A quote, a backslash or a slash, which stands for itself.
        default: bytes.append(letter)
        }
    }

    /// Reads the Unicode scalar whose digits are at an index, and moves the index after them: `00e9` is é.
    ///
    /// A scalar beyond U+FFFF is written as a pair of surrogates, the second of which is another escape: `d83d\ude00`
    /// is U+1F600. Each has ten bits of the scalar.
    private func escapedScalar(at index: inout Int) -> Unicode.Scalar {
        let unit = escapedUnit(at: index)
        index += 4
        var number = UInt32(unit)
        if UTF16.isLeadSurrogate(unit) {
            // The digits of the second surrogate follow `\u`.
            let secondUnit = escapedUnit(at: index + 2)
            index += 6
            let highBits = (UInt32(unit) - 0xD800) << 10
            let lowBits = UInt32(secondUnit) - 0xDC00
            number = 0x10000 + highBits + lowBits
        }
        // The scanner has checked that surrogates are pairs, so the number is that of a scalar.
        return Unicode.Scalar(number) ?? "\u{FFFD}"
    }

    /// Returns the value of the four hexadecimal digits at an index.
    private func escapedUnit(at index: Int) -> UInt16 {
        var unit: UInt16 = 0
        for digit in index..<index + 4 { unit = unit << 4 | UInt16(self[digit].hexValue ?? 0) }
        return unit
    }
}
