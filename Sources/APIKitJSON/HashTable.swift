/// Finds the positions of a list's elements by the elements' hashes.
///
/// The table holds no elements: the caller compares the element at each position that it gets. Elements whose hashes
/// have the same lowest bits form a chain, in the order of the list.
struct HashTable {
    /// The first position of each chain, indexed by the lowest bits of the hashes.
    private var firstInChain: [Int32]
    /// For each position in the list, the next one in the same chain.
    private var nextInChain: [Int32]
    /// Stands in place of a position after the last one of a chain.
    private static let end: Int32 = -1

    /// Creates a table for a list. Positions whose hashes have the same lowest bits form a chain, in the order of the
    /// list: the table has the first position of each chain, and for each position the next one in its chain.
    ///
    /// - Parameters:
    ///   - count: The number of elements.
    ///   - hash: Returns the hash of the element at a position.
    init(count: Int, hash: (_ position: Int) -> Int) {
        // The lowest power of two above the count, so that there are more chains than elements.
        let chainCount = 1 << (Int.bitWidth - count.leadingZeroBitCount)
        firstInChain = Array(repeating: Self.end, count: chainCount)
        nextInChain = Array(repeating: Self.end, count: count)
        // Each position is added at the front of its chain, so adding them backwards keeps the order of the list.
        for position in (0..<count).reversed() {
            let chain = hash(position) & (chainCount - 1)
            nextInChain[position] = firstInChain[chain]
            firstInChain[chain] = Int32(truncatingIfNeeded: position)
        }
    }

    /// Returns the first position whose element may have the given hash; nil if there is no such element.
    func firstPosition(withHash hash: Int) -> Int? {
        let chain = hash & (firstInChain.count - 1)
        return position(firstInChain[chain])
    }

    /// Returns the next position whose element may have the same hash; nil after the last one.
    func nextPosition(after position: Int) -> Int? {
        self.position(nextInChain[position])
    }

    private func position(_ link: Int32) -> Int? {
        link == Self.end ? nil : Int(link)
    }
}
