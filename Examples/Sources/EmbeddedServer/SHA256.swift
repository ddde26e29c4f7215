import Foundation

/// The hash function SHA-256 (FIPS 180-4), which Foundation does not have.
enum SHA256 {
    static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        var padded = Array(message) + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bitCount = UInt64(message.count) * 8
        padded += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
        var hash = primes.prefix(8).map { fraction(of: $0.squareRoot()) }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &hash) }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    /// Adds a block of 64 bytes to a hash (section 6.2.2).
    private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
        var words = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + 4 * index + $1]) }
        }
        for index in 16..<64 {
            let (first, last) = (words[index - 15], words[index - 2])
            let sigma0 = first.rotated(7) ^ first.rotated(18) ^ first >> 3
            let sigma1 = last.rotated(17) ^ last.rotated(19) ^ last >> 10
            words.append(words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1)
        }
        var state = hash
        for index in 0..<64 {
            let (a, b, c, e) = (state[0], state[1], state[2], state[4])
            let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = e & state[5] ^ ~e & state[6]
            let first = state[7] &+ sum1 &+ choice &+ constants[index] &+ words[index]
            let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = a & b ^ a & c ^ b & c
            state = [first &+ sum0 &+ majority, a, b, c, state[3] &+ first, e, state[5], state[6]]
        }
        for index in 0..<8 { hash[index] = hash[index] &+ state[index] }
    }

    /// The first 64 prime numbers, whose roots are the constants of the function (sections 4.2.2 and 5.3.3).
    private static let primes: [Double] = (2...311).filter { number in
        (2..<18).allSatisfy { $0 >= number || number % $0 != 0 }
    }.map(Double.init)

    private static let constants = primes.map { fraction(of: cbrt($0)) }

    /// The first 32 bits after the point.
    private static func fraction(of number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
