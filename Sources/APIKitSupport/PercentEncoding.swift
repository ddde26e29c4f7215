/// A table for percent-encoding (RFC 3986, section 2.1): the text that replaces each byte.
package struct PercentEncoding: Sendable {
    /// The one to three bytes that each byte is replaced by. The first of them is in the lowest byte of the code, and
    /// their number is in the highest.
    fileprivate let codes: [UInt32]

    package init(allBut allowed: ByteSet, spaceAsPlus: Bool = false) {
        codes = (0...UInt8.max).map { byte in
            if allowed.contains(byte) { return Self.code(for: byte) }
            if spaceAsPlus, byte == UInt8(ascii: " ") { return Self.code(for: UInt8(ascii: "+")) }
            return Self.code(forEscaped: byte)
        }
    }

    private static func code(for byte: UInt8) -> UInt32 {
        1 << 24 | UInt32(byte)
    }

    /// Returns the code of `%XX`.
    private static func code(forEscaped byte: UInt8) -> UInt32 {
        let high = UInt32((byte >> 4).hexDigit)
        let low = UInt32((byte & 0x0F).hexDigit)
        return 3 << 24 | low << 16 | high << 8 | UInt32(UInt8(ascii: "%"))
    }

    /// For a part of a query, and for lists and objects in a path.
    package static let query = PercentEncoding(allBut: .unreserved)
    /// For a value in a segment of a path.
    package static let pathValue = PercentEncoding(allBut: .pathValue)
    /// For a name or a value in a form.
    package static let form = PercentEncoding(allBut: .form, spaceAsPlus: true)
}

extension [UInt8] {
    /// Appends text with some of its bytes percent-encoded.
    // One copy of this loop: inlined into its callers it would double their size.
    @inline(never)
    package mutating func append(_ text: String, percentEncoded encoding: PercentEncoding) {
        var text = text
        text.withUTF8 { bytes in
            encoding.codes.withUnsafeBufferPointer { append(bytes, encodedAs: $0) }
        }
    }

    /// Appends the code of each byte, as ``PercentEncoding/codes`` stores it.
    @inline(__always)
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, encodedAs codes: UnsafeBufferPointer<UInt32>) {
        // The bytes are collected in a buffer of at most 4 KiB, since an array checks its capacity for each byte that
        // is appended.
        let chunkSize = 1024
        let sizeOfCode = 4
        let bufferSize = sizeOfCode * Swift.min(bytes.count, chunkSize)
        withUnsafeTemporaryAllocation(byteCount: bufferSize, alignment: 1) { buffer in
            var start = 0
            while start < bytes.count {
                let end = Swift.min(start + chunkSize, bytes.count)
                var count = 0
                for byte in UnsafeBufferPointer(rebasing: bytes[start..<end]) {
                    let code = codes[Int(byte)]
                    // All four bytes of the code are written at once. The next code overwrites the unused ones.
                    buffer.storeBytes(of: code.littleEndian, toByteOffset: count, as: UInt32.self)
                    count &+= Int(code >> 24)
                }
                append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                start = end
            }
        }
    }

    /// Appends a byte as `%XX`.
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

    /// Removes the next byte, decoded if it is a valid `%XX`, and returns it with the bytes that it was written as.
    package mutating func popPercentDecoded() -> (byte: UInt8, source: ArraySlice<UInt8>)? {
        guard let first else { return nil }
        var length = 1
        var byte = first
        if startsWithPercentEscape, let high = self[startIndex + 1].hexValue, let low = self[startIndex + 2].hexValue {
            length = 3
            byte = high << 4 | low
        }
        let source = prefix(length)
        removeFirst(length)
        return (byte, source)
    }

    /// The bytes with each `%XX` decoded; nil if a `%` is not the beginning of one.
    package var percentDecoded: Data? {
        var rest = self
        var decoded: [UInt8] = []
        while let (byte, source) = rest.popPercentDecoded() {
            let isLonePercent = source.count == 1 && source.first == UInt8(ascii: "%")
            if isLonePercent { return nil }
            decoded.append(byte)
        }
        return Data(decoded)
    }
}

// Not generic over StringProtocol, since each specialization would be compiled separately.

extension String {
    /// Returns the text with normalized percent-encoding (RFC 3986, section 6.2.2), so that two texts that differ only
    /// in it become equal.
    ///
    /// An encoded ASCII character is decoded. Three kinds of bytes are encoded: those beyond ASCII, `%`, and the given
    /// signs if they were encoded before, since `%2F` and `/` need not mean the same.
    package func normalizingPercentEncoding(preserving signs: String) -> String {
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, source) = rest.popPercentDecoded() {
            let wasEncoded = source.count > 1
            let isPreserved = wasEncoded && signs.utf8.contains(byte)
            if byte > 0x7F || byte == UInt8(ascii: "%") || isPreserved {
                result.appendPercentEncoded(byte)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text without percent-encoding and with spaces for plus signs, as a form decodes it: `a+b%2B` is `a b+`.
    package var fullyDecoded: String {
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, source) = rest.popPercentDecoded() {
            let isPlus = source.first == UInt8(ascii: "+")  // unlike an encoded one, `%2B`
            result.append(isPlus ? UInt8(ascii: " ") : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text with each `%XX` of an ASCII character decoded.
    package var removingPercentEncodingOfASCII: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, source) = rest.popPercentDecoded() {
            if byte < 0x80 {
                result.append(byte)
            } else {
                result += source
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension String {
    /// Whether two texts differ at most in the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var text = self
        var other = other
        // Reading single bytes from `utf8` views is much slower than comparing the buffers of the texts.
        return text.withUTF8 { bytes in
            other.withUTF8 { otherBytes in
                var position = 0
                while position < bytes.count {
                    if bytes[position].lowercasedASCII != otherBytes[position].lowercasedASCII { return false }
                    position += 1
                }
                return true
            }
        }
    }
}

extension Substring {
    /// See ``Swift/String/normalizingPercentEncoding(preserving:)``.
    package func normalizingPercentEncoding(preserving signs: String) -> String {
        String(self).normalizingPercentEncoding(preserving: signs)
    }

    /// See ``Swift/String/fullyDecoded``.
    package var fullyDecoded: String { String(self).fullyDecoded }

    /// See ``Swift/String/removingPercentEncodingOfASCII``.
    package var removingPercentEncodingOfASCII: String { String(self).removingPercentEncodingOfASCII }
}
