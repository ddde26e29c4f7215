/// A set of ASCII bytes, two machine words wide: the character classes of the standards.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            insert(byte)
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & (1 << UInt64(byte)) != 0
        case 64..<128: high & (1 << UInt64(byte - 64)) != 0
        default: false
        }
    }

    func union(_ characters: String) -> ByteSet {
        var result = self
        for byte in characters.utf8 {
            result.insert(byte)
        }
        return result
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 {
            low |= 1 << UInt64(byte)
        } else {
            high |= 1 << UInt64(byte - 64)
        }
    }
}

extension ByteSet {
    private static let alphanumeric = ByteSet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// RFC 3986, section 2.3: what never needs encoding.
    static let unreserved = alphanumeric.union("-._~")
    /// RFC 3986, section 3.3: what may stand in a path, with its slashes.
    static let path = unreserved.union("!$&'()*+,;=:@/")
    /// WHATWG URL, application/x-www-form-urlencoded percent-encode set: what is left as it is.
    static let form = alphanumeric.union("*-._")
    /// RFC 9110, section 5.6.2: methods and header names.
    static let token = alphanumeric.union("!#$%&'*+-.^_`|~")
    /// RFC 2046, section 5.1.1: what a multipart boundary may hold, without the space.
    static let boundary = alphanumeric.union("'()+_,-./:=?")
}
