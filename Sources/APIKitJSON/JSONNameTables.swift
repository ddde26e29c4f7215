/// Hash tables with the names of the objects that a scanner is in. They detect repeated names.
///
/// There is one table for each level of nesting, which the objects of that level use one after another. It need not be
/// emptied between them: a slot counts as free unless it holds a cell after that of the current object.
final class JSONNameTables {
    /// The number of slots in a table: one for each value of the hash, which has 8 bits.
    private static let tableSize = 256
    /// How many slots are tried for a name. Few objects with less than 200 members need more. If none is free, the name
    /// counts as repeated, which makes decoding of the object slower, but not wrong.
    private static let maximumTries = 16

    private let text: JSONText
    private let cells: JSONCells
    /// The slots of all tables, one table after another. A slot holds the cell of a name, or 0.
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
    ///   - depth: The number of arrays and objects around the name.
    /// - Returns: False if the object already has the name, or if all slots that were tried are taken.
    @inline(__always)
    func insert(_ name: JSONCell, _ bytes: Range<Int>, in object: JSONCell, depth: Int) -> Bool {
        let table = (depth - 1) * Self.tableSize
        if slots.count <= table { addTables(upTo: table) }
        // Eight bits are the index of a slot. The highest ones are the best mixed.
        let hash = Int(text.hash(bytes) >> 56)
        let slot = table &+ hash
        if Int(slots[slot]) > object { return insertAfterCollision(name, bytes, in: object, table: table, hash: hash) }
        slots[slot] = UInt32(truncatingIfNeeded: name)
        return true
    }

    /// Compares a name with those in its slot and the following ones, and adds it to the first free slot.
    @inline(never)
    private func insertAfterCollision(
        _ name: JSONCell, _ bytes: Range<Int>, in object: JSONCell, table: Int, hash: Int
    ) -> Bool {
        for offset in 0..<Self.maximumTries {
            // The search wraps around from the last slot of the table to its first.
            let slot = table + (hash + offset) % Self.tableSize
            let other = Int(slots[slot])
            let isFree = other <= object
            if isFree {
                slots[slot] = UInt32(truncatingIfNeeded: name)
                return true
            }
            // A cell holds the index of the opening quote; the name starts after it.
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
