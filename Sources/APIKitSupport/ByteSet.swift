/// A set of ASCII bytes, such as the character classes of the standards. It takes two machine words.
///
/// Inlinable, since a call for each byte of a text would take several times as long as the test.
@frozen @usableFromInline package struct ByteSet: Sendable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0

    package init(_ characters: String) {
        insert(characters)
    }

    @inlinable package func contains(_ byte: UInt8) -> Bool {
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
    package static let pathValue = unreserved.union(":@")
    /// RFC 3986, section 3.3: characters allowed in a path, slashes included.
    package static let path = unreserved.union("!$&'()*+,;=:@/")
    /// WHATWG URL, application/x-www-form-urlencoded: characters that are not percent-encoded.
    static let form = alphanumeric.union("*-._")
    /// RFC 9110, section 5.6.2: methods and header names.
    package static let token = alphanumeric.union("!#$%&'*+-.^_`|~")
    /// RFC 2046, section 5.1.1: characters allowed in a multipart boundary, except the space.
    package static let boundary = alphanumeric.union("'()+_,-./:=?")
}
