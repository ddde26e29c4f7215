#if os(Linux)
/// The transfers that wait for their hosts. They do not wait in libcurl, where each would cost time and memory.
///
/// Each has a number, by which it is removed if it is stopped. Its host has the numbers in the order in which the
/// transfers came. The number of a removed transfer stays there for a while, since its removal would take a search.
struct WaitingTransfers {
    private var transfers: [Int: CurlTransfer] = [:]
    private var lastNumber = 0

    var count: Int { transfers.count }
    var all: some Collection<CurlTransfer> { transfers.values }

    mutating func add(_ transfer: CurlTransfer) {
        lastNumber += 1
        transfers[lastNumber] = transfer
        transfer.wait(as: lastNumber)
        transfer.host.waitingNumbers.append(lastNumber)
    }

    /// Removes a transfer that is stopped.
    mutating func remove(_ number: Int, for host: CurlLoop.Host) {
        transfers[number] = nil
        // Otherwise the numbers would take more and more memory while nothing can be launched. At least half of them
        // are removed at a time, so this takes a constant time for each on average.
        let hasManyRemoved = host.waitingNumbers.count > 2 * transfers.count
        if hasManyRemoved { host.waitingNumbers.removeAll { transfers[$0] == nil } }
    }

    /// Removes and returns the transfer that has waited longest for a host, nil if there is none.
    mutating func popFirst(for host: CurlLoop.Host) -> CurlTransfer? {
        while let number = host.waitingNumbers.popFirst() {
            if let transfer = transfers.removeValue(forKey: number) { return transfer }
        }
        return nil
    }
}
#endif
