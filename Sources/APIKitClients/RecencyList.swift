import APIKitCore

/// Values in the order of their last use, as a doubly linked list in an array. Each operation takes constant time.
struct RecencyList<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        var value: Value?
        var older: Int?
        var newer: Int?
    }

    private var slots: [Slot] = []
    /// The positions of removed values, which are used again.
    private var free: [Int] = []
    private var newest: Int?
    /// The position of the least recently used value.
    private(set) var oldest: Int?

    /// Adds a value as the most recently used one, and returns its position.
    mutating func insert(_ value: Value) -> Int {
        let position = free.popLast() ?? slots.count
        if position == slots.count { slots.append(Slot()) }
        slots[position].value = value
        link(position)
        return position
    }

    /// The value at a position; nil if it was removed.
    func value(at position: Int) -> Value? {
        slots[position].value
    }

    /// Marks the value at a position as the most recently used one.
    mutating func use(_ position: Int) {
        guard position != newest else { return }
        unlink(position)
        link(position)
    }

    /// Removes a value; its position may be used again.
    mutating func remove(_ position: Int) -> Value? {
        guard let value = slots[position].value.take() else { return nil }
        unlink(position)
        free.append(position)
        return value
    }

    /// Adds a slot to the newest end of the list.
    private mutating func link(_ position: Int) {
        slots[position].older = newest
        slots[position].newer = nil
        if let newest { slots[newest].newer = position }
        newest = position
        if oldest == nil { oldest = position }
    }

    /// Takes a slot out of the list and connects its neighbors.
    private mutating func unlink(_ position: Int) {
        let older = slots[position].older
        let newer = slots[position].newer
        if let older {
            slots[older].newer = newer
        } else {
            oldest = newer
        }
        if let newer {
            slots[newer].older = older
        } else {
            newest = older
        }
    }
}
