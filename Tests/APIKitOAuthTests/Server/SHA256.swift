import Foundation

/// The SHA-256 digest (FIPS 180-4, section 6.2), independent of the one that is tested.
func sha256(_ message: Data) -> Data {
    let primes = (2...311).filter { number in !(2..<number).contains { number.isMultiple(of: $0) } }
    /// The first 32 bits of the fraction of a root.
    func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 0x1p32) }
    let constants = primes.map { fraction(cbrt(Double($0))) }
    var digest = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

    var padded = [UInt8](message) + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: padded.count, by: 64) {
        var words = (0..<16).map { word in
            padded[(start + 4 * word)..<(start + 4 * word + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (old, new) = (words[index - 15], words[index - 2])
            let first = old.rotated(7) ^ old.rotated(18) ^ (old >> 3)
            let second = new.rotated(17) ^ new.rotated(19) ^ (new >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var values = digest
        for index in 0..<64 {
            let (a, e) = (values[0], values[4])
            let choice = (e & values[5]) ^ (~e & values[6])
            let mixed = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = values[7] &+ mixed &+ choice &+ constants[index] &+ words[index]
            let majority = (a & values[1]) ^ (a & values[2]) ^ (values[1] & values[2])
            let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            values = [first &+ second] + values[0..<3] + [values[3] &+ first] + values[4..<7]
        }
        digest = zip(digest, values).map { $0 &+ $1 }
    }
    return Data(digest.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
}

extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
