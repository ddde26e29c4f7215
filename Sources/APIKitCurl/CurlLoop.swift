#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The loop that drives the transfers of a client on a thread of its own. Other threads send it messages.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used only on the loop's thread. There is at
/// most one such thread at a time, and the lock is taken between the end of one and the start of the next. Some
/// variables are not checked for overlapping accesses, as in `CurlTransfer`.
final class CurlLoop: @unchecked Sendable {
    enum Message: Sendable {
        case start(Start)
        case stop(CurlTransfer)
        case resume(CurlTransfer)
        /// The next piece of the request's body.
        case uploadPiece(CurlTransfer, Data)
        /// The request's body has no more pieces.
        case uploadEnd(CurlTransfer)
        /// The body need not wait for a 100 response any longer.
        case sendBody(CurlTransfer)
        /// The client was deallocated, so no transfers will follow.
        case close
    }

    /// A request to send.
    struct Start: Sendable {
        let exchange: Exchange
        let cookies: RequestCookies
        /// The longest time from the start of the transfer to the end of the response, nil for no limit.
        let transferTimeout: Duration?
    }

    private struct State {
        var messages: [Message] = []
        var hasThread = false
        /// Ends the wait of the thread; nil while there is no thread, or one that has just started.
        var wake: Wake?
    }

    /// Ends a wait of the thread. A sender gets it under the lock and uses it afterwards, when the thread may have
    /// ended already, so each sender retains it.
    ///
    /// `@unchecked Sendable`: its functions may be called from any thread.
    private final class Wake: @unchecked Sendable {
        let pointer: OpaquePointer

        init?() {
            guard let pointer = acurl_wake_create() else { return nil }
            self.pointer = pointer
        }

        deinit {
            acurl_wake_destroy(pointer)
        }
    }

    /// Whether libcurl sets no timer for trying the next address of a host if the first one does not respond (from 7.88
    /// to 8.3). The loop then makes libcurl act at intervals while a transfer connects.
    private static let needsRemindersToConnect = (CurlVersion(7, 88)..<CurlVersion(8, 4)).contains(.installed)
    private static let reminderInterval = Duration.milliseconds(250)

    private let state = Locked(State())
    /// The messages that the thread is handling. It is empty otherwise, and keeps its memory for the next ones.
    @exclusivity(unchecked) private var inbox: [Message] = []
    let configuration: CurlClient.Configuration
    private var isClosed = false
    /// The transfers under way, each at its `slot`.
    @exclusivity(unchecked) private var active: [CurlTransfer] = []
    /// The transfers that wait for their host, by the numbers in its ``Host/waitingNumbers``. They do not wait in
    /// libcurl, where each would cost time and memory.
    private var waiting: [Int: CurlTransfer] = [:]
    @exclusivity(unchecked) private var hosts: [Substring: Host] = [:]
    @exclusivity(unchecked) private var lastHost: Host?
    /// The hosts to which a transfer has connected since libcurl was last asked to act, and for which others wait.
    @exclusivity(unchecked) private var connectedHosts: [Host] = []
    private var lastWaitingNumber = 0
    /// The handle that all other handles are copied from.
    private var firstHandle: CurlHandle?
    @exclusivity(unchecked) private var idleHandles: [CurlHandle] = []
    let headerLists = HeaderList.Recent()
    let recentHeaders = RecentHeaders()
    /// The transfers that have received bytes since libcurl was last asked to act.
    @exclusivity(unchecked) private var receivers: [CurlTransfer] = []
    /// The queue of transfers that take turns to decode their bodies.
    @exclusivity(unchecked) private var decoding: ArraySlice<CurlTransfer> = []
    /// The buffer that all transfers decode into, one after the other.
    private let decoded = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
    /// When the timeouts are due to be checked.
    @exclusivity(unchecked) private var nextCheck = ContinuousClock.now
    /// How often the loop has read from ready sockets since the check became due.
    private var readsSinceDue = 0

    init(_ configuration: CurlClient.Configuration) {
        self.configuration = configuration
    }

    deinit {
        decoded.deallocate()
    }

    // MARK: - From any thread

    func send(_ message: Message) {
        let (isFirst, wake) = state.withLock { state in
            let isFirst = !state.hasThread
            state.messages.append(message)
            state.hasThread = true
            return (isFirst, state.wake)
        }
        // Outside the lock, since the thread takes the lock as soon as it wakes up.
        if let wake { acurl_wake_up(wake.pointer) }
        if isFirst { startThread() }
    }

