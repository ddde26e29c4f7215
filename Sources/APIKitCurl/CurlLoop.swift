#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The loop that drives the transfers of a client on a thread of its own. Other threads send it messages.
///
/// The thread's work is in several files: the requests to each host in `CurlLoop+Hosts.swift`, what libcurl does for
/// them in `CurlLoop+Transfers.swift`, content codings in `CurlLoop+Decoding.swift`, and timeouts in
/// `CurlLoop+Timeouts.swift`. Its functions pass on `multi`, which is libcurl's multi handle with the sockets that it
/// waits for; it exists as long as the thread.
///
/// `@unchecked Sendable`: the variables are used only on the loop's thread. There is at most one such thread at a time,
/// and the lock of the mailbox is taken between the end of one and the start of the next. Some variables are not
/// checked for overlapping accesses, as in `CurlTransfer`.
final class CurlLoop: @unchecked Sendable {
    let configuration: CurlClient.Configuration
    let headerLists = HeaderList.Recent()

    private let mailbox = Mailbox()
    /// The messages that the thread is handling. It is empty otherwise, and keeps its memory for the next ones.
    @exclusivity(unchecked) private var inbox: [Message] = []
    /// Whether the client was deallocated.
    private var isClosed = false

    // Transfers: see CurlLoop+Transfers.swift.
    /// The transfers that libcurl has, each at the index in its ``CurlTransfer/stage``.
    @exclusivity(unchecked) var active: [CurlTransfer] = []
    @exclusivity(unchecked) var handles = CurlHandlePool()
    /// The transfers that have received bytes since libcurl was last asked to act.
    @exclusivity(unchecked) var receivers: [CurlTransfer] = []

    // Hosts: see CurlLoop+Hosts.swift.
    @exclusivity(unchecked) var hosts = HostTable()
    /// The hosts to which a transfer has connected since libcurl was last asked to act, and for which others wait.
    @exclusivity(unchecked) var connectedHosts: [Host] = []
    var waiting = WaitingTransfers()

