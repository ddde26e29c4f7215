/// The names of the objects that a scanner is in, which show whether a name may be there twice.
///
/// There is a hash table for each level of nesting, which the objects of that level use one after another. It is not
/// emptied between them: a name belongs to the current object if its cell is after the object's cell.
final class JSONNameTables {
    private static let tableSize = 256
    /// How many slots of a table are tried for a name: few objects with less than 200 members need more.
    private static let maximumTries = 16

    private let text: JSONText
    private let cells: JSONCells
    /// The cells of names, in one table after another.
    private let slots = JSONCells(capacity: tableSize)

    init(text: JSONText, cells: JSONCells) {
        self.text = text
        self.cells = cells
    }

    /// Adds a name without escapes.
    ///
    /// - Parameters:
    ///   - name: The cell of the name.
    ///   - bytes: The bytes of the name and the quote after them.
    ///   - object: The cell of the object.
    ///   - depth: In how many arrays and objects the name is.
    /// - Returns: False if the object has the name already, or if the table has no slot for it.
    @inline(__always)
    func insert(_ name: JSONCell, _ bytes: Range<Int>, in object: JSONCell, depth: Int) -> Bool {
        let table = (depth &- 1) &* Self.tableSize
        if slots.count <= table { addTables(upTo: table) }
        // The highest eight bits are below the size of a table.
        let hash = Int(text.hash(bytes) >> 56)
        let slot = table &+ hash
        if Int(slots[slot]) > object { return insertAfterCollision(name, bytes, in: object, table: table, hash: hash) }
        slots[slot] = UInt32(truncatingIfNeeded: name)
        return true
    }

    /// Adds a name whose slot is taken to one of the next slots.
    @inline(never)
    private func insertAfterCollision(
        _ name: JSONCell, _ bytes: Range<Int>, in object: JSONCell, table: Int, hash: Int
    ) -> Bool {
        for offset in 0..<Self.maximumTries {
            // The last slot of a table is followed by its first.
            let slot = table + (hash + offset) % Self.tableSize
            let other = Int(slots[slot])
            let isFree = other <= object
            if isFree {
                slots[slot] = UInt32(truncatingIfNeeded: name)
                return true
            }
            let otherBytes = Int(cells[other]) + 1
            if text.isRepeated(bytes, at: otherBytes) { return false }
        }
        return false
    }

    @inline(never)
    private func addTables(upTo table: Int) {
        while slots.count < table + Self.tableSize { slots.append(0) }
    }
}