    private func startThread() {
        let context = Unmanaged.passRetained(self)
        let hasStarted = acurl_start_thread(
            { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
        if hasStarted { return }
        context.release()
        refuse("no thread can be started")
    }

    /// Ends the thread, if there is one, once it has no more transfers.
    func close() {
        if state.withLock({ $0.hasThread }) { send(.close) }
    }

    /// Fails the transfers that were to be started, since there is no thread that could do so.
    private func refuse(_ reason: String) {
        refuse(TransportError(.cannotConnect, reason))
    }

    /// Removes all messages, fails the transfers that they were to start or to resume, and marks the thread as ended.
    private func refuse(_ error: any Error) {
        let messages = state.withLock { state in
            let messages = state.messages
            state = State()
            return messages
        }
        for message in messages {
            switch message {
            case .start(let request):
                request.exchange.fail(error, beforeSending: true)
            case .resume(let transfer):
                transfer.exchange.fail(error, beforeSending: true)
            case .stop, .uploadPiece, .uploadEnd, .sendBody, .close:
                break
            }
        }
    }

    // MARK: - On the thread

    /// Drives the transfers until the client is gone or has not been used for the idle timeout. This is the thread's
    /// function.
    private func run() {
        // If this fails, the process is about to end.
        guard acurl_enter() else { return cancelAll() }
        guard let wake = makeWake(), let loop = acurl_loop_create(wake.pointer) else {
            acurl_leave()
            return refuse("no descriptor or memory is left")
        }
        setLimits(of: loop)
        var lastUse = ContinuousClock.now
        while true {
            handleMessages(loop)
            acurl_loop_act(loop)
            report(loop)
            decode()
            let now = ContinuousClock.now
            if isInUse { lastUse = now }
            if mayEnd(at: now, unusedSince: lastUse) {
                // Released before this thread is marked as ended, after which another one may start and use them.
                firstHandle = nil
                idleHandles = []
                if markEndedIfUnused() { break }
            }
            let nextTask = isInUse ? nextCheck : lastUse + configuration.idleTimeout
            let longestWait = prepareToWait(wake) ? (nextTask - now).milliseconds : 0
            let result = acurl_loop_wait(loop, longestWait)
            if result == acurl_exiting {
                // The transfers cannot end any more, since libcurl must not be used while the process ends.
                cancelAll()
                acurl_stay()
            }
            report(loop)
            checkTimeouts(now, loop, hasMoreToRead: result == acurl_has_more)
        }
        acurl_loop_destroy(loop)
        acurl_leave()
    }

    private func setLimits(of loop: OpaquePointer) {
        func set(_ option: Int, _ value: Int) {
            _ = acurl_loop_set_long(loop, Int32(option), value)
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

    private var isInUse: Bool { !active.isEmpty || !decoding.isEmpty }

    private func mayEnd(at now: ContinuousClock.Instant, unusedSince lastUse: ContinuousClock.Instant) -> Bool {
        if isInUse { return false }
        return isClosed || now >= lastUse + configuration.idleTimeout
    }

    /// Announces a wait for sockets and timers, if the thread has nothing else to do.
    ///
    /// - Returns: Whether the thread may wait. If not, it looks at the sockets without waiting.
    private func prepareToWait(_ wake: Wake) -> Bool {
        if !decoding.isEmpty { return false }
        let isEnding = isClosed && active.isEmpty
        if isEnding { return false }
        return announceWait(wake)
    }

    /// Cancels all transfers. Called when the process ends, after which libcurl can no longer be used.
    private func cancelAll() {
        let transfers = [active, Array(waiting.values), Array(decoding)].joined()
        for transfer in transfers { transfer.exchange.fail(CancellationError()) }
        refuse(CancellationError())
    }

    /// Creates the object by which senders end the waits of this thread.
    private func makeWake() -> Wake? {
        let wake = Wake()
        state.withLock { $0.wake = wake }
        return wake
    }

    private func handleMessages(_ loop: OpaquePointer) {
        state.withLock { swap(&$0.messages, &inbox) }
        for message in inbox { handle(message, loop) }
        // After an unusual number of messages, the memory is returned.
        inbox.removeAll(keepingCapacity: inbox.count <= 1024)
    }

    /// Makes the sender of the next message end the following wait, unless there are messages already.
    ///
    /// - Returns: Whether the wait was announced.
    private func announceWait(_ wake: Wake) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            acurl_wake_expect(wake.pointer)
            return true
        }
    }

    /// Marks the thread as ended, unless there are messages for it. The next sender starts another thread.
    ///
    /// - Returns: Whether it was marked, and so must end.
    private func markEndedIfUnused() -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.hasThread = false
            state.wake = nil
            return true
        }
    }