    // Content codings: see CurlLoop+Decoding.swift.
    /// The queue of transfers that take turns to decode their bodies.
    @exclusivity(unchecked) var decodingQueue: ArraySlice<CurlTransfer> = []
    /// The buffer that all transfers decode into, one after the other.
    let decodingBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)

    // Timeouts: see CurlLoop+Timeouts.swift.
    /// When the timeouts are due to be checked.
    @exclusivity(unchecked) var nextCheck = ContinuousClock.now
    /// How often the loop has read from ready sockets since the check became due.
    var readsSinceDue = 0

    init(_ configuration: CurlClient.Configuration) {
        self.configuration = configuration
    }

    deinit {
        decodingBuffer.deallocate()
    }

    // MARK: - From any thread

    /// Passes a message to the thread, which is started if there is none.
    func send(_ message: Message) {
        let needsThread = mailbox.add(message)
        if needsThread { startThread() }
    }

    /// Ends the thread, if there is one, once it has no more transfers.
    func close() {
        if mailbox.hasThread { send(.close) }
    }

    /// Starts a thread with the function ``run()``. If that is impossible, fails the messages.
    private func startThread() {
        // The thread releases it in `takeRetainedValue`.
        let context = Unmanaged.passRetained(self)
        let hasStarted = acurl_start_thread(
            { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
        if hasStarted { return }
        context.release()
        failMessages(with: TransportError(.cannotConnect, "no thread can be started"))
    }

    /// Fails the transfers of all messages, since there is no thread that could handle them. The next message starts a
    /// thread again.
    private func failMessages(with error: any Error) {
        for message in mailbox.removeAll() {
            switch message {
            case .start(let request):
                request.exchange.fail(error, beforeSending: true)
            case .resume(let transfer):
                // libcurl has ended this transfer, but its last bytes have yet to be decoded.
                transfer.exchange.fail(error)
            case .stop, .uploadPiece, .uploadEnd, .continueUpload, .close:
                break
            }
        }
    }

    // MARK: - On the thread

    /// Drives the transfers until the client is gone or has not been used for the idle timeout. This is the thread's
    /// function.
    private func run() {
        let mayUseCurl = acurl_enter()
        guard mayUseCurl else {
            // The process is about to end.
            cancelAll()
            return
        }
        guard let wake = mailbox.makeWake(), let multi = acurl_loop_create(wake.pointer) else {
            acurl_leave()
            failMessages(with: TransportError(.cannotConnect, "no descriptor or memory is left"))
            return
        }
        setLimits(of: multi)
        driveTransfers(multi, wake)
        acurl_loop_destroy(multi)
        acurl_leave()
    }

    /// Sets how many connections and streams libcurl opens, and how many connections it keeps.
    private func setLimits(of multi: OpaquePointer) {
        func set(_ option: Int, _ value: Int) {
            _ = acurl_loop_set_long(multi, Int32(option), value)
        }
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.boundedConnectionsPerHost)
        // For libcurl, 0 means no limit.
        let noLimit = 0
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections ?? noLimit)
        // The number of connections that are kept for later requests, to all hosts together.
        set(CURLMOPT_MAXCONNECTS, max(64, configuration.boundedConnectionsPerHost))
        // By default, libcurl limits the streams of a connection to 100. Only the server's limit is to apply (RFC 9113,
        // section 5.1.2), so this one is higher than that of any server.
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, 1 << 20)
    }

    /// Handles messages, sockets and timers in turns, until the thread is to end: the client is closed or has been idle
    /// for long enough, no transfer runs, and no message has arrived.
    private func driveTransfers(_ multi: OpaquePointer, _ wake: Mailbox.Wake) {
        var lastUse = ContinuousClock.now
        while true {
            handleMessages(multi)
            acurl_loop_act(multi)
            // The messages and libcurl's timer may have ended transfers, which then need no wait.
            handleEvents(multi)
            decodeInTurns()
            let now = ContinuousClock.now
            if isInUse { lastUse = now }
            let idleEnd = lastUse + configuration.idleTimeout
            let isExpired = isClosed || now >= idleEnd
            if isExpired, !isInUse {
                let hasEnded = endIfNoMessages()
                if hasEnded { return }
            }
            let endOfWait = isInUse ? nextCheck : idleEnd
            let hasMoreToRead = wait((endOfWait - now).milliseconds, multi, wake)
            handleEvents(multi)
            // Does only what was due before the wait: the loop has read from the sockets since then.
            doScheduledWork(now, multi, hasMoreToRead: hasMoreToRead)
        }
    }

    private var isInUse: Bool { !active.isEmpty || !decodingQueue.isEmpty }

    /// Ends the work of the thread, unless there are messages for it.
    ///
    /// - Returns: Whether the thread must end, since the next sender starts another one.
    private func endIfNoMessages() -> Bool {
        // Another thread may start as soon as this one is marked as ended, and would use the handles too.
        handles.removeAll()
        return mailbox.endThreadIfEmpty()
    }

    /// Waits until a socket is ready, libcurl's timer runs out or a message arrives. Then lets libcurl handle the ready
    /// sockets and the timer. If the process ends meanwhile, cancels all transfers and never returns.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest time to wait. There is no wait at all if the thread has other work.
    ///   - multi: libcurl's multi handle.
    ///   - wake: The object by which senders end the wait.
    /// - Returns: Whether more sockets may be ready than were handled.
    private func wait(_ milliseconds: Int32, _ multi: OpaquePointer, _ wake: Mailbox.Wake) -> Bool {
        let isEnding = isClosed && active.isEmpty
        let hasWork = isEnding || !decodingQueue.isEmpty
        // A wait cannot be announced if a message has arrived meanwhile, which has to be handled first.
        let mayWait = !hasWork && mailbox.announceWait(wake)
        let result = acurl_loop_wait(multi, mayWait ? milliseconds : 0)
        if result == acurl_exiting {
            // The transfers cannot end any more, since libcurl must not be used while the process ends.
            cancelAll()
            // Never returns.
            acurl_stay()
        }
        return result == acurl_has_more
    }

    /// Cancels all transfers. Called when the process ends, after which libcurl can no longer be used.
    private func cancelAll() {
        let transfers = [active, Array(waiting.all), Array(decodingQueue)].joined()
        for transfer in transfers { transfer.exchange.fail(CancellationError()) }
        failMessages(with: CancellationError())
    }

    // MARK: - Messages

    /// Takes the messages that have arrived, and does what they say.
    private func handleMessages(_ multi: OpaquePointer) {
        mailbox.takeMessages(into: &inbox)
        for message in inbox { handle(message, multi) }
        // After an unusual number of messages, the memory is returned.
        inbox.removeAll(keepingCapacity: inbox.count <= 1024)
    }

    /// Does what a message says.
    private func handle(_ message: Message, _ multi: OpaquePointer) {
        switch message {
        case .start(let request):
            start(request, multi)
        case .stop(let transfer):
            stop(transfer, multi)
        case .resume(let transfer):
            transfer.proceed()
        case .uploadPiece(let upload, let piece):
            upload.add(piece)
        case .uploadEnd(let upload):
            upload.finishReading()
        case .continueUpload(let upload):
            upload.proceed()
        case .close:
            isClosed = true
        }
    }
}
#endif
