#if os(Linux)
/// The transfers that libcurl has. Each one knows its place among them, by which it is removed.
struct RunningTransfers {
    private(set) var all: [CurlTransfer] = []

    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    /// Adds a transfer, which uses a handle from now on.
    mutating func add(_ transfer: CurlTransfer, on handle: CurlHandle) {
        transfer.run(on: handle, at: all.count)
        all.append(transfer)
    }

    /// Removes the transfer at a place. The last transfer moves there, so that all others keep their places.
    mutating func remove(at place: Int) {
        let last = all.removeLast()
        let wasLast = place == all.count
        if wasLast { return }
        last.move(to: place)
        all[place] = last
    }
}
#endif
