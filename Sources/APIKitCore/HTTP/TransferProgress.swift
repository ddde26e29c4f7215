/// The progress of a request and its response in bytes, as ``APIClient/send(_:options:progress:)`` reports it.
///
/// Each redirect and each retry starts from zero, or from the offset of a download that continues.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes of the request's body that have been sent.
    public var bytesSent: Int
    /// The size of the request's body, nil if it is unknown.
    public var totalBytesToSend: Int?
    /// The bytes of the response's body that have arrived, after decompression. A download that continues also counts
    /// the bytes of earlier attempts.
    public var bytesReceived: Int
    /// The size of the response's body; nil until the head has arrived and, if the head does not state it or the body
    /// is compressed, until the end.
    public var totalBytesToReceive: Int?

    /// Creates a progress value.
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

    /// The fraction of the request's body that has been sent, 0 to 1; nil if the total is unknown.
    public var fractionSent: Double? {
        Self.fraction(bytesSent, totalBytesToSend)
    }

    /// The fraction of the response's body that has arrived, 0 to 1; nil if the total is unknown.
    public var fractionReceived: Double? {
        Self.fraction(bytesReceived, totalBytesToReceive)
    }

    private static func fraction(_ count: Int, _ total: Int?) -> Double? {
        guard let total else { return nil }
        guard total != 0 else { return 1 }
        return min(1, Double(count) / Double(total))
    }
}

extension TransferProgress {
    /// A closure that receives the progress of a call, and the actor it runs on.
    ///
    /// ```swift
    /// try await client.send(
    ///     PutFilmRequest(file: file), progress: .onMainActor { show($0.fractionSent ?? 0) })
    /// ```
    ///
    /// The last report comes before `send` returns, except for a stream, whose reports continue while it is read.
    public struct Handler: Sendable {
        enum Kind: Sendable {
            case onMainActor(@MainActor @Sendable (TransferProgress) -> Void)
            case anywhere(@Sendable (TransferProgress) -> Void)
        }

        let kind: Kind

        /// Calls a closure on the main actor, as often as the actor has time. No report follows a cancel on the main
        /// actor.
        public static func onMainActor(_ report: @escaping @MainActor @Sendable (TransferProgress) -> Void) -> Handler {
            Handler(kind: .onMainActor(report))
        }

        /// Calls a closure often, once at a time, on no particular thread. One call may still follow a cancel.
        public static func anywhere(_ report: @escaping @Sendable (TransferProgress) -> Void) -> Handler {
            Handler(kind: .anywhere(report))
        }
    }
}