    private func handle(_ message: Message, _ loop: OpaquePointer) {
        switch message {
        case .start(let request):
            // The transfer is created on this thread, which will free it. Memory that another thread has allocated is
            // slower to free, since the allocator then has to take a lock.
            start(CurlTransfer(request, on: self), loop)
        case .stop(let transfer):
            stop(transfer, loop)
        case .resume(let transfer):
            transfer.resume()
        case .uploadPiece(let transfer, let piece):
            transfer.addPiece(piece)
        case .uploadEnd(let transfer):
            transfer.endUpload()
        case .sendBody(let transfer):
            transfer.sendBody()
        case .close:
            isClosed = true
        }
    }

    private func stop(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        if let handle = transfer.handle {
            abandonConnectionIfSilent(handle.easy, of: transfer, loop)
            remove(transfer, loop)
        }
        if let number = transfer.waitingNumber { waiting[number] = nil }
    }

    /// Starts a transfer, or lets it wait for its host.
    private func start(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard transfer.begin() else { return }
        let timeLeft = transfer.exchange.checkTimeout()
        // The request may have waited too long for this thread.
        guard !transfer.exchange.isOver else { return }
        scheduleCheck(at: .now + timeLeft)
        let host = findOrCreateHost(of: transfer)
        transfer.host = host
        if host.mayStart {
            launch(transfer, on: host, loop)
        } else {
            wait(transfer, for: host)
        }
    }

    private func wait(_ transfer: CurlTransfer, for host: Host) {
        lastWaitingNumber += 1
        waiting[lastWaitingNumber] = transfer
        transfer.waitingNumber = lastWaitingNumber
        host.waitingNumbers.append(lastWaitingNumber)
        raiseConnectingLimit(of: host)
    }

    /// Lets more transfers to a host connect at once if it is time, and schedules the next time.
    private func raiseConnectingLimit(of host: Host) {
        if let nextRaise = host.raiseConnectingLimit(.now) { scheduleCheck(at: nextRaise) }
    }

    /// Returns the host that a transfer is for. A new host is remembered once a transfer to it is under way.
    private func findOrCreateHost(of transfer: CurlTransfer) -> Host {
        // Most requests of a client are for the same host as the one before, which saves the look-up by a hash.
        if let lastHost, lastHost.isRemembered, lastHost.origin == transfer.origin { return lastHost }
        let host = hosts[transfer.origin] ?? Host(of: transfer, configuration)
        lastHost = host
        return host
    }

    /// Hands a transfer to libcurl.
    private func launch(_ transfer: CurlTransfer, on host: Host, _ loop: OpaquePointer) {
        do throws(TransportError) {
            let handle = try takeHandle(on: loop)
            transfer.prepare(handle, on: loop, bufferSize: bufferSize)
            transfer.slot = active.count
            active.append(transfer)
            remember(host)
            host.didStart()
            if Self.needsRemindersToConnect { scheduleCheck(at: .now + Self.reminderInterval) }
            guard acurl_loop_add(loop, handle.easy) == 0 else {
                throw TransportError(.other, "libcurl cannot start it")
            }
        } catch {
            transfer.exchange.fail(error, beforeSending: true)
        }
    }

    private func remember(_ host: Host) {
        if host.isRemembered { return }
        hosts[host.origin] = host
        host.isRemembered = true
    }

    /// Forgets a host without transfers, if many hosts are remembered.
    ///
    /// Most hosts get further requests, for which it is worth knowing whether the server supports HTTP/2: then they can
    /// share a connection at once. So more hosts are kept if they have shown that they do.
    private func forgetIfUnused(_ host: Host) {
        let limit = host.isShared ? 1000 : 64
        guard host.activeCount == 0, hosts.count > limit else { return }
        hosts[host.origin] = nil
        host.isRemembered = false
    }

