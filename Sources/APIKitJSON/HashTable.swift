/// The positions of a list's elements by their hashes.
///
/// Elements whose hashes have the same lowest bits form a chain, in the order of the list.
struct HashTable {
    /// The first position of each chain, by the lowest bits of its hashes.
    private var first: [Int32]
    /// The position that follows each one in its chain.
    private var next: [Int32]
    /// Stands for the end of a chain.
    private static let end: Int32 = -1

    /// Creates a table of a list with so many elements.
    init(_ count: Int, hash: (_ position: Int) -> Int) {
        let size = 1 << (Int.bitWidth - count.leadingZeroBitCount)
        first = Array(repeating: Self.end, count: size)
        next = Array(repeating: Self.end, count: count)
        // Each element goes before the others of its chain, so the last one of the list is the first to be added.
        for position in (0..<count).reversed() {
            let chain = hash(position) & (size - 1)
            next[position] = first[chain]
            first[chain] = Int32(truncatingIfNeeded: position)
        }
    }

    /// The first position whose element may have a hash.
    func first(_ hash: Int) -> Int? {
        position(first[hash & (first.count - 1)])
    }

    /// The next position whose element may have the same hash.
    func next(after position: Int) -> Int? {
        self.position(next[position])
    }

    private func position(_ number: Int32) -> Int? {
        number == Self.end ? nil : Int(number)
    }
}
