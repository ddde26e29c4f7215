#if canImport(CryptoKit)
import CryptoKit
#endif

/// Hashes bytes that come piece by piece with SHA-1 (FIPS 180-4), for protocols that detect damaged bytes with it. It
/// protects nothing against an attacker.
package struct SHA1Hasher {
    #if canImport(CryptoKit)
    private var hash = Insecure.SHA1()
    #else
    private var hash = BlockHasher<SHA1>()
    #endif

    /// Starts without bytes.
    package init() {}

    /// Adds bytes.
    package mutating func update(_ data: Data) {
        #if canImport(CryptoKit)
        hash.update(data: data)
        #else
        hash.update(data)
        #endif
    }

    /// Returns the hash of all bytes.
    package consuming func finish() -> Data {
        #if canImport(CryptoKit)
        Data(hash.finalize())
        #else
        hash.finish()
        #endif
    }
}

#if !canImport(CryptoKit)
/// The state of a SHA-1 computation. The names of the variables are those of FIPS 180-4, section 6.1.
private struct SHA1: BlockHash {
    /// The initial hash value (section 5.3.1).
    private(set) var words: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]

    /// Adds one block of 64 bytes (section 6.1.2).
    mutating func add(_ block: UnsafeRawBufferPointer) {
        let w = Self.schedule(block)
        var a = words[0]
        var b = words[1]
        var c = words[2]
        var d = words[3]
        var e = words[4]
        for t in 0..<80 {
            let function: UInt32
            let constant: UInt32
            switch t {
            case ..<20:
                function = (b & c) ^ (~b & d)
                constant = 0x5a82_7999
            case ..<40:
                function = b ^ c ^ d
                constant = 0x6ed9_eba1
            case ..<60:
                function = (b & c) ^ (b & d) ^ (c & d)
                constant = 0x8f1b_bcdc
            default:
                function = b ^ c ^ d
                constant = 0xca62_c1d6
            }
            let next = a.rotatedLeft(by: 5) &+ function &+ e &+ constant &+ w[t]
            e = d
            d = c
            c = b.rotatedLeft(by: 30)
            b = a
            a = next
        }
        for (index, word) in [a, b, c, d, e].enumerated() { words[index] &+= word }
    }

    /// The 16 words of a block, extended to 80 (section 6.1.2, step 1).
    private static func schedule(_ block: UnsafeRawBufferPointer) -> [UInt32] {
        var w = (0..<16).map { UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        for t in 16..<80 { w.append((w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotatedLeft(by: 1)) }
        return w
    }
}
#endif
