import APIKitCore
import APIKitTesting

/// Values that are masked wherever a text contains them. However many there are, a text is read once.
struct KnownValues: Sendable {
    /// The fewest bytes of a value that is masked where no name says that it is a secret.
    private static let minimumLength = 8

    private var hashes: Set<UInt64> = []
    /// The lengths of the values by the hashes of their first bytes, the longest first, since one value may contain
    /// another.
    private var lengths: [UInt64: [Int]] = [:]

    var count: Int { hashes.count }

    /// Values are bytes, since a combining character would hide the end of one.
    mutating func insert(_ text: String) {
        let hash = RollingHash(Array(text.utf8))
        let length = text.utf8.count
        guard length >= Self.minimumLength, hashes.insert(hash[0..<length]).inserted else { return }
        let others = lengths[hash[0..<Self.minimumLength], default: []]
        lengths[hash[0..<Self.minimumLength]] = Set(others + [length]).sorted(by: >)
    }

    /// A text with all values masked.
    func masked(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard !hashes.isEmpty, bytes.count >= Self.minimumLength else { return text }
        let hash = RollingHash(bytes)
        var (output, index): ([UInt8], Int) = ([], 0)
        while index + Self.minimumLength <= bytes.count {
            let length = lengths[hash[index..<(index + Self.minimumLength)]]?.first { length in
                index + length <= bytes.count && hashes.contains(hash[index..<(index + length)])
            }
            if length == nil { output.append(bytes[index]) } else { output += Masking.mask.utf8 }
            index += length ?? 1
        }
        return String(decoding: output + bytes[index...], as: UTF8.self)
    }
}

/// The hash of any part of some bytes, in constant time (R. M. Karp and M. O. Rabin, Efficient randomized
/// pattern-matching algorithms, 1987).
private struct RollingHash {
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The hashes of the bytes before each index, and the powers of the base.
    private var (hashes, powers): ([UInt64], [UInt64]) = ([0], [1])

    init(_ bytes: [UInt8]) {
        for byte in bytes {
            hashes.append(hashes[hashes.count - 1].times(Self.base) &+ UInt64(byte) &+ 1)
            powers.append(powers[powers.count - 1].times(Self.base))
        }
    }

    subscript(range: Range<Int>) -> UInt64 {
        hashes[range.upperBound] &- hashes[range.lowerBound].times(powers[range.count])
    }
}
