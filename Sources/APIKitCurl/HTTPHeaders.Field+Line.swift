#if os(Linux)
import APIKitCore
import CAPIKitCurl

extension HTTPHeaders.Field {
    /// Reads a line such as `Content-Type: text/html`.
    ///
    /// A `Set-Cookie` may contain a CR or a NUL, which become spaces (RFC 9110, section 5.5). Only the cookie is then
    /// invalid, and not the whole response (RFC 6265bis, section 5.6).
    ///
    /// - Parameter line: The line, without its line end.
    /// - Throws: `TransportError` with the code `badResponse` if the line is malformed.
    init(line: UnsafeRawBufferPointer) throws(TransportError) {
        if line.hasForbiddenCharacters, line.setsCookie {
            self.init(name: .setCookie, value: line.valueWithSpaces)
            return
        }
        try line.checkCharacters()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            // Not every libcurl refuses such a line itself.
            throw TransportError(.badResponse, "the head of the response contains a line without a colon")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        self.init(name: HTTPHeaders.Name(rawValue: name.headerText), value: value.headerText)
    }
}

extension UInt8 {
    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension UnsafeRawBufferPointer {
    /// The line without its CR LF, or LF.
    var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }

    /// Checks a line, without its line end, for a bare CR and for NUL (RFC 9112, section 2.2, and RFC 9110, section
    /// 5.5).
    ///
    /// - Throws: `TransportError` with the code `badResponse` if the line contains either.
    func checkCharacters() throws(TransportError) {
        if hasForbiddenCharacters {
            throw TransportError(.badResponse, "the head of the response contains a bare CR or a NUL")
        }
    }

    /// Whether a line, without its line end, contains a bare CR or a NUL.
    fileprivate var hasForbiddenCharacters: Bool {
        guard let baseAddress else { return false }
        let hasCR = acurl_contains(baseAddress, 0x0D, count)
        let hasNUL = acurl_contains(baseAddress, 0, count)
        return hasCR || hasNUL
    }

    /// Whether a line is that of a `Set-Cookie` header.
    fileprivate var setsCookie: Bool {
        String(decoding: prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased() == "set-cookie"
    }

    /// The value of a header's line, in which each CR and NUL is replaced by a space.
    fileprivate var valueWithSpaces: String {
        let value = drop { $0 != UInt8(ascii: ":") }.dropFirst()
        let bytes = value.map { $0 == 0x0D || $0 == 0 ? UInt8(ascii: " ") : $0 }
        return bytes.withUnsafeBytes(\.headerText)
    }

    /// The text without surrounding blanks, read as UTF-8 or, if the bytes are not valid UTF-8, as Latin-1 (RFC 9110,
    /// section 5.5).
    var headerText: String {
        let bytes = withoutBlanks
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        // ASCII is valid UTF-8, and validating it would take much longer than finding out that it is ASCII.
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // Each byte of Latin-1 is the number of its character in Unicode.
        let characters = bytes.map { Unicode.Scalar($0) }
        return String(String.UnicodeScalarView(characters))
    }

    private var withoutBlanks: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
#endif
