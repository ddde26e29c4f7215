#if canImport(CryptoKit)
import CryptoKit
#endif

extension Data {
    /// The SHA-256 hash of the bytes (FIPS 180-4).
    package var sha256: Data {
        var hasher = SHA256Hasher()
        hasher.update(self)
        return hasher.finish()
    }
}

/// Hashes bytes that come piece by piece with SHA-256 (FIPS 180-4).
package struct SHA256Hasher {
    #if canImport(CryptoKit)
    private var hash = SHA256()
    #else
    private var hash = BlockHasher<SHA256>()
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
/// The state of a SHA-256 computation. The names of the variables are those of FIPS 180-4, section 6.2.
private struct SHA256: BlockHash {
    /// The initial hash value (section 5.3.3).
    private(set) var words: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The constants (section 4.2.2).
    private static let k: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// Adds one block of 64 bytes (section 6.2.2).
    mutating func add(_ block: UnsafeRawBufferPointer) {
        let w = Self.schedule(block)
        var a = words[0]
        var b = words[1]
        var c = words[2]
        var d = words[3]
        var e = words[4]
        var f = words[5]
        var g = words[6]
        var h = words[7]
        for t in 0..<64 {
            let sum1 = e.rotatedRight(by: 6) ^ e.rotatedRight(by: 11) ^ e.rotatedRight(by: 25)
            let choice = (e & f) ^ (~e & g)
            let t1 = h &+ sum1 &+ choice &+ Self.k[t] &+ w[t]
            let sum0 = a.rotatedRight(by: 2) ^ a.rotatedRight(by: 13) ^ a.rotatedRight(by: 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let t2 = sum0 &+ majority
            h = g
            g = f
            f = e
            e = d &+ t1
            d = c
            c = b
            b = a
            a = t1 &+ t2
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= word }
    }

    /// The 16 words of a block, extended to 64 (section 6.2.2, step 1).
    private static func schedule(_ block: UnsafeRawBufferPointer) -> [UInt32] {
        var w = (0..<16).map { UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
        for t in 16..<64 {
            let x = w[t - 15]
            let y = w[t - 2]
            let sigma0 = x.rotatedRight(by: 7) ^ x.rotatedRight(by: 18) ^ (x >> 3)
            let sigma1 = y.rotatedRight(by: 17) ^ y.rotatedRight(by: 19) ^ (y >> 10)
            w.append(sigma1 &+ w[t - 7] &+ sigma0 &+ w[t - 16])
        }
        return w
    }
}
#endif
