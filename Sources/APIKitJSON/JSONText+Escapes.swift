extension JSONText {
    /// The text from an index to the next quote, with its escapes replaced. The scanner has checked them.
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

    private func endOfUnescapedText(from start: Int) -> Int {
        var index = start
        while self[index] != .quote, self[index] != .backslash { index += 1 }
        return index
    }

    /// Appends what an escape stands for, and moves the index after the escape.
    private func appendEscape(at index: inout Int, to bytes: inout [UInt8]) {
        let sign = self[index + 1]
        index += 2
        switch sign {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(.lineFeed)
        case UInt8(ascii: "r"): bytes.append(.carriageReturn)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes += String(escapedScalar(at: &index)).utf8
        default: bytes.append(sign)
        }
    }

    /// The scalar of the four digits at an index, or of a pair of surrogates, and moves the index after it.
    private func escapedScalar(at index: inout Int) -> Unicode.Scalar {
        let unit = escapedUnit(at: index)
        index += 4
        var number = UInt32(unit)
        if UTF16.isLeadSurrogate(unit) {
            // The second unit follows after `\u`.
            let second = escapedUnit(at: index + 2)
            index += 6
            number = 0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(second) - 0xDC00
        }
        return Unicode.Scalar(number) ?? "\u{FFFD}"
    }

    /// The number of the four hexadecimal digits at an index.
    private func escapedUnit(at index: Int) -> UInt16 {
        var unit: UInt16 = 0
        for digit in index..<index + 4 { unit = unit << 4 | (self[digit].hexDigit ?? 0) }
        return unit
    }
}
