/// The sizes of chunks that are sent.
struct ChunkSizes {
    /// What the endpoint and its protocol want, before the server has stated anything.
    struct Wish {
        /// The most bytes of a chunk.
        let longest: Int
        /// The size below which chunks do not become shorter.
        let shortest: Int
        /// The size that each chunk but the last is a multiple of.
        let multiple: Int
    }

    /// The size that each chunk but the last is a multiple of.
    private let multiple: Int
    /// The most bytes of a chunk.
    let longest: Int
    /// The size below which chunks do not become shorter.
    private let shortest: Int

    /// Creates the sizes nearest to a wish that a server allows. If its limits contradict each other, chunks have at
    /// most the bytes that it allows.
    init(_ wish: Wish, within limits: UploadLimits?) {
        multiple = max(limits?.chunkMultiple ?? wish.multiple, 1)
        let most = limits?.largestChunk ?? .max
        let fewest = min(limits?.smallestChunk ?? 0, most)
        let wanted = min(max(wish.longest, fewest), most)
        longest = max(wanted / multiple, 1) * multiple
        let least = min(max(wish.shortest, fewest, multiple), longest)
        let excess = least % multiple
        shortest = excess == 0 ? least : least - excess + multiple
    }

    /// Returns half of a size, but at least the shortest one.
    func half(of size: Int) -> Int { max(size / 2 / multiple * multiple, shortest) }

    /// Returns twice a size, but at most the longest one.
    func double(of size: Int) -> Int { size > longest / 2 ? longest : size * 2 }

    /// Returns the nearest of these sizes.
    func nearest(to size: Int) -> Int { min(max(size / multiple * multiple, shortest), longest) }
}
