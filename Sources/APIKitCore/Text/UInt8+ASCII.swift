extension UInt8 {
    var isASCIIUppercase: Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }

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

    /// The lower-case letter of an ASCII upper-case letter; any other byte as it is.
    package var lowercasedASCII: UInt8 {
        UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
