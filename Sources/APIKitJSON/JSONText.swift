/// The bytes of a JSON text in memory of their own, followed by zeros.
///
/// The only place with unsafe pointers. A zero is part of no JSON, so a loop that stops at what it does not expect
/// cannot run past the end, and eight bytes may be read at once from any index.
final class JSONText {
    /// How many bytes the text has.
    let count: Int
    private let bytes: UnsafeMutablePointer<UInt8>

    private static let padding = 8

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
            let word = word(at: index)
            let ends =
                Self.zeros(in: word ^ Self.all(0x22)) | Self.zeros(in: word ^ Self.all(0x5C))
                | (word &- Self.all(0x20)) | word
            let found = ends & Self.all(0x80)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
    }

    /// The first index from `start` of a quote, which the text must have.
    @inline(__always)
    func indexOfQuote(from start: Int) -> Int {
        var index = start
        while true {
            let word = word(at: index)
            let found = Self.zeros(in: word ^ Self.all(0x22)) & Self.all(0x80)
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
    }

    /// A number that depends on the bytes from `start` up to a quote, 16 at most, mainly in its highest bits.
    @inline(__always)
    func hashBeforeQuote(from start: Int) -> UInt64 {
        let (first, isWhole) = wordBeforeQuote(from: start)
        let hash = first.times(0x9E37_79B9_7F4A_7C15)
        if isWhole { return hash }
        return (hash ^ hash >> 32 ^ wordBeforeQuote(from: start + 8).word).times(0x9E37_79B9_7F4A_7C15)
    }

    /// The bytes from `start` up to a quote, eight at most, as a number, and whether there is a quote.
    @inline(__always)
    private func wordBeforeQuote(from start: Int) -> (word: UInt64, isWhole: Bool) {
        let word = word(at: start)
        let quote = Self.zeros(in: word ^ Self.all(0x22)) & Self.all(0x80)
        // The lowest bit that is set belongs to the first quote; what is below it, to the bytes before.
        return quote == 0 ? (word, false) : (word & ((quote & (0 &- quote)) >> 7 &- 1), true)
    }

    /// Eight bytes as a number.
    @inline(__always)
    private func word(at index: Int) -> UInt64 {
        UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self).littleEndian
    }

    /// A word that holds one byte eight times.
    @inline(__always)
    private static func all(_ byte: UInt64) -> UInt64 { byte.times(0x0101_0101_0101_0101) }

    /// A word with the highest bit of each zero byte set; above the first one, other bits may be set.
    @inline(__always)
    private static func zeros(in word: UInt64) -> UInt64 { (word &- all(0x01)) & ~word }

    /// The bytes of a range as text; what is not UTF-8 is repaired.
    @inline(__always)
    func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// Appends the bytes of a range.
    func append(_ range: Range<Int>, to result: inout [UInt8]) {
        result.append(contentsOf: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count))
    }

    /// Whether a text stands at an index.
    @inline(__always)
    func hasText(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard index + text.count <= count, let start = text.baseAddress else { return text.isEmpty }
        var offset = 0
        while offset + 8 <= text.count {
            let word = UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self).littleEndian
            guard self.word(at: index + offset) == word else { return false }
            offset += 8
        }
        while offset < text.count {
            guard bytes[index + offset] == start[offset] else { return false }
            offset += 1
        }
        return true
    }
}
