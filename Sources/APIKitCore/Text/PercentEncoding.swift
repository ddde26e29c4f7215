extension [UInt8] {
    /// Appends text, with every byte outside `allowed` percent-encoded (RFC 3986, section 2.1).
    // One copy of this loop: inlined into its callers it would double their size.
    @inline(never)
    package mutating func append(_ text: String, percentEncodingAllBut allowed: ByteSet, spaceAsPlus: Bool = false) {
        var text = text
        text.withUTF8 { bytes in
            guard !bytes.allSatisfy(allowed.contains) else { return append(contentsOf: bytes) }
            // Through a buffer, since appending single bytes to an array takes four times as long.
            var rest = bytes[...]
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * Swift.min(bytes.count, 1 << 10)) { buffer in
                while !rest.isEmpty {
                    var count = 0
                    for byte in UnsafeBufferPointer(rebasing: rest.prefix(1 << 10)) {
                        if allowed.contains(byte) {
                            buffer[count] = byte
                            count += 1
                        } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                            buffer[count] = UInt8(ascii: "+")
                            count += 1
                        } else {
                            buffer[count] = UInt8(ascii: "%")
                            buffer[count + 1] = (byte >> 4).hexDigit
                            buffer[count + 2] = (byte & 0x0F).hexDigit
                            count += 3
                        }
                    }
                    append(contentsOf: buffer[..<count])
                    rest = rest.dropFirst(1 << 10)
                }
            }
        }
    }

    mutating func appendPercentEncoded(_ byte: UInt8) {
        append(UInt8(ascii: "%"))
        append((byte >> 4).hexDigit)
        append((byte & 0x0F).hexDigit)
    }
}

extension ArraySlice<UInt8> {
    /// Whether this begins with a valid `%XX`.
    var startsWithPercentEscape: Bool {
        first == UInt8(ascii: "%") && dropFirst().prefix(2).count { $0.hexValue != nil } == 2
    }

    /// Takes off the next byte, decoded if it is a valid `%XX`, and returns it with what it was written as.
    package mutating func popPercentDecoded() -> (byte: UInt8, source: ArraySlice<UInt8>)? {
        guard let first else { return nil }
        guard startsWithPercentEscape, let high = self[startIndex + 1].hexValue, let low = self[startIndex + 2].hexValue
        else {
            removeFirst()
            return (first, [first])
        }
        defer { removeFirst(3) }
        return (high << 4 | low, prefix(3))
    }
}

extension StringProtocol {
    /// The text in the one spelling of all that differ in what is percent-encoded (RFC 3986, section 6.2.2): ASCII
    /// characters are not, except `%` and the given signs if they were; other bytes are.
    package func normalizingPercentEncoding(preserving signs: String) -> String {
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, source) = rest.popPercentDecoded() {
            if byte > 0x7F || byte == UInt8(ascii: "%") || source.count > 1 && signs.utf8.contains(byte) {
                result.appendPercentEncoded(byte)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with each `%XX` of an ASCII character decoded.
    package var removingPercentEncodingOfASCII: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, source) = rest.popPercentDecoded() {
            if byte < 0x80 { result.append(byte) } else { result += source }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether two texts differ at most in the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // A text gives its bytes one by one in ten times as long.
        let isEqual = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { $0.isEqual(to: own) }
        }
        return (isEqual ?? nil) ?? utf8.isEqual(to: other.utf8)
    }
}

extension Sequence<UInt8> {
    /// Whether others differ at most in the case of ASCII letters.
    fileprivate func isEqual(to other: some Sequence<UInt8>) -> Bool {
        elementsEqual(other) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}
