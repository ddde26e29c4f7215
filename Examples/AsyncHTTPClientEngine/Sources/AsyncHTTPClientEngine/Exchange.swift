import APIKitCore
import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// One request on its way through an engine that reads its answer as a sequence: progress, timing, the limits of time and
/// size, and the delivery of the body. Of async-http-client it knows nothing.
final class Exchange: Sendable {
    private struct State {
        var progress = TransferProgress()
        var timing = Timing(queued: .now, sent: .now)
    }

    /// The request's body in pieces that report when they have gone out; nil of none and of small data, of which
    /// there is nothing to report.
    var upload: ByteStream? {
        isSentAtOnce ? nil : request.body.map { ByteStream(Upload(bytes: $0.bytes, exchange: self)) }
    }

    private let request: HTTPRequest
    private let isSentAtOnce: Bool
    private let timeout: TimeAmount
    private let watch: SilenceWatch
    private let code: @Sendable (any Error) -> TransportError.Code
    private let state = NIOLockedValueBox(State())
    private let silence: NIOLockedValueBox<(until: NIODeadline, isTooLong: Bool)>

    /// Makes an exchange of an engine whose errors `code` sorts.
    init(
        of request: HTTPRequest, watchedBy watch: SilenceWatch,
        sorting code: @escaping @Sendable (any Error) -> TransportError.Code
    ) {
        (self.request, self.watch, self.code) = (request, watch, code)
        timeout = TimeAmount(max(.zero, min(request.options.timeout, .seconds(1 << 30))))
        silence = NIOLockedValueBox((.now() + timeout, false))
        let length = request.body.map(\.length) ?? 0
        isSentAtOnce = request.body.map { length ?? .max <= Upload.pieceSize && $0.data != nil } ?? true
        state.withLockedValue { $0.progress.totalBytesToSend = length }
    }

    // MARK: - Time

    /// Runs a step of the exchange; one in which nothing moves for as long as the request's timeout is ended.
    func run<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        // A task of its own, since a timer can end nothing else.
        let task = Task { try await step() }
        noteMove()
        watch.add(self, end: task.cancel)
        defer { watch.remove(self) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw Task.isCancelled ? CancellationError() : transportError(error)
        }
    }

    /// When the exchange is to be ended, unless something moves before.
    var silentUntil: NIODeadline { silence.withLockedValue(\.until) }

    func timeOut() {
        silence.withLockedValue { $0.isTooLong = true }
    }

    private func noteMove() {
        silence.withLockedValue { $0.until = .now() + timeout }
    }

    // MARK: - Progress

    /// Notes that something has moved, and reports it: under the lock, since reports come one at a time.
    fileprivate func note(_ change: (inout TransferProgress, inout Timing) -> Void) {
        noteMove()
        state.withLockedValue { state in
            guard state.timing.finished == nil else { return }
            change(&state.progress, &state.timing)
            request.progress?(state.progress)
        }
    }

    fileprivate func noteReceived(_ piece: Data) {
        note { progress, _ in progress.bytesReceived += piece.count }
    }

    fileprivate func finish() {
        note { progress, timing in
            progress.totalBytesToReceive = progress.bytesReceived
            timing.finished = .now
        }
    }

    // MARK: - The answer

    /// Takes an answer to where the request wants it; cancelling the task, and letting go of the bytes, must end what is
    /// behind them.
    func receive<Bytes: AsyncSequence & Sendable>(
        _ head: HTTPResponse.Head, _ bytes: Bytes
    ) async throws -> HTTPResponse where Bytes.Element == Data {
        // A HEAD and a 304 tell the length of a body that does not come (RFC 9110, section 8.6).
        let hasBody = request.method != .head && head.status != 304
        let length = hasBody ? head.headers[.contentLength].flatMap { Int($0) } : 0
        note { progress, timing in
            timing.firstByte = .now
            if isSentAtOnce { progress.bytesSent = progress.totalBytesToSend ?? 0 }
            // What is decompressed has another length than was told.
            progress.totalBytesToReceive = head.headers[.contentEncoding] == nil ? length : nil
        }
        var body = ResponseBody()
        switch request.delivery(of: head) {
        case .stream:
            body = ResponseBody(ByteStream(StreamedBody(bytes, of: self)))
        case .file:
            let file = try TemporaryFile()
            try await read(bytes) { try file.write($0) }
            body = ResponseBody(file)
        default:
            var data = Data()
            try checkLimit(length ?? 0)
            try await read(bytes) {
                try checkLimit(data.count + $0.count)
                // Most answers are one piece, which needs no copy.
                if data.isEmpty { data = $0 } else { data.append($0) }
            }
            body = ResponseBody(data)
        }
        return HTTPResponse(head: head, body: body, timing: state.withLockedValue(\.timing))
    }

    private func read<Bytes: AsyncSequence>(
        _ bytes: Bytes, _ take: (Data) throws -> Void
    ) async throws where Bytes.Element == Data {
        for try await piece in bytes {
            try take(piece)
            noteReceived(piece)
        }
        try Task.checkCancellation()
        finish()
    }

    private func checkLimit(_ count: Int) throws {
        guard let limit = request.options.sizeLimit, count > limit else { return }
        throw TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes")
    }

    private func transportError(_ error: any Error) -> any Error {
        if silence.withLockedValue(\.isTooLong) {
            let message = "nothing came for \(request.options.timeout)"
            return TransportError(.timedOut, message, request: request, underlying: error)
        }
        guard let error = error as? TransportError else {
            return TransportError(code(error), request: request, underlying: error)
        }
        return TransportError(error.code, error.message, request: request, underlying: error.underlying)
    }
}

