// The bytes that have a meaning in JSON.
extension UInt8 {
    static var quote: UInt8 { UInt8(ascii: "\"") }
    static var backslash: UInt8 { UInt8(ascii: "\\") }
    static var comma: UInt8 { UInt8(ascii: ",") }
    static var colon: UInt8 { UInt8(ascii: ":") }
    static var openingBrace: UInt8 { UInt8(ascii: "{") }
    static var closingBrace: UInt8 { UInt8(ascii: "}") }
    static var openingBracket: UInt8 { UInt8(ascii: "[") }
    static var closingBracket: UInt8 { UInt8(ascii: "]") }
    static var plus: UInt8 { UInt8(ascii: "+") }
    static var minus: UInt8 { UInt8(ascii: "-") }
    static var point: UInt8 { UInt8(ascii: ".") }
    static var zero: UInt8 { UInt8(ascii: "0") }
    static var underscore: UInt8 { UInt8(ascii: "_") }
    static var space: UInt8 { 0x20 }
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }

    /// Whether the byte is one of the four that JSON allows between values.
    @inline(__always)
    var isSpace: Bool {
        switch self {
        case .space, .tab, .lineFeed, .carriageReturn: true
        default: false
        }
    }

    @inline(__always)
    package var isDigit: Bool { self &- .zero < 10 }

    /// The value of a decimal digit.
    @inline(__always)
    var digitValue: UInt8 { self &- .zero }

    /// Whether the byte begins the exponent of a number: `e` or `E`.
    @inline(__always)
    var isExponentSign: Bool { self | 0x20 == UInt8(ascii: "e") }

    /// The value of this byte as a hexadecimal digit; nil if it is not one.
    var hexDigit: UInt16? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self - .zero)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    // MARK: - Letters of ASCII

    @inline(__always)
    var isCapital: Bool { self &- UInt8(ascii: "A") < 26 }

    @inline(__always)
    var isSmallLetter: Bool { self &- UInt8(ascii: "a") < 26 }

    @inline(__always)
    var isLetter: Bool { isCapital || isSmallLetter }

    @inline(__always)
    var lowercased: UInt8 { isCapital ? self + 0x20 : self }

    @inline(__always)
    var uppercased: UInt8 { isSmallLetter ? self - 0x20 : self }

    package var isASCIIUppercase: Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
    }

    /// The lower-case letter of an ASCII upper-case letter; any other byte as it is.
    package var lowercasedASCII: UInt8 {
        isASCIIUppercase ? self | 0x20 : self
    }
}
