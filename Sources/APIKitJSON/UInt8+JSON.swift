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

    /// The value of a decimal digit.
    @inline(__always)
    var digitValue: UInt8 { self &- .zero }

    /// Whether the byte begins the exponent of a number: `e` or `E`.
    @inline(__always)
    var isExponentSign: Bool { self | 0x20 == UInt8(ascii: "e") }
}
