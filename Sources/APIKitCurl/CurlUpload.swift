#if os(Linux)
import APIKitCore
import APIKitSupport
import CAPIKitCurl

/// Sends the body of a request piece by piece: a task reads the body, and libcurl asks for the bytes.
///
/// `@unchecked Sendable`: its variables are used only on the loop's thread. The task sends what it reads to the loop,
/// in messages.
final class CurlUpload: @unchecked Sendable {
    private let content: RequestBody
    private let exchange: Exchange
    private let loop: CurlLoop
    /// The handle of the transfer, nil after its end. The task of the body may outlive that, and a handle must not be
    /// freed on another thread than the loop's.
    private var handle: CurlHandle?

    private var state: State
    /// The pieces that wait for libcurl: at most two, since the task reads another one only when one is used up.
    private var pieces: [Data] = []
    /// Whether libcurl has got no bytes when it last asked, and so does not ask again before it is resumed.
    private(set) var isPaused = false
    private var bytesSent = 0
    /// When libcurl has last taken bytes; nil before that.
    private var lastProgress: ContinuousClock.Instant?
    /// How long the body is still sent once the response is complete; nil before that.
    private var patience: UploadPatience?

    /// How far the upload is.
    private enum State {
        /// The request has `Expect: 100-continue`, and its body waits for the 100 response or for the end of the timer.
        /// The timer starts when libcurl first asks for the body. Next: `ready` or `ended`.
        case awaitingContinue(timer: Task<Void, Never>?)
        /// The body may be sent, but libcurl has not asked for it yet. Next: `reading` or `ended`.
        case ready
        /// The task reads the body, one piece for each demand. Next: `allRead` or `ended`.
        case reading(Task<Void, Never>, demand: AsyncStream<Void>.Continuation)
        /// The last piece was read. Pieces may still wait for libcurl. Next: `ended`.
        case allRead
        /// The transfer has ended. Late messages are ignored.
        case ended
    }

    /// Creates the upload of a transfer, which begins when libcurl asks for the body, or after a 100 response if the
    /// body waits for that.
    init(_ content: RequestBody, awaitsContinue: Bool, of transfer: CurlTransfer, on handle: CurlHandle) {
        self.content = content
        self.handle = handle
        exchange = transfer.exchange
        loop = transfer.loop
        state = awaitsContinue ? .awaitingContinue(timer: nil) : .ready
    }

    /// Whether the body waits for a 100 response.
    var awaitsContinue: Bool {
        if case .awaitingContinue = state { true } else { false }
    }

    // MARK: - After the response

    /// Whether the response is complete, so that the rest of the body is given up if it makes no progress.
    var isLimited: Bool { patience != nil }

    /// Begins to limit how long the body is still sent, since the response is complete.
    ///
    /// - Returns: For how long nothing may be sent.
    func beginLimit(timeout: Duration) -> Duration {
        let patience = UploadPatience(timeout: timeout, from: .now)
        self.patience = patience
        return patience.limit
    }

    /// Removes the limit. The upload is about to be stopped.
    func endLimit() {
        patience = nil
    }

    /// How long the rest of the body is still waited for: zero or less if it is given up, nil if there is no limit.
    var timeLeft: Duration? { patience?.timeLeft(since: lastProgress, at: .now) }

    // MARK: - libcurl's side

    /// Copies the next bytes of the body to libcurl's buffer.
    ///
    /// - Returns: The number of bytes, which is 0 at the end of the body; or `CURL_READFUNC_PAUSE` if there are no
    ///   bytes to send yet. libcurl then asks again after it was resumed.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let piece = pieces.first { return copy(piece, to: buffer) }
        switch state {
        case .awaitingContinue(timer: nil):
            // libcurl asks for the body for the first time, so the head is sent and the wait begins.
            state = .awaitingContinue(timer: startTimer())
        case .ready:
            state = startReading()
        case .awaitingContinue, .reading, .ended:
            break
        case .allRead:
            return 0
        }
        isPaused = true
        return CURL_READFUNC_PAUSE
    }

    /// Moves as much of the first piece as fits to a buffer, and demands another piece once the first is used up.
    ///
    /// - Returns: The number of bytes.
    private func copy(_ piece: Data, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(piece.count, buffer.count)
        piece.copyBytes(to: buffer, count: count)
        if count < piece.count {
            pieces[0] = piece.dropFirst(count)
        } else {
            pieces.removeFirst()
            if case .reading(_, let demand) = state { demand.yield() }
        }
        lastProgress = .now
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    /// Makes libcurl ask for bytes again, if it has paused.
    private func resumeIfPaused() {
        guard isPaused else { return }
        isPaused = false
        handle?.resume()
    }

    // MARK: - Tasks

    /// Starts a timer that ends the wait for a 100 response after a second, since a server may not support `Expect:
    /// 100-continue` (RFC 9110, section 10.1.1).
    private func startTimer() -> Task<Void, Never> {
        // Unstructured, since nothing awaits it: `end()` cancels it.
        Task { [loop] in
            do {
                try await Task.sleep(for: .seconds(1))
                loop.send(.continueUpload(self))
            } catch {
                // The timer was cancelled, so the wait or the transfer has ended.
            }
        }
    }

    /// Starts the task that reads the body, one piece ahead of libcurl. After each piece, the task waits for a demand.
    /// The first demand is given at once, and each further one when libcurl has taken a piece.
    private func startReading() -> State {
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        // Unstructured, since nothing awaits it: `end()` cancels it.
        let task = Task { [content, exchange, loop] in
            var nextDemand = demands.makeAsyncIterator()
            do {
                for try await piece in content.bytes {
                    loop.send(.uploadPiece(self, piece))
                    // The stream of demands ends only if the task is cancelled.
                    let isCancelled = await nextDemand.next() == nil
                    if isCancelled { return }
                }
                // A cancel may also end the body early, and the part read so far is not the complete body.
                if !Task.isCancelled { loop.send(.uploadEnd(self)) }
            } catch {
                // After a cancel, the transfer has ended, and the error is only a consequence.
                if !Task.isCancelled { exchange.fail(error) }
            }
        }
        // The first piece is read without a demand. This demand is for the second piece, which is read ahead.
        demand.yield()
        return .reading(task, demand: demand)
    }

    // MARK: - Messages

    /// Adds a piece to the bytes that libcurl is to send.
    func add(_ piece: Data) {
        guard case .reading = state else { return }
        pieces.append(piece)
        resumeIfPaused()
    }

    /// Notes that the last piece of the body was added.
    func finishReading() {
        guard case .reading = state else { return }
        state = .allRead
        resumeIfPaused()
    }

    /// Ends the wait for a 100 response, if there is one, and makes libcurl ask for the body again.
    func proceed() {
        if case .awaitingContinue(let timer) = state {
            timer?.cancel()
            state = .ready
        }
        resumeIfPaused()
    }

    /// Ends the upload, because the transfer has ended. Another transfer may use the handle from now on.
    func end() {
        switch state {
        case .awaitingContinue(let timer): timer?.cancel()
        case .reading(let task, _): task.cancel()
        case .ready, .allRead, .ended: break
        }
        state = .ended
        handle = nil
        pieces = []
        isPaused = false
    }
}
#endif
