/// Hash tables with the names of the objects that a scanner is in. They detect repeated names.
///
/// There is one table for each level of nesting, which the objects of that level use one after another. It need not be
/// emptied between them: cells are numbered in the order of the text, so a slot with a cell before that of the current
/// object was filled by an earlier object, and counts as free.
struct JSONNameTables: ~Copyable {
    /// The number of slots in a table: one for each value of the hash, which has 8 bits.
    private static let tableSize = 256
    /// How many slots are tried for a name. Few objects with less than 200 members need more. If none is free, the name
    /// counts as repeated, which makes decoding of the object slower, but not wrong.
    private static let maximumTries = 16

    /// The slots of all tables, one table after another. A slot holds the cell of a name, or 0.
    private var slots = JSONCells(capacity: tableSize)

    /// A name without escapes.
    struct Name {
        let cell: JSONCell
        /// The index of its first byte.
        let start: Int
        /// The index after the quote that ends it. With that quote, the name `a` is not taken for the beginning of
        /// `ab`.
        let end: Int
    }

    /// Adds a name to the names of its object, in the table for the object's depth.
    ///
    /// Names and objects are identified by their cells, numbers that grow in the order of the text.
    ///
    /// The name's hash chooses one of the 256 slots of the table. If that is taken, the next ones are tried.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The cell of the object.
    ///   - depth: The number of arrays and objects around the name.
    ///   - text: The text.
    ///   - cells: The cells of the text.
    /// - Returns: False if the object may already have the name: it has an equal one, or all slots that were tried
    ///   are taken.
    @inline(__always)
    mutating func insert(
        _ name: Name, in object: JSONCell, depth: Int, of text: borrowing JSONText, cells: borrowing JSONCells
    ) -> Bool {
        let tableStart = (depth - 1) * Self.tableSize
        // The first object at a depth adds the table for it, and those for the arrays around it.
        if slots.count <= tableStart { slots.appendZeros(tableStart + Self.tableSize - slots.count) }
        // The highest eight bits of the hash are the best mixed.
        let slot = tableStart &+ Int(text.hash(from: name.start, to: name.end) >> 56)
        if isTaken(slot, by: object) {
            return insertAfterCollision(name, in: object, firstSlot: slot, of: text, cells: cells)
        }
        slots.numbers[slot] = UInt32(truncatingIfNeeded: name.cell)
        return true
    }

    /// Whether a slot holds a name of an object. Tables are not cleared between objects: a cell before the object's
    /// belongs to an earlier object, so the slot is free.
    @inline(__always)
    private func isTaken(_ slot: Int, by object: JSONCell) -> Bool { Int(slots.numbers[slot]) > object }

    /// Adds a name whose first slot is taken. Compares it with the name there and with those in the slots after it, and
    /// adds it in the first free slot.
    ///
    /// - Returns: False if one of these names is equal, or if all slots that were tried are taken.
    @inline(never)
    private mutating func insertAfterCollision(
        _ name: Name, in object: JSONCell, firstSlot: Int, of text: borrowing JSONText, cells: borrowing JSONCells
    ) -> Bool {
        let slotInTable = firstSlot % Self.tableSize
        let tableStart = firstSlot - slotInTable
        for offset in 0..<Self.maximumTries {
            // The search wraps around from the last slot of the table to its first.
            let slot = tableStart + (slotInTable + offset) % Self.tableSize
            if !isTaken(slot, by: object) {
                slots[slot] = UInt32(truncatingIfNeeded: name.cell)
                return true
            }
            let other = Int(slots[slot])
            // A cell holds the index of the opening quote; the name starts after it.
            let startOfOther = Int(cells[other]) + 1
            if text.areEqual(from: name.start, to: name.end, at: startOfOther) { return false }
        }
        return false
    }
}
