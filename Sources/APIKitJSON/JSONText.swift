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
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        count = text.count
        // Its owner frees it below; nothing else keeps the pointer.
        self.bytes = .allocate(capacity: count + Self.padding)
        UnsafeMutableRawBufferPointer(start: self.bytes, count: count).copyMemory(from: .init(rebasing: text))
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

    /// The first index from `start` of a byte that ends plain text in a string: a quote, a backslash, a control
    /// character, the end, or the first byte of a character beyond ASCII.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        while true {
            let vector = vector(at: index)
            // As a signed number, a byte beyond ASCII is negative.
            let ends = (vector .< Self.space) .| (vector .== Self.quote) .| (vector .== Self.backslash)
            if let first = Self.first(ends) { return index &+ first }
            index &+= 16
        }
    }

    /// The first index from `start` of a quote, which the text must have.
    @inline(__always)
    func indexOfQuote(from start: Int) -> Int {
        var index = start
        while true {
            if let first = Self.first(vector(at: index) .== Self.quote) { return index &+ first }
            index &+= 16
        }
    }

    private static var space: SIMD16<Int8> { SIMD16(repeating: 0x20) }
    private static var quote: SIMD16<Int8> { SIMD16(repeating: 0x22) }
    private static var backslash: SIMD16<Int8> { SIMD16(repeating: 0x5C) }

    /// The position of the first byte that a mask selects.
    @inline(__always)
    private static func first(_ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
        let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if halves[0] != 0 { return halves[0].littleEndian.trailingZeroBitCount / 8 }
        if halves[1] != 0 { return 8 + halves[1].littleEndian.trailingZeroBitCount / 8 }
        return nil
    }

    /// Sixteen bytes.
    @inline(__always)
    private func vector(at index: Int) -> SIMD16<Int8> {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD16<Int8>.self)
    }

    /// A number that depends on the first and last eight bytes of a range, mainly in its highest bits.
    @inline(__always)
    func hash(_ range: Range<Int>) -> UInt64 {
        let first = word(at: range.lowerBound)
        let count = range.upperBound &- range.lowerBound
        if count < 8 { return (first & (1 &<< UInt64(count &<< 3) &- 1)).times(0x9E37_79B9_7F4A_7C15) }
        let last = word(at: range.upperBound &- 8)
        return (first ^ last.times(0xD6E8_FEB8_6659_FD93) >> 32).times(0x9E37_79B9_7F4A_7C15)
    }

    /// Eight bytes as a number.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// The bytes of a range as text; what is not UTF-8 is repaired.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        withBytes(range) { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes the bytes of a range.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
    }

    /// Appends the bytes of a range.
    func append(_ range: Range<Int>, to result: inout [UInt8]) {
        withBytes(range) { result.append(contentsOf: $0) }
    }

    /// Whether a text stands at an index.
    @inline(__always)
    func hasText(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + text.count <= count, let start = text.baseAddress else { return text.isEmpty }
        let other = UnsafeRawPointer(bytes + index)
        func isSame<Word: FixedWidthInteger>(_ type: Word.Type, at offset: Int) -> Bool {
            UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: type)
                == other.loadUnaligned(fromByteOffset: offset, as: type)
        }
        // The last word may overlap the one before it.
        if text.count >= 8 {
            var offset = 0
            while offset < text.count - 8 {
                guard isSame(UInt64.self, at: offset) else { return false }
                offset += 8
            }
            return isSame(UInt64.self, at: text.count - 8)
        }
        if text.count >= 4 { return isSame(UInt32.self, at: 0) && isSame(UInt32.self, at: text.count - 4) }
        for offset in 0..<text.count where !isSame(UInt8.self, at: offset) { return false }
        return true
    }

    /// Whether the bytes of a range also stand at another index.
    func isRepeated(_ range: Range<Int>, at index: Int) -> Bool {
        withBytes(range) { hasText($0, at: index) }
    }
}
