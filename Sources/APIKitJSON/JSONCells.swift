/// The position of a cell in a list: see ``JSONDocument``.
package typealias JSONCell = Int

/// A list of numbers in memory of its own: the cells of a JSON text, and what the scanner keeps.
///
/// Unlike an array it is never copied, and checks indices only when debugging. Each index is one that the scanner has
/// written into a cell, or the one after it; no index is from a caller or a text.
final class JSONCells {
    private(set) var count = 0
    private(set) var capacity: Int
    private var cells: UnsafeMutablePointer<UInt32>

    /// An empty list with room for some numbers, at least one.
    init(capacity: Int) {
        self.capacity = capacity
        cells = .allocate(capacity: capacity)
    }

    deinit {
        cells.deallocate()
    }

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
