/// A value of a JSON text, identified by the position of its cell in a document's list of cells.
///
/// A cell is a number that says where a value begins in the text. How cells describe a text: see ``JSONDocument``.
package typealias JSONCell = Int

/// A growing list of numbers: the cells of a JSON text, and the scanner's own lists.
///
/// Unlike an array, the list cannot be copied, and it checks indexes only in debug builds. That is safe, since indexes
/// never come from a caller or from a text: each is one that the scanner has written into a cell, or the next one.
struct JSONCells: ~Copyable {
    private(set) var count = 0
    private(set) var capacity: Int
    /// The numbers. They are valid until the list grows, or no longer exists.
    private(set) var numbers: UnsafeMutablePointer<UInt32>

    /// Creates an empty list with room for the given number of cells, which must be at least 1 for the list to grow.
    init(capacity: Int) {
        self.capacity = capacity
        numbers = .allocate(capacity: capacity)
    }

    deinit {
        numbers.deallocate()
    }

    /// The cell at an index, which must be less than the count.
    subscript(index: JSONCell) -> UInt32 {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return numbers[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count)
            numbers[index] = newValue
        }
    }

    @inline(__always)
    mutating func append(_ number: Int) {
        if count == capacity { grow() }
        numbers[count] = UInt32(truncatingIfNeeded: number)
        count &+= 1
    }

    mutating func appendZeros(_ zeroCount: Int) {
        while count + zeroCount > capacity { grow() }
        (numbers + count).initialize(repeating: 0, count: zeroCount)
        count += zeroCount
    }

    mutating func removeLast() -> Int {
        assert(count > 0)
        count -= 1
        return Int(numbers[count])
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: numbers, count: count)
        numbers.deallocate()
        numbers = larger
        capacity *= 2
    }
}