/// The body of an answer as it arrives, for one reader.
private struct StreamedBody<Bytes: AsyncSequence & Sendable>: AsyncSequence, Sendable where Bytes.Element == Data {
    private let unread: NIOLockedValueBox<Bytes?>
    private let exchange: Exchange

    init(_ bytes: Bytes, of exchange: Exchange) {
        (unread, self.exchange) = (NIOLockedValueBox(bytes), exchange)
    }

    func makeAsyncIterator() -> Iterator {
        let bytes = unread.withLockedValue { $0.take() }
        return Iterator(reading: bytes.map { Reading($0.makeAsyncIterator()) }, exchange: exchange)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var reading: Reading?
        fileprivate let exchange: Exchange

        @concurrent
        mutating func next() async throws -> Data? {
            guard let reading else { throw TransportError(.unsupported, "the body of a response can be read once") }
            do {
                return try await exchange.run { [exchange] in try await reading.next(exchange) }
            } catch {
                self.reading = nil
                throw error
            }
        }
    }

    /// @unchecked: its iterator alone calls it, and waits for each call to end.
    fileprivate final class Reading: @unchecked Sendable {
        private var bytes: Bytes.AsyncIterator

        init(_ bytes: Bytes.AsyncIterator) {
            self.bytes = bytes
        }

        @concurrent
        func next(_ exchange: Exchange) async throws -> Data? {
            let piece = try await bytes.next()
            try Task.checkCancellation()
            piece.map(exchange.noteReceived) ?? exchange.finish()
            return piece
        }
    }
}

/// The body of a request as it is sent, in pieces that show how it moves.
private struct Upload: AsyncSequence, Sendable {
    static let pieceSize = 1 << 18
    let bytes: ByteStream
    let exchange: Exchange

    func makeAsyncIterator() -> Iterator {
        Iterator(exchange: exchange, bytes: bytes.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let exchange: Exchange
        var bytes: ByteStream.Iterator
        var waiting = Data()
        var sent = 0
        var lastCount = 0

        @concurrent
        mutating func next() async throws -> Data? {
            if waiting.isEmpty { waiting = try await bytes.next() ?? Data() }
            let piece = waiting.prefix(Upload.pieceSize)
            waiting = waiting.dropFirst(piece.count)
            // What was asked for before has gone out now.
            sent += lastCount
            lastCount = piece.count
            exchange.note { progress, timing in
                progress.bytesSent = sent
                timing.sent = .now
            }
            return piece.isEmpty ? nil : piece
        }
    }
}
