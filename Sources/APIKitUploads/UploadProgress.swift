/// How far an upload is, over all of its requests.
public struct UploadProgress: Sendable, Hashable {
    /// The number of bytes that the server has confirmed. If it loses some, the number becomes less.
    public var bytesReceived: Int
    /// The number of confirmed bytes and of those that have been sent since, which the server may not have yet.
    public var bytesSent: Int
    /// The size of the file in bytes.
    public var totalBytes: Int

    /// Creates a progress value.
    public init(bytesReceived: Int, bytesSent: Int, totalBytes: Int) {
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.totalBytes = totalBytes
    }

    /// The fraction of the file that the server has confirmed, 0 to 1; 1 for an empty file.
    public var fraction: Double { Self.fraction(bytesReceived, of: totalBytes) }

    /// The fraction of the file that has been sent, 0 to 1, for a bar that moves between two confirmations.
    public var fractionSent: Double { Self.fraction(bytesSent, of: totalBytes) }

    private static func fraction(_ count: Int, of total: Int) -> Double {
        total > 0 ? min(1, Double(count) / Double(total)) : 1
    }
}
