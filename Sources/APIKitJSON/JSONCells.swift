/// A value of a JSON text, identified by the position of its cell in a document's list of cells.
///
/// A cell is a number that says where a value begins in the text. How cells describe a text: see ``JSONDocument``.
package typealias JSONCell = Int

/// A growing list of numbers: the cells of a JSON text, and the scanner's own lists.
///
/// Unlike an array, the list is never copied, and it checks indexes only in debug builds. That is safe, since indexes
/// never come from a caller or from a text: each is one that the scanner has written into a cell, or the next one.
final class JSONCells {
    private(set) var count = 0
    private(set) var capacity: Int
    private var cells: UnsafeMutablePointer<UInt32>

    /// Creates an empty list with room for the given number of cells, which must be at least 1 for the list to grow.
    init(capacity: Int) {
        self.capacity = capacity
        cells = .allocate(capacity: capacity)
    }

    deinit {
        cells.deallocate()
    }

    /// The cell at an index, which must be less than the count.
    subscript(index: JSONCell) -> UInt32 {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return cells[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count)
            cells[index] = newValue
        }
    }

    @inline(__always)
    func append(_ number: Int) {
        if count == capacity { grow() }
        cells[count] = UInt32(truncatingIfNeeded: number)
        count &+= 1
    }

    func removeLast() -> Int {
        assert(count > 0)
        count -= 1
        return Int(cells[count])
    }

    @inline(never)
    private func grow() {
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: cells, count: count)
        cells.deallocate()
        cells = larger
        capacity *= 2
    }
}