    /// How many bytes libcurl reads at a time for the next transfer.
    ///
    /// Up to libcurl 8.7, each transfer has its own buffer. The more transfers there are, the smaller are the buffers:
    /// those of 1,024 transfers have less than 20 MiB together, and each further one has only 1 KiB.
    private var bufferSize: Int {
        switch active.count {
        case ..<256: 64 << 10
        case ..<1024: 4 << 10
        default: 1 << 10
        }
    }

    /// Returns an idle handle, or creates one.
    private func takeHandle(on loop: OpaquePointer) throws(TransportError) -> CurlHandle {
        if let idle = idleHandles.popLast() { return idle }
        if let firstHandle { return try CurlHandle(copying: firstHandle) }
        let first = try CurlHandle(configuration, on: loop)
        firstHandle = first
        return try CurlHandle(copying: first)
    }

    /// Starts waiting transfers to a host, in the order in which they came, as far as the host allows.
    private func startWaiting(for host: Host, _ loop: OpaquePointer) {
        while host.mayStart, let number = host.waitingNumbers.popFirst() {
            // A transfer that was stopped is no longer there.
            if let transfer = waiting.removeValue(forKey: number) { launch(transfer, on: host, loop) }
        }
        if host.isGated { raiseConnectingLimit(of: host) }
    }

    /// Adds a transfer to the queue of those that take turns to decode their bodies.
    func scheduleDecoding(of transfer: CurlTransfer) {
        guard !transfer.isQueuedToDecode else { return }
        transfer.isQueuedToDecode = true
        decoding.append(transfer)
    }

    /// Gives each transfer in the queue at most one turn to decode. Ends after about a millisecond, since other
    /// transfers wait for the loop to read from their sockets.
    private func decode() {
        guard !decoding.isEmpty else { return }
        let end = ContinuousClock.now + .milliseconds(1)
        for _ in 0..<decoding.count {
            guard let transfer = decoding.popFirst() else { break }
            transfer.isQueuedToDecode = false
            let needsAnotherTurn = transfer.decodeForOneTurn(until: end, decoded)
            if needsAnotherTurn { scheduleDecoding(of: transfer) }
            if ContinuousClock.now >= end { break }
        }
    }

    /// Schedules the report of a transfer for after libcurl has returned, when it has delivered all data that it has.
    func scheduleReport(of transfer: CurlTransfer) {
        receivers.append(transfer)
    }

    /// Notes that a transfer has connected to a host. The transfers that wait for the host are started after libcurl
    /// has returned, since this is called from one of its callbacks.
    func didConnect(to host: Host) {
        host.didConnect()
        if !host.waitingNumbers.isEmpty { connectedHosts.append(host) }
    }

    /// Reports what happened since libcurl was last asked to act: connections, received bytes and ended transfers.
    /// Starts the transfers that have waited for one of these.
    private func report(_ loop: OpaquePointer) {
        for host in connectedHosts { startWaiting(for: host, loop) }
        connectedHosts.removeAll(keepingCapacity: true)
        var code: Int32 = 0
        while let context = acurl_loop_next(loop, &code) {
            guard let transfer = CurlHandle.transfer(context)?.takeUnretainedValue() else { continue }
            if code == 0 { transfer.leaveConnection() }
            transfer.end(code)
            remove(transfer, loop)
        }
        // A transfer that has just ended has already reported its bytes, so this does nothing for it.
        for transfer in receivers { transfer.report() }
        receivers.removeAll(keepingCapacity: receivers.count <= 1024)
    }

    /// Closes the connection of a transfer that is stopped before its end, if the connection has been silent for so
    /// long that it is probably dead. Otherwise libcurl would send all further requests to the host over this
    /// connection if it can be shared.
    private func abandonConnectionIfSilent(_ easy: OpaquePointer, of transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard transfer.mayShareConnection else { return }
        // Until the request is sent, the handle may still name the connection of the handle's last request.
        guard !transfer.isConnecting else { return }
        let halfOfTimeout = transfer.exchange.request.options.effectiveTimeout / 2
        let isOnlyTransfer = transfer.host?.activeCount == 1
        let silence: Duration
        if isOnlyTransfer, !transfer.hasHead {
            // If the connection was not dead after all, closing it costs little: the next request opens another one.
            silence = min(halfOfTimeout, .milliseconds(500))
        } else {
            // Other requests may use the connection, or the response has begun. A connection that is only slow should
            // not be closed then.
            silence = max(halfOfTimeout, .seconds(5))
        }
        acurl_loop_abandon(loop, easy, Int64(silence.milliseconds))
    }

