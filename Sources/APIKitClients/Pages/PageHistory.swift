import APIKitCore

/// The requests of a sequence of pages, as far as they are needed to notice that it goes round in a circle.
struct PageHistory: Sendable {
    private var first: HTTPRequest?
    private var last: HTTPRequest?
    /// A request that is replaced after 1, 2, 4, 8 … others: once the distance is longer than the circle, the sequence
    /// comes back to it (R. P. Brent, An improved Monte Carlo factorization algorithm, 1980).
    private var checkpoint: HTTPRequest?
    private var distance = 0
    private var longestDistance = 1

    /// Adds a request, as it is sent by a client.
    ///
    /// - Returns: False if the request is known to equal an earlier one.
    mutating func add(_ request: some APIRequest, from client: any APIClient) -> Bool {
        // An invalid one is not sent: the error comes from there.
        guard let outgoing = try? request.httpRequest(base: client.base(insteadOf: request.base), options: nil) else {
            return true
        }
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
