extension HTTPResponse {
    /// Where a response comes from.
    public enum Source: Sendable, Hashable {
        /// The server sent it for this request.
        case network
        /// A cache had it and did not ask the server, or could not reach it.
        case cache
        /// A cache had it, and the server has confirmed with a 304 that it is still current.
        case revalidated
    }
}
