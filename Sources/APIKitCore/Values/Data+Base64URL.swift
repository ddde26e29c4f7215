// Base64 for URLs (RFC 4648, section 5): with `-` and `_` instead of `+` and `/`, and without padding.

extension Data {
    /// The bytes as Base64 for URLs, without padding (RFC 4648, section 5).
    public func base64URLEncodedString() -> String {
        let bytes = base64EncodedData().compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads Base64 for URLs, with or without padding (RFC 4648, section 5); nil for any other text.
    public init?(base64URLEncoded text: String) {
        var bytes = Array(text.utf8)
        let paddedCount = bytes.count
        while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        let paddingCount = paddedCount - bytes.count
        if paddingCount > 0 {
            let isPaddedToGroups = paddingCount <= 2 && paddedCount.isMultiple(of: 4)
            guard isPaddedToGroups else { return nil }
        }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "-"): bytes[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): bytes[index] = UInt8(ascii: "/")
            // These are of the other alphabet, or padding within the text.
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        while !bytes.count.isMultiple(of: 4) { bytes.append(UInt8(ascii: "=")) }
        self.init(base64Encoded: Data(bytes))
    }
}

extension JSONDecoder.DataDecodingStrategy {
    /// Reads `Data` from Base64 for URLs, with or without padding (RFC 4648, section 5).
    public static var base64URL: Self {
        .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            if let data = Data(base64URLEncoded: text) { return data }
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "expected Base64 for URLs")
            throw DecodingError.dataCorrupted(context)
        }
    }
}

extension JSONEncoder.DataEncodingStrategy {
    /// Writes `Data` as Base64 for URLs, without padding (RFC 4648, section 5).
    public static var base64URL: Self {
        .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(data.base64URLEncodedString())
        }
    }
}
