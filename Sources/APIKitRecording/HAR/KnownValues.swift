import APIKitCore
import APIKitSupport
import APIKitTesting

/// Values that are masked wherever a text contains them, with or without a name before them.
///
/// `Masking.masked(_:hiding:)` does so for the few secrets of one request, and reads the text once for each of them. A
/// recorded response may have thousands: here, the text is read once, however many values are known.
struct KnownValues: Sendable {
    /// The length in bytes that a value must have to be masked where no name says that it is a secret. A shorter value,
    /// such as `1234`, is likely to appear in texts by chance.
    private static let minimumLength = 8

    /// The hash of each value.
    private var hashes: Set<UInt64> = []
    /// The lengths of the values that begin with the same `minimumLength` bytes, by the hash of these bytes. The
    /// longest is first: if one value begins with another one, all of it must be masked.
    private var lengthsByStart: [UInt64: [Int]] = [:]

    var count: Int { hashes.count }

    /// Inserts a value that is to be masked. A short value, which texts may contain by chance, is ignored.
    ///
    /// Only the hash and the length of the value are stored, not the value. The lengths are stored by the hash of the
    /// first `minimumLength` bytes: at each place in a text, the hash of as many bytes then shows which lengths a value
    /// may have there.
    mutating func insert(_ value: String) {
        let bytes = Array(value.utf8)
        guard bytes.count >= Self.minimumLength else { return }
        let rangeHashes = RangeHashes(of: bytes)
        let hashOfValue = rangeHashes.hash(of: 0..<bytes.count)
        if hashes.contains(hashOfValue) { return }
        hashes.insert(hashOfValue)
        addLength(bytes.count, hashOfStart: rangeHashes.hash(of: 0..<Self.minimumLength))
    }

    /// Adds the length of a value to the lengths of the values with the same first bytes. The longest stays first, so
    /// that it is found first.
    private mutating func addLength(_ length: Int, hashOfStart: UInt64) {
        var lengths = Set(lengthsByStart[hashOfStart] ?? [])
        lengths.insert(length)
        lengthsByStart[hashOfStart] = lengths.sorted(by: >)
    }

    /// Returns a text in which each value is replaced by the mask. Where several values begin, the longest is replaced.
    ///
    /// Values are found by their bytes, not by their characters: a combining accent after a value is part of the
    /// value's last `Character`, which then differs.
    func masked(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard !hashes.isEmpty, bytes.count >= Self.minimumLength else { return text }
        let textHashes = RangeHashes(of: bytes)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let length = lengthOfValue(at: index, textHashes, end: bytes.count) {
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
    ///
    /// The hash of the next `minimumLength` bytes tells which lengths are possible, so that few hashes are compared.
    private func lengthOfValue(at index: Int, _ textHashes: RangeHashes, end: Int) -> Int? {
        guard index + Self.minimumLength <= end else { return nil }
        let hashOfStart = textHashes.hash(of: index..<(index + Self.minimumLength))
        let possibleLengths = lengthsByStart[hashOfStart] ?? []
        return possibleLengths.first { length in
            index + length <= end && hashes.contains(textHashes.hash(of: index..<(index + length)))
        }
    }
}

/// The hashes of all ranges of some bytes, each in constant time (R. M. Karp and M. O. Rabin, Efficient randomized
/// pattern-matching algorithms, 1987).
///
/// The hash is a number in a large base, whose digits are the bytes. Swift's `Hasher` would have to read each range
/// again.
private struct RangeHashes {
    private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The hashes of the first 0, 1, 2 … bytes.
    private let prefixes: [UInt64]
    /// The powers of the base, from the zeroth on.
    private let powers: [UInt64]

    /// Computes the hash of each prefix of the bytes, from which that of any range follows.
    init(of bytes: [UInt8]) {
        // The hash of the empty prefix is 0, and the zeroth power is 1.
        var prefix: UInt64 = 0
        var power: UInt64 = 1
        var prefixes = [prefix]
        var powers = [power]
        prefixes.reserveCapacity(bytes.count + 1)
        powers.reserveCapacity(bytes.count + 1)
        for byte in bytes {
            // Bits that overflow are dropped. The 1 makes a byte of zero count: otherwise, a text and the same text
            // after a byte of zero would have one hash.
            prefix = prefix.times(Self.base) &+ UInt64(byte) &+ 1
            power = power.times(Self.base)
            prefixes.append(prefix)
            powers.append(power)
        }
        self.prefixes = prefixes
        self.powers = powers
    }

    /// The hash of the bytes in a range: the hash of all bytes up to its end, without those before its start.
    func hash(of range: Range<Int>) -> UInt64 {
        let before = prefixes[range.lowerBound].times(powers[range.count])
        return prefixes[range.upperBound] &- before
    }
}
