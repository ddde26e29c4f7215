/// How a caller wants the body of a response.
///
/// An engine honours it for a status that the endpoint accepts; the body of any other is delivered as data, so that a
/// failure can be read (``HTTPRequest/delivery(of:)``).
public struct BodyDelivery: RawRepresentable, Hashable, Sendable {
    /// The name of the delivery.
    public let rawValue: String

    /// Makes a delivery of the given name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whole, in memory, within ``RequestOptions/sizeLimit``.
    public static let data = BodyDelivery(rawValue: "data")
    /// As a ``ByteStream``, from the moment its head is there; ``RequestOptions/sizeLimit`` bounds what waits unread.
    public static let stream = BodyDelivery(rawValue: "stream")
    /// Whole, in a ``TemporaryFile``, of any size.
    public static let file = BodyDelivery(rawValue: "file")
}