    /// Removes a transfer that has ended or is stopped, and starts the next ones for its host.
    private func remove(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard let handle = transfer.handle else { return }
        removeFromActive(transfer)
        acurl_loop_remove(loop, handle.easy)
        transfer.release()
        handle.end()
        if idleHandles.count < Self.idleHandleLimit { idleHandles.append(handle) }
        guard let host = transfer.host else { return }
        host.didEnd(isConnected: !transfer.isConnecting)
        startWaiting(for: host, loop)
        forgetIfUnused(host)
    }

    /// How many handles are kept for later transfers: as many as a host has connections by default.
    private static let idleHandleLimit = 64

    /// Removes a transfer from `active`. The last transfer moves to the free slot, so that all others keep theirs.
    private func removeFromActive(_ transfer: CurlTransfer) {
        guard let last = active.popLast(), last !== transfer else { return }
        last.slot = transfer.slot
        active[transfer.slot] = last
    }

    // MARK: - Timeouts

    /// Schedules a check of the timeouts, unless an earlier one is scheduled.
    private func scheduleCheck(at time: ContinuousClock.Instant) {
        nextCheck = min(nextCheck, time)
    }

    /// Checks the timeouts of all transfers, if the check is due, and schedules the next one.
    ///
    /// - Parameters:
    ///   - now: When the loop last began to look at the sockets. Bytes that had arrived by then have been read, so a
    ///     timeout that has run out by then may be reported.
    ///   - loop: The loop.
    ///   - hasMoreToRead: Whether more sockets may be ready than the loop reads from at a time.
    private func checkTimeouts(_ now: ContinuousClock.Instant, _ loop: OpaquePointer, hasMoreToRead: Bool) {
        guard nextCheck <= now else { return }
        readsSinceDue += 1
        // The loop reads from up to 64 sockets at a time. After this many times, each socket has had its turn.
        let hasReadAll = !hasMoreToRead || readsSinceDue > active.count / 64
        guard hasReadAll else { return }
        readsSinceDue = 0
        let nextRaise = letMoreConnect(now, loop)
        let needsReminder = Self.needsRemindersToConnect && active.contains(where: \.isConnecting)
        if needsReminder { acurl_loop_act_on_all(loop) }
        var delay = failTimedOutTransfers()
        if needsReminder { delay = min(delay, Self.reminderInterval) }
        nextCheck = now + max(delay, shortestCheckInterval)
        if let nextRaise { scheduleCheck(at: nextRaise) }
    }

    /// The shortest time between two checks of the timeouts. A check takes about 0.1 microseconds per transfer, so with
    /// a hundred times as long in between, checks take about a hundredth of the thread's time. More than 40
    /// milliseconds would make timeouts inexact.
    private var shortestCheckInterval: Duration {
        let transferCount = active.count + waiting.count
        return min(.microseconds(10) * transferCount, .milliseconds(40))
    }

    /// Raises the number of transfers that may connect at once, for each host where it is time, and starts waiting
    /// transfers.
    ///
    /// - Returns: When the next host's number may be raised, nil if no transfers wait for that.
    private func letMoreConnect(_ now: ContinuousClock.Instant, _ loop: OpaquePointer) -> ContinuousClock.Instant? {
        var earliest: ContinuousClock.Instant?
        for host in hosts.values {
            let nextRaise = host.raiseConnectingLimit(now)
            startWaiting(for: host, loop)
            guard let nextRaise else { continue }
            earliest = min(earliest ?? nextRaise, nextRaise)
        }
        return earliest
    }

    /// Fails the transfers whose timeout has run out.
    ///
    /// - Returns: The time until the next timeout can run out; an hour at most.
    private func failTimedOutTransfers() -> Duration {
        var next = Duration.seconds(3600)
        for transfer in active { next = min(next, transfer.checkTimeout()) }
        for transfer in waiting.values { next = min(next, transfer.checkTimeout()) }
        return next
    }
}
#endif
