import APIKitSupport

/// The bytes of a name or a key, in memory that belongs to another object.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// A copy of the bytes of a JSON text, followed by sixteen zeros.
///
/// JSON never contains a zero byte. A loop that stops at any unexpected byte therefore cannot run past the end of the
/// text, and sixteen bytes can be read at once from any index.
///
/// Only this type and `JSONCells` manage memory by hand. Both are structs that cannot be copied and that show where
/// their memory is: a debug build would retain and release a class for each byte that it is asked for.
struct JSONText: ~Copyable {
    /// The number of bytes in the text, without the zeros.
    let count: Int
    /// The bytes of the text and the zeros after it. They are valid as long as the text exists.
    let bytes: UnsafePointer<UInt8>

    private static let padding = 16

    /// Copies the bytes of a text, except for a byte order mark at the start.
    init(_ text: UnsafeRawBufferPointer) {
        let hasByteOrderMark = text.count >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF
        let markSize = hasByteOrderMark ? 3 : 0
        count = text.count - markSize
        // The memory is freed in `deinit`.
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: count + Self.padding)
        if let start = text.baseAddress {
            UnsafeMutableRawPointer(copy).copyMemory(from: start + markSize, byteCount: count)
        }
        (copy + count).initialize(repeating: 0, count: Self.padding)
        bytes = UnsafePointer(copy)
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
    @inline(__always)
    func hasText(_ text: Bytes, at index: Int) -> Bool {
        guard index + text.count <= count else { return false }
        // Only an empty text, which equals any, may have no address.
        guard let start = text.baseAddress else { return true }
        return Self.areEqual(start, bytes + index, count: text.count)
    }

    /// Whether the bytes of a range equal those from another index on.
    func areEqual(from start: Int, to end: Int, at index: Int) -> Bool {
        guard index + end - start <= count else { return false }
        return Self.areEqual(bytes + start, bytes + index, count: end - start)
    }

    /// Whether two texts of the same length are equal.
    ///
    /// Texts of at least eight bytes are compared in words of that size, since the names of members are compared for
    /// each value that is decoded. The last word covers the last eight bytes. If the length is not a multiple of eight,
    /// it overlaps the one before it: eleven bytes are compared as bytes 0 to 7 and bytes 3 to 10.
    @inline(__always)
    private static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
        var offset = 0
        if count < 8 {
            while offset < count {
                if left[offset] != right[offset] { return false }
                offset += 1
            }
            return true
        }
        let lastWord = count - 8
        while offset < lastWord {
            if word(left + offset) != word(right + offset) { return false }
            offset += 8
        }
        return word(left + lastWord) == word(right + lastWord)
    }

    /// Eight bytes as a number.
    @inline(__always)
    private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
    }

    /// Returns a hash of the first and the last eight bytes of a range; of a shorter range, of all its bytes. The
    /// highest bits of the hash are the best mixed.
    ///
    /// Multiplying a word by a large odd factor mixes its bits: each bit of the product depends on the same and all
    /// lower bits of the word. `times` keeps only the lower 64 bits of a product.
    @inline(__always)
    func hash(from start: Int, to end: Int) -> UInt64 {
        let count = end &- start
        if count < 8 {
            // The word also has bytes after the range, which the mask removes.
            let mask: UInt64 = (1 &<< UInt64(count * 8)) &- 1
            return (word(at: start) & mask).times(Self.hashFactor)
        }
        // The shift makes the last characters count as much as the others. They are the highest bits of the last word,
        // and change only the highest bits of its product. In the lower half, these change many bits of the next
        // product.
        let mixedLast = word(at: end &- 8).times(Self.otherHashFactor) >> 32
        return (word(at: start) ^ mixedLast).times(Self.hashFactor)
    }

    // Odd factors with irregular bits spread the bits of a word well. The first is 2 to the power of 64 divided by the
    // golden ratio.
    private static var hashFactor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    private static var otherHashFactor: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    /// Eight bytes as a number, the first of them as its lowest byte. They may include the zeros after the text.
    @inline(__always)
    private func word(at index: Int) -> UInt64 { Self.word(bytes + index).littleEndian }

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
