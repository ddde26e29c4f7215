#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The work of a loop's thread, and everything that exists as long as the thread does.
///
/// What it does is in several files: the requests to each host in `CurlThread+Hosts.swift`, what libcurl does for them
/// in `CurlThread+Transfers.swift`, and what is due at a time in `CurlThread+Checks.swift`.
///
/// It is used on its own thread only. Some variables are not checked for overlapping accesses, since the check costs
/// more than the access.
final class CurlThread {
    let loop: CurlLoop
    /// libcurl's multi handle, with the sockets that it waits for.
    let multi: OpaquePointer
    /// Senders of messages end the thread's waits with it.
    private let wake: CurlLoop.Mailbox.Wake
    /// The messages that are being handled. It is empty otherwise, and keeps its memory for the next ones.
    @exclusivity(unchecked) private var inbox: [CurlLoop.Message] = []

    @exclusivity(unchecked) var running = RunningTransfers()
    var waiting = WaitingTransfers()
    @exclusivity(unchecked) var handles = CurlHandlePool()
    @exclusivity(unchecked) var postponed = PostponedWork()
    @exclusivity(unchecked) var checks = CheckSchedule()
    let decoding = DecodingTurns()
    let headerLists = HeaderList.Recent()

    var configuration: CurlClient.Configuration { loop.configuration }

    /// Returns nil if no memory or no descriptor is left.
    init?(of loop: CurlLoop) {
        guard let wake = loop.mailbox.makeWake(), let multi = acurl_loop_create(wake.pointer) else { return nil }
        self.loop = loop
        self.wake = wake
        self.multi = multi
    }

    /// Drives the transfers until the client is gone or has not been used for the idle timeout. It can be called once.
    func run() {
        setLimits()
        driveTransfers()
        handles.removeAll()
        acurl_loop_destroy(multi)
    }

    /// Sets how many connections and streams libcurl opens, and how many connections it keeps.
    private func setLimits() {
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

    // MARK: - Turns

    /// Handles messages, timers and sockets in turns, until the thread is to end: the client is closed or has been idle
    /// for long enough, no transfer needs the thread, and no message has arrived.
    private func driveTransfers() {
        var lastUse = ContinuousClock.now
        while true {
            handleMessages()
            actOnTimer()
            decoding.takeTurns(on: self)
            let now = ContinuousClock.now
            if isInUse { lastUse = now }
            let idleEnd = lastUse + configuration.idleTimeout
            if mayEnd(at: now, idleEnd: idleEnd) {
                // The sender of the next request then starts another thread.
                let hasEnded = loop.mailbox.endThreadIfEmpty()
                if hasEnded { return }
            }
            let endOfWait = isInUse ? checks.nextTime : idleEnd
            let mayHaveMore = waitForSockets((endOfWait - now).milliseconds)
            // Only what was due before the wait is checked, since the sockets were read from after that. If the wait
            // lasts until a check is due, the check follows in the next turn, after a read without a wait.
            let isCheckDue = checks.noteRead(begunAt: now, mayHaveMore: mayHaveMore, socketCount: running.count)
            if isCheckDue { check(at: now) }
        }
    }

    /// Whether a transfer needs the thread. Waiting transfers need no look: one waits only while its host has others
    /// running.
    private var isInUse: Bool { !running.isEmpty || !decoding.isEmpty }

    /// Whether no transfer needs the thread, and no more are to be expected soon.
    private func mayEnd(at now: ContinuousClock.Instant, idleEnd: ContinuousClock.Instant) -> Bool {
        if isInUse { return false }
        return now >= idleEnd || loop.mailbox.isClosed
    }

    /// Makes libcurl act if its timer has run out, as it has after a message has started a transfer.
    private func actOnTimer() {
        acurl_loop_act(multi)
        handleEvents()
    }

    /// Waits until a socket is ready, libcurl's timer runs out or a message arrives. Then makes libcurl act on the
    /// ready sockets and the timer. If the process ends meanwhile, cancels all transfers and never returns.
    ///
    /// - Parameter milliseconds: The longest time to wait. There is no wait at all if bodies have to be decoded.
    /// - Returns: Whether more sockets may be ready than libcurl has acted on.
    private func waitForSockets(_ milliseconds: Int32) -> Bool {
        // A wait cannot be announced if a message has arrived meanwhile, which has to be handled first.
        let mayWait = decoding.isEmpty && loop.mailbox.announceWait(wake)
        let result = acurl_loop_wait(multi, mayWait ? milliseconds : 0)
        if result == acurl_exiting {
            // The transfers cannot end any more, since libcurl must not be used while the process ends.
            cancelAll()
            // Never returns.
            acurl_stay()
        }
        handleEvents()
        return result == acurl_has_more
    }

    /// Cancels all transfers. Called when the process ends, after which libcurl can no longer be used.
    private func cancelAll() {
        let transfers = [running.all, Array(waiting.all), Array(decoding.all)].joined()
        for transfer in transfers { transfer.exchange.fail(CancellationError()) }
        loop.failMessages(with: CancellationError())
    }

    // MARK: - Messages

    /// Takes the messages that have arrived, and does what they say.
    private func handleMessages() {
        loop.mailbox.takeMessages(into: &inbox)
        for message in inbox { handle(message) }
        // After an unusual number of messages, the memory is returned.
        inbox.removeAll(keepingCapacity: inbox.count <= 1024)
    }

    /// Does what a message says.
    private func handle(_ message: CurlLoop.Message) {
        switch message {
        case .start(let exchange, let cookies, let transferTimeout):
            start(exchange, cookies: cookies, transferTimeout: transferTimeout)
        case .stop(let transfer):
            stop(transfer)
        case .resume(let transfer):
            transfer.proceed(on: self)
        case .uploadPiece(let upload, let piece):
            upload.add(piece)
        case .uploadEnd(let upload):
            upload.finishReading()
        case .continueUpload(let upload):
            upload.proceed()
        case .close:
            // The mailbox has noted it. The message has ended the wait.
            break
        }
    }
}
#endif
