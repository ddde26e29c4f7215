/// A set of ASCII bytes, two machine words wide: the character classes of the standards.
package struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ characters: String) {
        insert(characters)
    }

    package func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : byte < 128 ? high : 0
        return word & (1 &<< UInt64(byte)) != 0  // `&<<` shifts modulo 64
    }

    package func union(_ characters: String) -> ByteSet {
        var result = self
        result.insert(characters)
        return result
    }

    private mutating func insert(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 &<< UInt64(byte) } else { high |= 1 &<< UInt64(byte) }
        }
    }
}

extension ByteSet {
    private static let alphanumeric = ByteSet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// RFC 3986, section 2.3: characters that never need encoding.
    package static let unreserved = alphanumeric.union("-._~")
    /// RFC 3986, section 3.3: characters allowed in a path, slashes included.
    package static let path = unreserved.union("!$&'()*+,;=:@/")
    /// WHATWG URL, application/x-www-form-urlencoded: characters that are not percent-encoded.
    package static let form = alphanumeric.union("*-._")
    /// RFC 9110, section 5.6.2: methods and header names.
    package static let token = alphanumeric.union("!#$%&'*+-.^_`|~")
    /// RFC 2046, section 5.1.1: characters allowed in a multipart boundary, except the space.
    package static let boundary = alphanumeric.union("'()+_,-./:=?")
}
