import APIKitCore
import APIKitTesting

/// Values that are masked wherever a text contains them. However many there are, a text is read once.
struct KnownValues: Sendable {
    /// The fewest bytes of a value that is masked where no name says that it is a secret.
    private static let minimumLength = 8

    /// The values, as bytes, since a combining character would hide the end of one.
    private var values: Set<[UInt8]> = []
    private var hashes: Set<UInt64> = []
    /// The lengths of the values by their first bytes, the longest first, since one value may contain another.
    private var lengths: [UInt64: [Int]] = [:]

    var count: Int { values.count }

    mutating func insert(_ text: String) {
        let value = Array(text.utf8)
        guard value.count >= Self.minimumLength, values.insert(value).inserted else { return }
        hashes.insert(RollingHash(value)[value.indices])
        let others = lengths[Self.start(of: value), default: []]
        guard !others.contains(value.count) else { return }
        lengths[Self.start(of: value)] = (others + [value.count]).sorted(by: >)
    }

    /// A text with all values masked.
    func masked(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard !values.isEmpty, bytes.count >= Self.minimumLength else { return text }
        lazy var hash = RollingHash(bytes)
        var (output, index, start) = ([UInt8](), 0, Self.start(of: bytes))
        while index < bytes.count {
            let length = lengths[start]?.first { length in
                let range = index..<(index + length)
                return range.upperBound <= bytes.count && hashes.contains(hash[range])
                    && values.contains(Array(bytes[range]))
            }
            if length != nil { output += Masking.mask.utf8 } else { output.append(bytes[index]) }
            for _ in 0..<(length ?? 1) {
                let next = index + Self.minimumLength
                start = start << 8 | UInt64(next < bytes.count ? bytes[next] : 0)
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The first bytes as a number.
    private static func start(of bytes: [UInt8]) -> UInt64 {
        bytes.prefix(minimumLength).reduce(0) { $0 << 8 | UInt64($1) }
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
            hashes.append(hashes[hashes.count - 1].timesWrapping(Self.base) &+ UInt64(byte) &+ 1)
            powers.append(powers[powers.count - 1].timesWrapping(Self.base))
        }
    }

    subscript(range: Range<Int>) -> UInt64 {
        hashes[range.upperBound] &- hashes[range.lowerBound].timesWrapping(powers[range.count])
    }
}
