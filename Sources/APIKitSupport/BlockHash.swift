#if !canImport(CryptoKit)
/// The state of a hash function of FIPS 180-4 that processes blocks of 64 bytes.
protocol BlockHash {
    /// Starts with the initial hash value.
    init()

    /// Adds one block of 64 bytes.
    mutating func add(_ block: UnsafeRawBufferPointer)

    /// The hash value as words.
    var words: [UInt32] { get }
}

/// Hashes bytes that come piece by piece.
struct BlockHasher<Hash: BlockHash> {
    private static var blockSize: Int { 64 }

    private var hash = Hash()
    /// The bytes that are not a whole block yet.
    private var rest = Data()
    private var byteCount: UInt64 = 0

    /// Adds bytes.
    mutating func update(_ data: Data) {
        byteCount += UInt64(data.count)
        add(data)
    }

    /// Returns the hash of all bytes: ends them with a bit 1, bits 0, and the number of bits, so that all together are
    /// whole blocks (FIPS 180-4, section 5.1.1).
    consuming func finish() -> Data {
        let lengthSize = 8
        var padding = Data([0x80])
        while (rest.count + padding.count) % Self.blockSize != Self.blockSize - lengthSize { padding.append(0) }
        withUnsafeBytes(of: (byteCount * 8).bigEndian) { padding.append(contentsOf: $0) }
        add(padding)
        var result = Data()
        for word in hash.words { withUnsafeBytes(of: word.bigEndian) { result.append(contentsOf: $0) } }
        return result
    }

    /// Adds all whole blocks, and keeps the rest.
    private mutating func add(_ data: Data) {
        var position = 0
        if !rest.isEmpty {
            position = min(Self.blockSize - rest.count, data.count)
            rest.append(data.prefix(position))
            guard rest.count == Self.blockSize else { return }
            rest.withUnsafeBytes { hash.add($0) }
            rest.removeAll()
        }
        data.withUnsafeBytes { bytes in
            while bytes.count - position >= Self.blockSize {
                hash.add(UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Self.blockSize)]))
                position += Self.blockSize
            }
        }
        rest.append(data.dropFirst(position))
    }
}

extension UInt32 {
    /// The bits, rotated to the left.
    func rotatedLeft(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }

    /// The bits, rotated to the right.
    func rotatedRight(by count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
#endif
