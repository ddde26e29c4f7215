// The bytes that have a meaning in JSON. They are numbers, since a debug build calls `UInt8(ascii:)` at each use.
extension UInt8 {
    static var quote: UInt8 { 0x22 }
    static var backslash: UInt8 { 0x5C }
    static var comma: UInt8 { 0x2C }
    static var colon: UInt8 { 0x3A }
    static var openingBrace: UInt8 { 0x7B }
    static var closingBrace: UInt8 { 0x7D }
    static var openingBracket: UInt8 { 0x5B }
    static var closingBracket: UInt8 { 0x5D }
    static var plus: UInt8 { 0x2B }
    static var minus: UInt8 { 0x2D }
    static var point: UInt8 { 0x2E }
    static var zero: UInt8 { 0x30 }
    static var underscore: UInt8 { 0x5F }
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
