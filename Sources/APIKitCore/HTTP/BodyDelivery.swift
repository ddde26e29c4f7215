/// How a caller wants the body of a response. An engine honours it for accepted statuses.
public struct BodyDelivery: RawRepresentable, Hashable, Sendable {
    /// The name of the delivery.
    public let rawValue: String

    /// Makes a delivery of the given name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whole, in memory, within ``RequestOptions/sizeLimit``.
    public static let data = BodyDelivery(rawValue: "data")
}
