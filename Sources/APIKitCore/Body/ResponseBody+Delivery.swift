extension ResponseBody {
    /// How a caller wants the body of a response.
    ///
    /// An engine honors it if the endpoint accepts the status; any other body is delivered as data, so that a failure
    /// can be read (``HTTPRequest/delivery(of:)``).
    public enum Delivery: Sendable, Hashable {
        /// Whole and in memory, within ``RequestOptions/sizeLimit``.
        case data
        /// As a ``ByteStream`` as soon as the head has arrived; ``RequestOptions/sizeLimit`` bounds the unread bytes.
        case stream
        /// Whole and in a temporary file, of any size.
        case file
    }
}
