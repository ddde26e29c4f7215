import Foundation

/// The 64-bit FNV-1a hash of a text, which shows whether a file has been edited.
///
/// Git may write files with other line endings on another system, so a carriage return before a line feed does not
/// count. The hash only has to detect edits, so it need not be cryptographic.
struct TextDigest: Hashable {
    private let hash: UInt64

    /// Computes the digest of a text. The line ending CRLF counts as LF.
    init(of text: String) {
        let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
        var hash = offsetBasis
        var followsCarriageReturn = false
        for byte in text.utf8 {
            let isLineFeed = byte == UInt8(ascii: "\n")
            // Only the next byte shows whether a carriage return counts.
            if followsCarriageReturn, !isLineFeed { hash = Self.adding(UInt8(ascii: "\r"), to: hash) }
            followsCarriageReturn = byte == UInt8(ascii: "\r")
            if !followsCarriageReturn { hash = Self.adding(byte, to: hash) }
        }
        if followsCarriageReturn { hash = Self.adding(UInt8(ascii: "\r"), to: hash) }
        self.hash = hash
    }

    /// Reads a digest from a manifest; nil unless the text has 16 hexadecimal digits.
    init?(_ text: Substring) {
        let digits = text.utf8
        let areHexadecimal = digits.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
        guard digits.count == 16, areHexadecimal, let hash = UInt64(text, radix: 16) else { return nil }
        self.hash = hash
    }

    private static func adding(_ byte: UInt8, to hash: UInt64) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01B3
        return (hash ^ UInt64(byte)) &* prime
    }
}

extension TextDigest: CustomStringConvertible {
    /// The digest as 16 hexadecimal digits.
    var description: String { String(format: "%016llx", hash) }
}
