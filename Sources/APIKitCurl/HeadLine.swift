#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// A line of a head, or a part of it, in libcurl's memory.
///
/// It has its own functions, since those of Swift's collections call a function for each byte in a build without
/// optimization. There, reading heads was a tenth of the time that a request takes.
struct HeadLine {
    private let bytes: UnsafePointer<UInt8>
    let count: Int

    private init(_ bytes: UnsafePointer<UInt8>, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Takes a line without its line end, which is CR LF or LF.
    ///
    /// - Parameter line: The line as libcurl delivers it; nil if there are no bytes.
    init?(_ line: UnsafeRawBufferPointer) {
        guard let bytes = line.bindMemory(to: UInt8.self).baseAddress else { return nil }
        var count = line.count
        if count > 0, bytes[count - 1] == 0x0A { count -= 1 }
        if count > 0, bytes[count - 1] == 0x0D { count -= 1 }
        self.init(bytes, count: count)
    }

    var isEmpty: Bool { count == 0 }

    /// Whether the line continues the one before it (RFC 9112, section 5.2).
    var isFolded: Bool { count > 0 && bytes[0].isBlank }

    // MARK: - Parts

    func part(from start: Int, to end: Int) -> HeadLine {
        HeadLine(bytes + start, count: end - start)
    }

    /// The position at which a byte first occurs; nil if it does not occur.
    func position(of byte: UInt8) -> Int? {
        let position = acurl_find(bytes, Int32(byte), count)
        return position < 0 ? nil : position
    }

    func hasPrefix(_ prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount && acurl_equals(bytes, prefix.utf8Start, prefix.utf8CodeUnitCount)
    }

    private var trimmed: HeadLine {
        var start = 0
        var end = count
        while start < end, bytes[start].isBlank { start += 1 }
        while start < end, bytes[end - 1].isBlank { end -= 1 }
        return part(from: start, to: end)
    }

    // MARK: - Characters

    /// The error for a line with a bare CR or a NUL (RFC 9112, section 2.2, and RFC 9110, section 5.5).
    static let forbiddenCharacters = TransportError(
        .badResponse, "the head of the response contains a bare CR or a NUL")

    var hasForbiddenCharacters: Bool { position(of: 0x0D) != nil || position(of: 0) != nil }

    func checkCharacters() throws(TransportError) {
        if hasForbiddenCharacters { throw Self.forbiddenCharacters }
    }

    private var isASCII: Bool {
        var position = 0
        while position < count {
            if bytes[position] >= 0x80 { return false }
            position += 1
        }
        return true
    }

    // MARK: - Copies

    private var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    var array: [UInt8] { Array(buffer) }

    /// The bytes as UTF-8; invalid ones become U+FFFD.
    var text: String { String(decoding: buffer, as: UTF8.self) }

    /// The text without surrounding blanks, read as UTF-8 or, if the bytes are not valid UTF-8, as Latin-1 (RFC 9110,
    /// section 5.5).
    var trimmedText: String {
        let line = trimmed
        // ASCII is valid UTF-8, and validating it would take much longer than finding out that it is ASCII.
        if line.isASCII { return line.text }
        if let text = String(validating: line.buffer, as: UTF8.self) { return text }
        // Each byte of Latin-1 is the number of its character in Unicode.
        var text = ""
        for byte in line.buffer { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// The text without surrounding blanks, in which each CR and NUL is replaced by a space.
    var textWithSpaces: String {
        var copy = array
        for position in copy.indices where copy[position] == 0x0D || copy[position] == 0 {
            copy[position] = UInt8(ascii: " ")
        }
        return copy.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { HeadLine($0, count: buffer.count).trimmedText } ?? ""
        }
    }
}

extension UInt8 {
    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
#endif
