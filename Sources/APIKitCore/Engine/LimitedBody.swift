/// A body that is collected in memory, up to a limit.
struct LimitedBody: Sendable {
    private var collected = CollectedBody()
    private let limit: Limit

    /// What happens to a body that is longer than a number of bytes.
    private enum Limit {
        /// It is refused.
        case whole(Int)
        /// Only its beginning is wanted, and the rest is cut off.
        case beginning(Int)
    }

    /// What becomes of a piece.
    enum Addition {
        /// It was added.
        case added
        /// The part of it that is wanted was added. The body is complete, and the rest is not needed.
        case cutOff
        /// It was refused, since the body is larger than the limit.
        case refused
    }

    /// Creates an empty body.
    ///
    /// - Parameter limit: The maximum number of bytes. A larger body is refused.
    init(limit: Int) {
        self.limit = .whole(limit)
    }

    /// Creates an empty body of which only the beginning is wanted, and the rest is cut off.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that are wanted.
    ///   - limit: The maximum number of bytes, if that is less.
    init(beginning count: Int, limit: Int) {
        self.limit = .beginning(min(limit, count))
    }

    var data: Data { collected.data }
    /// Whether the body was longer than its wanted beginning.
    private(set) var isCutOff = false

    /// Appends a piece as far as the limit allows. If the whole body is wanted, a piece that exceeds the limit is
    /// refused. If only the beginning is wanted, its bytes below the limit complete that.
    ///
    /// - Parameters:
    ///   - piece: The piece.
    ///   - announced: The length of the whole body as the response's head announces it; nil if it does not.
    /// - Returns: What becomes of it.
    mutating func append(_ piece: Data, of announced: Int?) -> Addition {
        switch limit {
        case .whole(let maximum):
            guard piece.count <= room(below: maximum) else { return .refused }
            collected.append(piece, of: announced)
            return .added
        case .beginning(let wantedCount):
            let wantedRest = room(below: wantedCount)
            collected.append(piece.prefix(wantedRest), of: announced)
            if piece.count <= wantedRest { return .added }
            isCutOff = true
            return .cutOff
        }
    }

    private func room(below maximum: Int) -> Int {
        max(0, maximum - data.count)
    }
}
