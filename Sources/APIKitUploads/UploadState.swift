import APIKitCore

/// What is known of an upload, which request is next, and what follows from each response.
///
/// Only the server's word counts: after a break it is asked what it has, and the next chunk begins there.
struct UploadState {
    /// What is known of the upload on the server.
    private enum Phase {
        /// The server has to be asked first what it supports, by this message.
        case unverified(UploadMessage)
        /// There is none yet, or the server has forgotten it.
        case uncreated
        /// There is one, which has confirmed this many bytes; nil if it has to be asked.
        case created(URL, received: Int?)
    }

    /// The kind of the next request, and what it needs.
    enum NextRequest {
        case inquire(UploadMessage)
        case create
        case ask(URL)
        case send(Range<Int>, to: URL)
    }

    /// What follows from a response or a break.
    enum Action: Equatable {
        /// The next request is sent.
        case proceed
        /// The next request is sent after a pause, which becomes longer with the number of failures in a row.
        case pause(failures: Int)
        /// The response is the last one.
        case finish
        /// The response, or the error that took its place, is the failure of the upload.
        case fail
        /// The server does not support what the upload needs, of which nothing was sent.
        case giveUp(String)
        /// The server's word contradicts what was sent: it has more bytes, or loses them again and again.
        case contradiction(String)
        /// The server does not accept a file of this size.
        case refuseSize(String)
    }

    private let size: Int
    private let wish: ChunkSizes.Wish
    private var sizes: ChunkSizes
    /// What the server has stated about the sizes of chunks and files.
    private var limits: UploadLimits?
    /// The most bytes of the next chunk. It becomes shorter if breaks prevent progress, for a server or a proxy that
    /// keeps nothing of an incomplete chunk.
    private var chunkSize: Int
    /// How many requests in a row may fail, and how many uploads may be created.
    private let attempts: Int
    private var phase: Phase
    /// The end of the bytes that were ever sent to this upload.
    private(set) var sentEnd: Int
    /// The most bytes that the server has ever confirmed of this upload.
    private var mostReceived = 0
    /// The requests in a row that have failed, or after which the server had no more bytes than before.
    private var failures = 0
    /// The uploads that were created, without one that was continued.
    private var creations = 0

    /// Begins without an upload.
    ///
    /// - Parameters:
    ///   - size: The size of the file.
    ///   - wish: The sizes of chunks, unless the server states others.
    ///   - attempts: How many requests in a row may fail.
    ///   - inquiry: The request that asks what the server supports, before the upload is created; nil for none.
    init(size: Int, chunks wish: ChunkSizes.Wish, attempts: Int, inquiry: UploadMessage? = nil) {
        self.size = size
        self.wish = wish
        sizes = ChunkSizes(wish, within: nil)
        chunkSize = sizes.longest
        self.attempts = max(attempts, 1)
        phase = inquiry.map { .unverified($0) } ?? .uncreated
        sentEnd = 0
    }

    /// Continues an upload that the server already has.
    ///
    /// - Parameters:
    ///   - url: The URL of the upload.
    ///   - sentEnd: The end of the bytes that may have been sent to it.
    ///   - limits: What the server stated about sizes when it created the upload.
    mutating func resume(at url: URL, sentEnd: Int, within limits: UploadLimits? = nil) {
        setLimits(limits)
        phase = .created(url, received: nil)
        self.sentEnd = min(sentEnd, size)
    }

    /// The next request.
    var next: NextRequest {
        switch phase {
        case .unverified(let inquiry): .inquire(inquiry)
        case .uncreated: .create
        case .created(let url, nil): .ask(url)
        case .created(let url, let received?): .send(chunk(from: received), to: url)
        }
    }

    /// The bytes of the next chunk that begins at an offset.
    func chunk(from offset: Int) -> Range<Int> { offset..<(offset + min(chunkSize, size - offset)) }

    /// The number of bytes that the server has, as far as it has confirmed them.
    var received: Int {
        switch phase {
        case .unverified, .uncreated: 0
        case .created(_, let received): received ?? mostReceived
        }
    }

