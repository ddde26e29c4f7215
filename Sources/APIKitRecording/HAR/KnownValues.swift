import APIKitCore
import APIKitTesting

/// Values that are masked wherever a text contains them. However many there are, a text is read once.
struct KnownValues: Sendable {
    /// The fewest bytes of a value that is masked where no name says that it is a secret.
    private static let minimumLength = 8

    /// The hashes of the values.
    private var hashes: Set<UInt64> = []
    /// The lengths of the values by the hashes of their first bytes, the longest first, since one value may contain
    /// another.
    private var lengths: [UInt64: [Int]] = [:]

    var count: Int { hashes.count }

    /// Values are bytes, since a combining character would hide the end of one.
    mutating func insert(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= Self.minimumLength else { return }
        let hash = RollingHash(bytes)
        guard hashes.insert(hash[0..<bytes.count]).inserted else { return }
        let start = hash[0..<Self.minimumLength]
        let others = lengths[start] ?? []
        lengths[start] = Set(others + [bytes.count]).sorted(by: >)
    }

    /// A text with all values masked.
    func masked(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard !hashes.isEmpty, bytes.count >= Self.minimumLength else { return text }
        let hash = RollingHash(bytes)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let length = lengthOfValue(at: index, hash, end: bytes.count) {
                output += Masking.mask.utf8
                index += length
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The length of the longest value that begins at an index; nil if there is none.
    private func lengthOfValue(at index: Int, _ hash: RollingHash, end: Int) -> Int? {
        guard index + Self.minimumLength <= end else { return nil }
        let candidates = lengths[hash[index..<(index + Self.minimumLength)]] ?? []
        return candidates.first { length in
            index + length <= end && hashes.contains(hash[index..<(index + length)])
        }
    }
}

/// The hash of any part of some bytes, in constant time (R. M. Karp and M. O. Rabin, Efficient randomized
/// pattern-matching algorithms, 1987): a polynomial in a base, whose digits are the bytes.
///
/// Swift's `Hasher` reads each part anew.
private struct RollingHash {
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The hash of all bytes before each index.
    private var prefixes: [UInt64] = [0]
    /// The powers of the base.
    private var powers: [UInt64] = [1]

    init(_ bytes: [UInt8]) {
        prefixes.reserveCapacity(bytes.count + 1)
        powers.reserveCapacity(bytes.count + 1)
        var prefix: UInt64 = 0
        var power: UInt64 = 1
        for byte in bytes {
            // A zero counts, too, or parts that begin with zeros would be equal.
            prefix = prefix.times(Self.base) &+ UInt64(byte) &+ 1
            power = power.times(Self.base)
            prefixes.append(prefix)
            powers.append(power)
        }
    }

    subscript(range: Range<Int>) -> UInt64 {
        prefixes[range.upperBound] &- prefixes[range.lowerBound].times(powers[range.count])
    }
}
