extension SecretScanner {
    /// The end of a name that begins at an index, at a limit at the most; the index itself if none begins there.
    func endOfName(from start: Int, limit: Int = .max) -> Int {
        let limit = min(limit, bytes.count)
        var index = min(start, limit)
        while index < limit {
            if Self.name.contains(bytes[index]) {
                index += 1
            } else if let escaped = escapedByte(at: index), escaped.end <= limit {
                index = escaped.end
            } else {
                break
            }
        }
        return index
    }

    /// A letter, digit or sign of a name that JSON has escaped (RFC 8259, section 7), as in `pass\u0077ord`; each level
    /// of JSON within JSON doubles the backslashes.
    func escapedByte(at start: Int) -> (byte: UInt8, end: Int)? {
        guard byte(at: start) == UInt8(ascii: "\\") else { return nil }
        var index = start
        while index - start < 8, byte(at: index) == UInt8(ascii: "\\") { index += 1 }
        guard byte(at: index) == UInt8(ascii: "u"), index + 5 <= bytes.count,
            let byte = UInt8(text((index + 1)..<(index + 5)), radix: 16), ByteSet.unreserved.contains(byte)
        else { return nil }
        return (byte, index + 5)
    }

    /// A name without its escapes.
    func nameText(_ range: Range<Int>) -> String {
        guard bytes[range].contains(UInt8(ascii: "\\")) else { return text(range) }
        var name: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let escaped = escapedByte(at: index)
            name.append(escaped?.byte ?? bytes[index])
            index = escaped?.end ?? index + 1
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The word at the start of a value, without its quotes.
    func word(at index: Int) -> Range<Int> {
        var start = end(of: Self.backslash, from: index)
        start = byte(at: start).map(Self.quotes.contains) ?? false ? start + 1 : index
        return start..<max(start, endOfName(from: start, limit: start + 200))
    }
}
