import APIKitCore

/// Detects that a sequence of pages repeats its requests, but keeps only three of them.
struct PageHistory: Sendable {
    private var first: HTTPRequest?
    private var last: HTTPRequest?
    /// A request that is replaced by the current one after 1, 2, 4, 8 … further requests. Once this distance is at
    /// least the length of the cycle, the sequence returns to the checkpoint before it is replaced (R. P. Brent, An
    /// improved Monte Carlo factorization algorithm, 1980).
    private var checkpoint: HTTPRequest?
    /// The number of requests since the checkpoint.
    private var distance = 0
    /// The number of requests after which the checkpoint is replaced.
    private var longestDistance = 1

    /// Adds a request, unless it is known.
    ///
    /// - Returns: False if the request equals one of the three that are kept, and was not added.
    mutating func add(_ outgoing: HTTPRequest) -> Bool {
        let isKnown = outgoing == first || outgoing == last || outgoing == checkpoint
        if isKnown { return false }
        if first == nil { first = outgoing }
        last = outgoing
        distance += 1
        if distance >= longestDistance {
            checkpoint = outgoing
            distance = 0
            longestDistance *= 2
        }
        return true
    }
}
