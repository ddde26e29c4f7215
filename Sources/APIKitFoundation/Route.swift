/// Which session a request goes over.
struct Route: Sendable {
    let session: URLSession
    /// What the transfer holds until it is over.
    var place: (any Sendable)?
}
