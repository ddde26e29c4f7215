/// Finds the positions of a list's elements by the elements' hashes.
///
/// The table holds no elements: the caller compares the element at each position that it gets. Elements whose hashes
/// have the same lowest bits form a chain, in the order of the list.
struct HashTable {
    /// The first position of each chain, indexed by the lowest bits of the hashes.
    private var first: [Int32]
    /// For each position, the next one in the same chain.
    private var next: [Int32]
    /// Marks the end of a chain.
    private static let end: Int32 = -1

    /// Creates a table for a list.
    ///
    /// - Parameters:
    ///   - count: The number of elements.
    ///   - hash: Returns the hash of the element at a position.
    init(count: Int, hash: (_ position: Int) -> Int) {
        // The lowest power of two above the count, so that there are more chains than elements.
        let chainCount = 1 << (Int.bitWidth - count.leadingZeroBitCount)
        first = Array(repeating: Self.end, count: chainCount)
        next = Array(repeating: Self.end, count: count)
        // Elements are added at the front of their chains, so adding them backwards keeps the order of the list.
        for position in (0..<count).reversed() {
            let chain = hash(position) & (chainCount - 1)
            next[position] = first[chain]
            first[chain] = Int32(truncatingIfNeeded: position)
        }
    }

    /// The first position whose element may have the given hash; nil if there is no such element.
    func firstPosition(withHash hash: Int) -> Int? {
        let chain = hash & (first.count - 1)
        return position(first[chain])
    }

    /// The next position whose element may have the same hash; nil after the last one.
    func nextPosition(after position: Int) -> Int? {
        self.position(next[position])
    }

    private func position(_ number: Int32) -> Int? {
        number == Self.end ? nil : Int(number)
    }
}
