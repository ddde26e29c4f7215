import APIKitSupport

/// The bytes of a name or a key, in memory that belongs to another object.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// A copy of the bytes of a JSON text, followed by sixteen zeros.
///
/// JSON never contains a zero byte. A loop that stops at any unexpected byte therefore cannot run past the end of the
/// text, and sixteen bytes can be read at once from any index. Only this type and `JSONCells` manage memory by hand.
final class JSONText {
    /// The number of bytes in the text, without the zeros.
    let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>

    private static let padding = 16

    /// Copies the bytes of a text, except for a byte order mark at the start.
    init(_ bytes: UnsafeRawBufferPointer) {
        let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasByteOrderMark ? 3 : 0))
        count = text.count
        // The memory is freed in `deinit`. The pointer is private and never escapes.
        self.bytes = .allocate(capacity: count + Self.padding)
        UnsafeMutableRawBufferPointer(start: self.bytes, count: count).copyMemory(from: text)
        (self.bytes + count).initialize(repeating: 0, count: Self.padding)
    }

    deinit {
        bytes.deallocate()
    }

    /// A byte of the text, or the zero after it.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get {
            assert(index >= 0 && index <= count)
            return bytes[index]
        }
    }

    // MARK: - Searching

    /// Returns the first index from `start` on at which plain text in a string ends: the index of a quote, a backslash,
    /// a control character or a byte beyond ASCII, or the end of the text.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while true {
            let bytes = sixteenBytes(at: index)
            // Control characters are less than a space, as are the zeros after the text. So are bytes beyond ASCII,
            // which are negative as signed numbers.
            let ends = (bytes .< Self.space) .| (bytes .== Self.quote) .| (bytes .== Self.backslash)
            if let position = Self.firstPosition(ends) { return index &+ position }
            index &+= 16
        }
    }

    /// Returns the first index from `start` on of a quote. The caller knows that there is one, since the scanner has
    /// found it.
    @inline(__always)
    func indexOfQuote(from start: Int) -> Int {
        var index = start
        while true {
            let quotes = sixteenBytes(at: index) .== Self.quote
            if let position = Self.firstPosition(quotes) { return index &+ position }
            index &+= 16
        }
    }

    private static var space: SIMD16<Int8> { SIMD16(repeating: 0x20) }
    private static var quote: SIMD16<Int8> { SIMD16(repeating: 0x22) }
    private static var backslash: SIMD16<Int8> { SIMD16(repeating: 0x5C) }

    @inline(__always)
    private func sixteenBytes(at index: Int) -> SIMD16<Int8> {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD16<Int8>.self)
    }

    /// Returns the position of the first byte that a mask selects.
    @inline(__always)
    private static func firstPosition(_ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
        // Read as two numbers, the mask has a byte of ones for each selected byte and a byte of zeros for all others.
        let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if halves[0] != 0 { return halves[0].littleEndian.trailingZeroBitCount / 8 }
        if halves[1] != 0 { return 8 + halves[1].littleEndian.trailingZeroBitCount / 8 }
        return nil
    }

    // MARK: - Comparing

    /// Whether the bytes at an index equal the given ones.
    ///
    /// Texts of at least eight or four bytes are compared in words of that size, since the names of members are
    /// compared for each value that is decoded.
    @inline(__always)
    func hasText(_ text: Bytes, at index: Int) -> Bool {
        guard index + text.count <= count else { return false }
        // An empty text equals any; only such a text may have no address.
        guard let start = text.baseAddress, !text.isEmpty else { return true }
        let other = bytes + index
        if text.count >= 8 { return Self.areEqual(start, other, text.count, by: UInt64.self) }
        if text.count >= 4 { return Self.areEqual(start, other, text.count, by: UInt32.self) }
        return Self.areEqual(start, other, text.count, by: UInt8.self)
    }

    /// Whether two texts of the same length, which is at least that of a word, are equal.
    ///
    /// The last comparison covers the last bytes of the texts. If the length is not a multiple of the word's, it
    /// overlaps the one before it: eleven bytes are compared as bytes 0 to 7 and bytes 3 to 10.
    @inline(__always)
    private static func areEqual<Word: FixedWidthInteger>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int, by type: Word.Type
    ) -> Bool {
        func isWordEqual(at offset: Int) -> Bool {
            let word = left.loadUnaligned(fromByteOffset: offset, as: type)
            return word == right.loadUnaligned(fromByteOffset: offset, as: type)
        }
        let lastOffset = count - MemoryLayout<Word>.size
        var offset = 0
        while offset < lastOffset {
            guard isWordEqual(at: offset) else { return false }
            offset += MemoryLayout<Word>.size
        }
        // This word may overlap the one before.
        return isWordEqual(at: lastOffset)
    }

    /// Whether the bytes of a range equal those from another index on.
    func areEqual(_ range: Range<Int>, at index: Int) -> Bool {
        withBytes(range) { hasText($0, at: index) }
    }

    /// Returns a hash of the first and the last eight bytes of a range; of a shorter range, of all its bytes. The
    /// highest bits of the hash are the best mixed.
    ///
    /// Multiplying a word by a large odd factor mixes its bits: each bit of the product depends on the same and all
    /// lower bits of the word. `times` keeps only the lower 64 bits of a product.
    @inline(__always)
    func hash(_ range: Range<Int>) -> UInt64 {
        let first = word(at: range.lowerBound)
        let count = range.upperBound &- range.lowerBound
        if count < 8 {
            // The word also has bytes after the range, which the mask removes.
            let bitCount = UInt64(count * 8)
            let mask: UInt64 = (1 &<< bitCount) &- 1
            return (first & mask).times(Self.hashFactor)
        }
        let last = word(at: range.upperBound &- 8)
        // The shift makes the last characters count as much as the others. They are the highest bits of `last`, and
        // change only the highest bits of its product. In the lower half, these change many bits of the next product.
        let mixedLast = last.times(Self.otherHashFactor) >> 32
        return (first ^ mixedLast).times(Self.hashFactor)
    }

    // Odd factors with irregular bits spread the bits of a word well. The first is 2 to the power of 64 divided by the
    // golden ratio.
    private static var hashFactor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    private static var otherHashFactor: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    /// Eight bytes as a number, the first of them as its lowest byte. They may include the zeros after the text.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
    }

    // MARK: - Copying

    /// Returns the bytes of a range as a string. Invalid UTF-8 is replaced by U+FFFD.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        withBytes(range) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls a closure with the bytes of a range, which are valid only during the call.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (Bytes) -> Result) -> Result {
        body(Bytes(start: bytes + range.lowerBound, count: range.count))
    }

    /// Appends the bytes of a range.
    func append(_ range: Range<Int>, to result: inout [UInt8]) {
        withBytes(range) { result.append(contentsOf: $0) }
    }
}