    /// The URL of the upload on the server; nil if there is none.
    var url: URL? {
        switch phase {
        case .unverified, .uncreated: nil
        case .created(let url, _): url
        }
    }

    // MARK: - Events

    /// Notes that a range is about to be sent.
    mutating func willSend(_ range: Range<Int>) {
        sentEnd = max(sentEnd, range.upperBound)
    }

    /// Notes that the upload was created, with what the server stated about sizes.
    mutating func created(at url: URL, within limits: UploadLimits? = nil) {
        setLimits(limits)
        creations += 1
        phase = .created(url, received: nil)
    }

    /// Respects what the server has stated about sizes from now on; nil for nothing.
    mutating func setLimits(_ limits: UploadLimits?) {
        self.limits = limits
        let wasShortened = chunkSize < sizes.longest
        sizes = ChunkSizes(wish, within: limits)
        chunkSize = wasShortened ? sizes.nearest(to: chunkSize) : sizes.longest
    }

    /// Decides what follows from a response.
    ///
    /// | The report | to an inquiry | to a creation | to a question | to a chunk |
    /// | --- | --- | --- | --- | --- |
    /// | suitable | create, or refuse the size | | | |
    /// | unsuitable | give up | | | |
    /// | received | | next chunk | next chunk | next chunk; without progress, after a pause |
    /// | complete | | finish if all bytes were sent | the same | the same |
    /// | mismatch | | fail | fail | pause, ask |
    /// | unknown | | fail | create | create |
    /// | busy | pause, inquire | pause, create | pause, ask | pause, ask |
    /// | refused | fail | fail | fail | fail |
    ///
    /// After too many failures in a row, a pause becomes a failure, and so does one more creation than attempts. If the
    /// server has stated that it does not accept a file of this size, no further chunk is sent.
    mutating func apply(_ report: UploadReport, to kind: UploadMessage.Kind) -> Action {
        switch report {
        case .suitable:
            return suitable()
        case .unsuitable(let problem):
            return .giveUp(problem)
        case .received(let count):
            return received(count, after: kind)
        case .complete:
            return complete()
        case .refused:
            return .fail
        case .mismatch:
            return kind == .chunk ? breakOff() : .fail
        case .busy:
            return breakOff()
        case .unknown:
            return kind == .creation ? .fail : startOver()
        }
    }

    /// Decides what follows if a request got no response.
    mutating func breakOff() -> Action {
        if case .created(let url, _) = phase { phase = .created(url, received: nil) }
        return failed()
    }

    private mutating func suitable() -> Action {
        if let problem = limits?.problem(withSize: size) { return .refuseSize(problem) }
        phase = .uncreated
        failures = 0
        return .proceed
    }

    private mutating func received(_ count: Int, after kind: UploadMessage.Kind) -> Action {
        guard case .created(let url, _) = phase, count <= sentEnd else {
            return .contradiction("the server says that it has \(count) bytes, but only \(sentEnd) were sent")
        }
        if let problem = limits?.problem(withSize: size) { return .refuseSize(problem) }
        phase = .created(url, received: count)
        if count > mostReceived {
            mostReceived = count
            failures = 0
            chunkSize = sizes.double(of: chunkSize)
            return .proceed
        }
        guard kind == .chunk else { return .proceed }
        let action = failed()
        guard action == .fail else { return action }
        return .contradiction("the server has \(count) bytes, and received no more in \(attempts) requests")
    }

    /// A server that claims to have the file although it was not sent all bytes would lose the rest.
    private func complete() -> Action {
        guard sentEnd == size else {
            return .contradiction(
                "the server says that it has the whole file, but only \(sentEnd) of \(size) bytes were sent")
        }
        return .finish
    }

    private mutating func startOver() -> Action {
        phase = .uncreated
        sentEnd = 0
        mostReceived = 0
        return creations < attempts ? .proceed : .fail
    }

    private mutating func failed() -> Action {
        failures += 1
        if failures > 1 { chunkSize = sizes.half(of: chunkSize) }
        return failures < attempts ? .pause(failures: failures) : .fail
    }
}
