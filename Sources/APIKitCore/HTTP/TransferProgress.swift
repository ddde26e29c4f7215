/// How far a request and its answer have come, in bytes; what ``APIClient/send(_:progress:)`` reports.
///
/// Each hop of a redirect and each repeat starts anew.
public struct TransferProgress: Sendable, Hashable {
    /// How many bytes of the request's body have gone out.
    public var bytesSent: Int
    /// How many there are, nil where the engine cannot know.
    public var totalBytesToSend: Int?
    /// How many bytes of the response's body have come, after decompression.
    public var bytesReceived: Int
    /// How many there are: nil until the head has come, and until the end where its length is not told or is that of a
    /// compressed body.
    public var totalBytesToReceive: Int?

    /// Makes a progress of its parts.
    public init(
        bytesSent: Int = 0,
        totalBytesToSend: Int? = nil,
        bytesReceived: Int = 0,
        totalBytesToReceive: Int? = nil
    ) {
        self.bytesSent = bytesSent
        self.totalBytesToSend = totalBytesToSend
        self.bytesReceived = bytesReceived
        self.totalBytesToReceive = totalBytesToReceive
    }

    /// The part of the request's body that has gone out, 0 to 1; nil where the total is not known.
    public var fractionSent: Double? {
        Self.fraction(bytesSent, totalBytesToSend)
    }

    /// The part of the response's body that has come, 0 to 1; nil where the total is not known.
    public var fractionReceived: Double? {
        Self.fraction(bytesReceived, totalBytesToReceive)
    }

    private static func fraction(_ count: Int, _ total: Int?) -> Double? {
        total.map { $0 == 0 ? 1 : min(1, Double(count) / Double($0)) }
    }
}
