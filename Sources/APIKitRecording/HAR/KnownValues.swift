import APIKitCore
import APIKitTesting

/// Values that are masked wherever a text contains them. A text is read once, however many values are known.
struct KnownValues: Sendable {
    /// The length in bytes that a value must have to be masked where no name says that it is a secret. A shorter value,
    /// such as `1234`, is likely to appear in texts by chance.
    private static let minimumLength = 8

    /// The hashes of the values.
    private var hashes: Set<UInt64> = []
    /// The lengths of the values that share their first `minimumLength` bytes, by the hash of those. The longest is
    /// first: if one value begins with another one, all of it must be masked.
    private var lengths: [UInt64: [Int]] = [:]

    var count: Int { hashes.count }

    /// Inserts a value, unless it is too short.
    ///
    /// Values are compared as bytes: as a `String`, a value that is followed by a combining character is not found.
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

/// The hashes of all parts of some bytes, each in constant time (R. M. Karp and M. O. Rabin, Efficient randomized
/// pattern-matching algorithms, 1987).
///
/// The hash is a number in a large base, whose digits are the bytes. Swift's `Hasher` would have to read each part
/// again.
private struct RollingHash {
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The hashes of the first 0, 1, 2 … bytes.
    private var prefixes: [UInt64] = [0]
    /// The powers of the base.
    private var powers: [UInt64] = [1]

    init(_ bytes: [UInt8]) {
        prefixes.reserveCapacity(bytes.count + 1)
        powers.reserveCapacity(bytes.count + 1)
        var prefix: UInt64 = 0
        var power: UInt64 = 1
        for byte in bytes {
            // The 1 makes a byte of zero count: otherwise, leading zeros would not change a hash.
            prefix = prefix.times(Self.base) &+ UInt64(byte) &+ 1
            power = power.times(Self.base)
            prefixes.append(prefix)
            powers.append(power)
        }
    }

    /// The hash of the bytes in a range: the hash of all bytes up to its end, without those before its start.
    subscript(range: Range<Int>) -> UInt64 {
        prefixes[range.upperBound] &- prefixes[range.lowerBound].times(powers[range.count])
    }
}
