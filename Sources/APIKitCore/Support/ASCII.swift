extension UInt8 {
    var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercasedASCII
    }

    /// The value of this byte as a hexadecimal digit; nil if it is not one.
    package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The hexadecimal digit of a value below 16, in upper case.
    var hexDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") - 10 + self
    }
}

/// A set of ASCII bytes, such as the character classes of the standards. It takes two machine words.
package struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ characters: String) {
        insert(characters)
    }

    package func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        let word = byte < 64 ? low : high
        // `&<<` shifts modulo 64, so that byte 64 is the lowest bit of the high word.
        return word & (1 &<< UInt64(byte)) != 0
    }

    package func union(_ characters: String) -> ByteSet {
        var result = self
        result.insert(characters)
        return result
    }

    /// Inserts ASCII characters: each is one bit of the two words.
    private mutating func insert(_ characters: String) {
        for byte in characters.utf8 {
            let bit: UInt64 = 1 &<< UInt64(byte)
            if byte < 64 {
                low |= bit
            } else {
                high |= bit
            }
        }
    }
}

extension ByteSet {
    private static let alphanumeric = ByteSet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// RFC 3986, section 2.3: characters that never need encoding.
    package static let unreserved = alphanumeric.union("-._~")
    /// Characters of a value in a path that are not percent-encoded. RFC 3986, section 3.3, allows more of them in a
    /// segment, but some servers give `;`, `,` and `=` a meaning there.
    static let pathValue = unreserved.union(":@")
    /// RFC 3986, section 3.3: characters allowed in a path, slashes included.
    package static let path = unreserved.union("!$&'()*+,;=:@/")
    /// WHATWG URL, application/x-www-form-urlencoded: characters that are not percent-encoded.
    package static let form = alphanumeric.union("*-._")
    /// RFC 9110, section 5.6.2: methods and header names.
    package static let token = alphanumeric.union("!#$%&'*+-.^_`|~")
    /// RFC 2046, section 5.1.1: characters allowed in a multipart boundary, except the space.
    package static let boundary = alphanumeric.union("'()+_,-./:=?")
}

// Not generic over StringProtocol, since each specialization would be compiled separately.

extension Substring {
    /// The text without spaces and tabs around it. A space with a combining character is still a space.
    @inline(never)
    package func trimmingSpaces() -> Substring {
        guard let start = utf8.firstIndex(where: \.isText), let last = utf8.lastIndex(where: \.isText) else {
            return self[startIndex..<startIndex]
        }
        return self[start..<utf8.index(after: last)]
    }

    /// The number that the text spells with ASCII digits only; `Int` would accept a sign too.
    @inline(never)
    package var wholeNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in utf8 {
            guard byte.isDigit else { return nil }
            let tens = number.multipliedReportingOverflow(by: 10)
            let sum = tens.partialValue.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !tens.overflow, !sum.overflow else { return nil }
            number = sum.partialValue
        }
        return number
    }
}

extension String {
    /// The text without spaces and tabs around it.
    package func trimmingSpaces() -> Substring { self[...].trimmingSpaces() }

    /// The number that the text spells with ASCII digits only.
    package var wholeNumber: Int? { self[...].wholeNumber }

    /// The elements of a list (RFC 9110, section 5.6.1). A comma with a combining character is still a comma.
    package var listElements: [Substring] {
        utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingSpaces() }
    }

    /// The text after the first space, such as a token after its scheme.
    package var afterFirstSpace: String {
        String(Substring(utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst()))
    }
}

extension Data {
    /// The bytes as UTF-8; invalid ones become U+FFFD.
    @inline(never)
    package var utf8Text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
    fileprivate var isText: Bool { self != 0x20 && self != 0x09 }
}
