/// A charset from which text is read strictly: invalid bytes are not replaced.
package struct Charset {
    private let encoding: String.Encoding
    /// The number of bytes in a code unit.
    private let width: Int

    /// Creates a charset from one of the names in IANA's registry or in WHATWG's Encoding Standard.
    ///
    /// `ucs-2` and `unicode` are not among them, since the two disagree on the order of their bytes.
    ///
    /// - Parameter name: The name of the charset in lower case.
    package init?(name: String) {
        switch name {
        case "utf-8", "utf8", "csutf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
            self.init(.utf8, width: 1)
        case "us-ascii", "ascii", "csascii", "us", "iso646-us", "iso_646.irv:1991", "iso-ir-6", "ansi_x3.4-1968",
            "ansi_x3.4-1986", "ibm367", "cp367":
            self.init(.ascii, width: 1)
        case "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "iso-ir-100", "csisolatin1",
            "latin1", "l1", "ibm819", "cp819":
            self.init(.isoLatin1, width: 1)
        case "utf-16", "csutf16": self.init(.utf16, width: 2)
        case "utf-16be", "csutf16be", "unicodefffe": self.init(.utf16BigEndian, width: 2)
        case "utf-16le", "csutf16le", "unicodefeff": self.init(.utf16LittleEndian, width: 2)
        case "utf-32", "csutf32": self.init(.utf32, width: 4)
        case "utf-32be", "csutf32be": self.init(.utf32BigEndian, width: 4)
        case "utf-32le", "csutf32le": self.init(.utf32LittleEndian, width: 4)
        default: return nil
        }
    }

    /// UTF-8.
    package static let utf8 = Charset(.utf8, width: 1)

    private init(_ encoding: String.Encoding, width: Int) {
        self.encoding = encoding
        self.width = width
    }

    /// Whether every text in this charset is the same text in UTF-8.
    package var isReadAsUTF8: Bool { encoding == .utf8 || encoding == .ascii }

    /// Returns the text of the bytes without a byte order mark; nil if they are invalid.
    package func text(of data: Data) -> String? {
        guard data.count.isMultiple(of: width), let text = decoded(data) else { return nil }
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// Returns the text. It may begin with the byte order mark, which Foundation drops for some encodings and keeps for
    /// others.
    private func decoded(_ data: Data) -> String? {
        // Without the mark of little-endian text, the text is big-endian (RFC 2781, section 4.3).
        let isLittleEndian = data.starts(with: [0xFF, 0xFE])
        switch encoding {
        case .utf8:
            let text = data.utf8Text
            let isValid = text.utf8.elementsEqual(data)  // otherwise, bytes were replaced
            return isValid ? text : nil
        case .utf16: return String(bytes: data, encoding: isLittleEndian ? .utf16LittleEndian : .utf16BigEndian)
        case .utf32: return String(bytes: data, encoding: isLittleEndian ? .utf32LittleEndian : .utf32BigEndian)
        default: return String(bytes: data, encoding: encoding)
        }
    }
}
