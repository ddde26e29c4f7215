/// A charset from which text is read strictly: invalid bytes are not replaced.
struct Charset {
    private let encoding: String.Encoding
    /// How many bytes a code unit has.
    private let width: Int

    /// - Parameter name: The name of the charset in lower case.
    init?(name: String) {
        switch name {
        case "utf-8", "utf8": (encoding, width) = (.utf8, 1)
        case "us-ascii", "ascii": (encoding, width) = (.ascii, 1)
        case "iso-8859-1", "iso8859-1", "latin1": (encoding, width) = (.isoLatin1, 1)
        case "utf-16": (encoding, width) = (.utf16, 2)
        case "utf-16be": (encoding, width) = (.utf16BigEndian, 2)
        case "utf-16le": (encoding, width) = (.utf16LittleEndian, 2)
        case "utf-32": (encoding, width) = (.utf32, 4)
        case "utf-32be": (encoding, width) = (.utf32BigEndian, 4)
        case "utf-32le": (encoding, width) = (.utf32LittleEndian, 4)
        default: return nil
        }
    }

    /// The text of the bytes without a byte order mark; nil if they are invalid.
    func text(of data: Data) -> String? {
        guard data.count.isMultiple(of: width), let text = decoded(data) else { return nil }
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }

    /// The text with its byte order mark: Foundation would drop the mark of some encodings and keep that of others.
    private func decoded(_ data: Data) -> String? {
        // Without a mark, the text is big-endian (RFC 2781, section 4.3).
        let isLittleEndian = data.starts(with: [0xFF, 0xFE])
        switch encoding {
        case .utf8:
            let text = String(decoding: data, as: UTF8.self)
            return text.utf8.elementsEqual(data) ? text : nil
        case .utf16: return String(bytes: data, encoding: isLittleEndian ? .utf16LittleEndian : .utf16BigEndian)
        case .utf32: return String(bytes: data, encoding: isLittleEndian ? .utf32LittleEndian : .utf32BigEndian)
        default: return String(bytes: data, encoding: encoding)
        }
    }
}
