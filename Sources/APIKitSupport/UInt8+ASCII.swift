extension UInt8 {
    @inlinable @inline(__always)
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    @inlinable @inline(__always)
    package var isASCIIUppercase: Bool { self &- UInt8(ascii: "A") < 26 }

    @inlinable @inline(__always)
    package var isASCIILowercase: Bool { self &- UInt8(ascii: "a") < 26 }

    @inlinable @inline(__always)
    package var isASCIILetter: Bool { isASCIIUppercase || isASCIILowercase }

    /// The lower-case letter of an ASCII upper-case letter; any other byte as it is.
    @inlinable @inline(__always)
    package var lowercasedASCII: UInt8 { isASCIIUppercase ? self | 0x20 : self }

    /// The upper-case letter of an ASCII lower-case letter; any other byte as it is.
    @inlinable @inline(__always)
    package var uppercasedASCII: UInt8 { isASCIILowercase ? self - 0x20 : self }

    /// The value of this byte as a hexadecimal digit; nil if it is not one.
    @inlinable
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
