/// The bytes of a name or a key, while something else keeps their memory.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// The bytes of a JSON text in memory of their own, followed by zeros.
///
/// This and `JSONCells` are the only places with memory that is freed by hand. A zero is part of no JSON, so a loop
/// that stops at what it does not expect cannot run past the end, and sixteen bytes may be read at once from any index.
final class JSONText {
    /// How many bytes the text has.
    let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>

    private static let padding = 16

    /// Copies the bytes, once, without the byte order mark that a text in UTF-8 may begin with.
    init(_ bytes: UnsafeRawBufferPointer) {
        let hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(hasByteOrderMark ? 3 : 0))
        count = text.count
        // Its owner frees it below; nothing else keeps the pointer.
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

    /// The first index from `start` of a byte that ends plain text in a string: a quote, a backslash, a control
    /// character, the end, or the first byte of a character beyond ASCII.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while true {
            let bytes = sixteenBytes(at: index)
            // As a signed number, a byte beyond ASCII is negative, and so below a space as well.
            let ends = (bytes .< Self.space) .| (bytes .== Self.quote) .| (bytes .== Self.backslash)
            if let position = Self.firstPosition(ends) { return index &+ position }
            index &+= 16
        }
    }

    /// The first index from `start` of a quote, which the text must have.
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

    /// The position of the first byte that a mask selects.
    @inline(__always)
    private static func firstPosition(_ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
        // The bytes of the mask as two numbers: all bits of a selected byte are 1.
        let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if halves[0] != 0 { return halves[0].littleEndian.trailingZeroBitCount / 8 }
        if halves[1] != 0 { return 8 + halves[1].littleEndian.trailingZeroBitCount / 8 }
        return nil
    }

    // MARK: - Comparing

    /// Whether a text stands at an index.
    ///
    /// Names are compared by words: byte by byte, decoding takes a tenth longer.
    @inline(__always)
    func hasText(_ text: Bytes, at index: Int) -> Bool {
        guard index + text.count <= count else { return false }
        guard let start = text.baseAddress, !text.isEmpty else { return true }
        let other = bytes + index
        if text.count >= 8 { return Self.areEqual(start, other, text.count, by: UInt64.self) }
        if text.count >= 4 { return Self.areEqual(start, other, text.count, by: UInt32.self) }
        return Self.areEqual(start, other, text.count, by: UInt8.self)
    }

    /// Whether two texts are equal, of which each has at least as many bytes as a word.
    @inline(__always)
    private static func areEqual<Word: FixedWidthInteger>(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int, by type: Word.Type
    ) -> Bool {
        func isWordEqual(at offset: Int) -> Bool {
            let word = left.loadUnaligned(fromByteOffset: offset, as: type)
            return word == right.loadUnaligned(fromByteOffset: offset, as: type)
        }
        // The last word ends with the texts, and may overlap the one before it.
        let lastOffset = count - MemoryLayout<Word>.size
        var offset = 0
        while offset < lastOffset {
            guard isWordEqual(at: offset) else { return false }
            offset += MemoryLayout<Word>.size
        }
        return isWordEqual(at: lastOffset)
    }

    /// Whether the bytes of a range also stand at another index.
    func isRepeated(_ range: Range<Int>, at index: Int) -> Bool {
        withBytes(range) { hasText($0, at: index) }
    }

    /// A number that depends on the first and the last eight bytes of a range, mainly in its highest bits.
    @inline(__always)
    func hash(_ range: Range<Int>) -> UInt64 {
        let first = word(at: range.lowerBound)
        let count = range.upperBound &- range.lowerBound
        if count < 8 {
            let mask = 1 &<< UInt64(8 &* count) &- 1
            return (first & mask).times(Self.hashFactor)
        }
        let last = word(at: range.upperBound &- 8)
        // The highest bits of a product depend on all bits of its factors.
        let mixedLast = last.times(Self.otherHashFactor) >> 32
        return (first ^ mixedLast).times(Self.hashFactor)
    }

    /// Odd numbers without a pattern in their bits.
    private static var hashFactor: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    private static var otherHashFactor: UInt64 { 0xD6E8_FEB8_6659_FD93 }

    /// Eight bytes as a number.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
    }

    // MARK: - Copying

    /// The bytes of a range as text; invalid UTF-8 is repaired.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        withBytes(range) { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes the bytes of a range.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (Bytes) -> Result) -> Result {
        body(Bytes(start: bytes + range.lowerBound, count: range.count))
    }

    /// Appends the bytes of a range.
    func append(_ range: Range<Int>, to result: inout [UInt8]) {
        withBytes(range) { result.append(contentsOf: $0) }
    }
}
