#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The thread that drives the transfers of a client. Whatever concerns a transfer is a message to it.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used only on the thread. There is one at a
/// time, and the lock is taken between the end of one and the start of the next. Some are unchecked for overlapping
/// accesses, as in `CurlTransfer`.
final class CurlLoop: @unchecked Sendable {
    enum Message: Sendable {
        case start(Start)
        case stop(CurlTransfer)
        case resume(CurlTransfer)
        case upload(CurlTransfer, Data?)
        case sendBody(CurlTransfer)
        /// The client is gone.
        case close
    }

    /// A request to send.
    struct Start: Sendable {
        let exchange: Exchange
        let cookies: RequestCookies
        /// The longest time from here to the end of the response, nil for any.
        let transferTimeout: Duration?
    }

    private struct State {
        var messages: [Message] = []
        var hasThread = false
        /// Nil while there is no thread, and before it waits for the first time.
        var wake: Wake?
    }

    /// Ends a wait of the thread. A sender that got it under the lock may use it even after the thread has ended.
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

    /// Whether libcurl, when a host's address does not respond, turns to the next one only once something else has it
    /// act (from 7.88 to 8.3).
    private static let forgetsAddresses = (CurlVersion(7, 88)..<CurlVersion(8, 4)).contains(.installed)
    private static let reminder = Duration.milliseconds(250)

    private let state = Locked(State())
    /// The messages that the thread has taken; empty, but with room for as many again, while it handles none.
    @exclusivity(unchecked) private var inbox: [Message] = []
    let configuration: CurlClient.Configuration
    private var isClosed = false
    /// The transfers under way, each at its `slot`.
    @exclusivity(unchecked) private var active: [CurlTransfer] = []
    /// The transfers that wait, by the numbers in `hosts`: each place in libcurl's own line costs time and memory.
    private var waiting: [Int: CurlTransfer] = [:]
    @exclusivity(unchecked) private var hosts: [Substring: Host] = [:]
    @exclusivity(unchecked) private var lastHost: Host?
    /// The hosts to which a connection has just been made.
    @exclusivity(unchecked) private var connectedHosts: [Host] = []
    private var lastNumber = 0
    /// The handle that all others are copies of.
    private var firstHandle: CurlHandle?
    @exclusivity(unchecked) private var idleHandles: [CurlHandle] = []
    let headerLists = HeaderList.Recent()
    let recentHeaders = RecentHeaders()
    /// The transfers that have received bytes since libcurl was last asked to act.
    @exclusivity(unchecked) private var receivers: [CurlTransfer] = []
    /// The transfers whose bodies wait to be decoded.
    @exclusivity(unchecked) private var decoding: ArraySlice<CurlTransfer> = []
    /// The buffer that all of them decode into.
    private let decoded = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
    /// When to look at the timeouts again.
    @exclusivity(unchecked) private var nextCheck = ContinuousClock.now
    /// How often the loop has looked at the sockets since then.
    private var looks = 0

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
        // Not under the lock, which the thread needs next.
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

    /// Ends the thread once no transfer is left.
    func close() {
        if state.withLock({ $0.hasThread }) { send(.close) }
    }

    /// Fails the waiting transfers if no thread can be created.
    private func refuse(_ reason: String) {
        refuse(TransportError(.cannotConnect, reason))
    }

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
            case .stop, .upload, .sendBody, .close:
                break
            }
        }
    }

    // MARK: - On the thread

    private func run() {
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
                // Before another thread may start.
                firstHandle = nil
                idleHandles = []
                if endIfUnused() { break }
            }
            let nextTask = isInUse ? nextCheck : lastUse + configuration.idleTimeout
            let longestWait = mayWait(wake) ? (nextTask - now).milliseconds : 0
            let result = acurl_loop_wait(loop, longestWait)
            if result == acurl_exiting {
                cancelAll()
                acurl_stay()
            }
            report(loop)
            checkTimeouts(now, loop, afterMore: result == acurl_has_more)
        }
        acurl_loop_destroy(loop)
        acurl_leave()
    }

    private func setLimits(of loop: OpaquePointer) {
        func set(_ option: Int, _ value: Int) {
            _ = acurl_loop_set_long(loop, Int32(option), value)
        }
        set(CURLMOPT_MAX_HOST_CONNECTIONS, configuration.boundedConnectionsPerHost)
        set(CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.connections ?? 0)
        set(CURLMOPT_MAXCONNECTS, max(64, configuration.boundedConnectionsPerHost))
        // What the server allows counts (RFC 9113, section 5.1.2), and not libcurl's 100.
        set(CURLMOPT_MAX_CONCURRENT_STREAMS, 1 << 20)
    }

    private var isInUse: Bool { !active.isEmpty || !decoding.isEmpty }

    private func mayEnd(at now: ContinuousClock.Instant, unusedSince lastUse: ContinuousClock.Instant) -> Bool {
        if isInUse { return false }
        return isClosed || now >= lastUse + configuration.idleTimeout
    }

    /// Whether the thread may wait for sockets and timers. Messages and bodies to decode do not keep the loop from
    /// looking at the sockets.
    private func mayWait(_ wake: Wake) -> Bool {
        if !decoding.isEmpty { return false }
        let isEnding = isClosed && active.isEmpty
        return !isEnding && announceWait(wake)
    }

    /// Cancels all transfers if the thread wakes at the end of the process, when libcurl can no longer be used.
    private func cancelAll() {
        let transfers = [active, Array(waiting.values), Array(decoding)].joined()
        for transfer in transfers { transfer.exchange.fail(CancellationError()) }
        refuse(CancellationError())
    }

    /// Creates what ends the waits of this thread.
    private func makeWake() -> Wake? {
        let wake = Wake()
        state.withLock { $0.wake = wake }
        return wake
    }

    private func handleMessages(_ loop: OpaquePointer) {
        state.withLock { swap(&$0.messages, &inbox) }
        for message in inbox { handle(message, loop) }
        inbox.removeAll(keepingCapacity: inbox.count <= 1024)
    }

    /// Makes the sender of the next message end the wait that follows.
    ///
    /// - Returns: False if there are messages already.
    private func announceWait(_ wake: Wake) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            acurl_wake_expect(wake.pointer)
            return true
        }
    }

    /// - Returns: Whether the thread is to end.
    private func endIfUnused() -> Bool {
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
            // Created here, since this thread will free it: threads that free memory of others wait for each other.
            start(CurlTransfer(request, on: self), loop)
        case .stop(let transfer):
            stop(transfer, loop)
        case .resume(let transfer):
            transfer.resume()
        case .upload(let transfer, let piece):
            transfer.upload(piece)
        case .sendBody(let transfer):
            transfer.sendBody()
        case .close:
            isClosed = true
        }
    }

    private func stop(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        if let handle = transfer.handle {
            giveUpConnection(handle.easy, of: transfer, loop)
            remove(transfer, loop)
        }
        if let number = transfer.number { waiting[number] = nil }
    }

    private func start(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard transfer.begin() else { return }
        let left = transfer.exchange.checkTimeout()
        guard !transfer.exchange.isOver else { return }
        scheduleCheck(at: .now + left)
        let host = host(of: transfer)
        transfer.host = host
        if host.mayStart {
            run(transfer, on: host, loop)
        } else {
            wait(transfer, for: host)
        }
    }

    private func wait(_ transfer: CurlTransfer, for host: Host) {
        lastNumber += 1
        waiting[lastNumber] = transfer
        transfer.number = lastNumber
        host.line.append(lastNumber)
        if let next = host.rise(.now) { scheduleCheck(at: next) }
    }

    /// The host that a transfer is for, which is remembered once a transfer to it is under way.
    private func host(of transfer: CurlTransfer) -> Host {
        // Most requests of a client are for one host, which is found without a hash.
        if let lastHost, lastHost.isRemembered, lastHost.origin == transfer.origin { return lastHost }
        let host = hosts[transfer.origin] ?? Host(of: transfer, configuration)
        lastHost = host
        return host
    }

    private func run(_ transfer: CurlTransfer, on host: Host, _ loop: OpaquePointer) {
        do throws(TransportError) {
            let handle = try takeHandle(on: loop)
            transfer.prepare(handle, on: loop, bufferSize: bufferSize)
            transfer.slot = active.count
            active.append(transfer)
            remember(host)
            host.start()
            if Self.forgetsAddresses { scheduleCheck(at: .now + Self.reminder) }
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

    /// Forgets a host without transfers, if there are many. The next request is likely to be for the same one, and
    /// whether it speaks HTTP/2 is worth knowing then.
    private func forgetIfUnused(_ host: Host) {
        let limit = host.isShared ? 1000 : 64
        guard host.activeCount == 0, hosts.count > limit else { return }
        hosts[host.origin] = nil
        host.isRemembered = false
    }

    /// How much libcurl reads at a time for the next transfer. Until 8.7, each has a buffer of its own.
    private var bufferSize: Int {
        switch active.count {
        case ..<256: 64 << 10
        case ..<1024: 4 << 10
        default: 1 << 10
        }
    }

    /// An idle handle, or a new one.
    private func takeHandle(on loop: OpaquePointer) throws(TransportError) -> CurlHandle {
        if let idle = idleHandles.popLast() { return idle }
        if let firstHandle { return try CurlHandle(copying: firstHandle) }
        let first = try CurlHandle(configuration, on: loop)
        firstHandle = first
        return try CurlHandle(copying: first)
    }

    /// Starts the transfers that have waited longest for a host.
    private func runNext(on host: Host, _ loop: OpaquePointer) {
        while host.mayStart, let number = host.line.popFirst() {
            if let transfer = waiting.removeValue(forKey: number) { run(transfer, on: host, loop) }
        }
        if host.isGated, let next = host.rise(.now) { scheduleCheck(at: next) }
    }

    /// Schedules a transfer to take turns with others in decoding its body.
    func willDecode(_ transfer: CurlTransfer) {
        guard !transfer.isInLine else { return }
        transfer.isInLine = true
        decoding.append(transfer)
    }

    /// Lets transfers take turns to decode, each once at most and all for about a millisecond: then the sockets of the
    /// others are looked at.
    private func decode() {
        guard !decoding.isEmpty else { return }
        let end = ContinuousClock.now + .milliseconds(1)
        for _ in 0..<decoding.count {
            guard let transfer = decoding.popFirst() else { break }
            transfer.isInLine = false
            if transfer.takeTurn(until: end, decoded) { willDecode(transfer) }
            if ContinuousClock.now >= end { break }
        }
    }

    /// Schedules a transfer's report for when libcurl has no more data.
    func willReport(_ transfer: CurlTransfer) {
        receivers.append(transfer)
    }

    /// Lets the transfers that wait for a host start once libcurl has returned.
    func didConnect(to host: Host) {
        host.connect()
        if !host.line.isEmpty { connectedHosts.append(host) }
    }

    /// Reports received bytes and ended transfers, and starts the transfers that waited for those.
    private func report(_ loop: OpaquePointer) {
        for host in connectedHosts { runNext(on: host, loop) }
        connectedHosts.removeAll(keepingCapacity: true)
        var code: Int32 = 0
        while let context = acurl_loop_next(loop, &code) {
            guard let transfer = CurlHandle.transfer(context)?.takeUnretainedValue() else { continue }
            if code == 0 { transfer.leaveConnection() }
            transfer.end(code)
            remove(transfer, loop)
        }
        // The others: those that have ended have reported what they received.
        for transfer in receivers { transfer.report() }
        receivers.removeAll(keepingCapacity: receivers.count <= 1024)
    }

    /// Gives up the connection of a transfer that is stopped before its end, if it is likely to be dead: libcurl would
    /// send all further requests over it if it is shared.
    private func giveUpConnection(_ easy: OpaquePointer, of transfer: CurlTransfer, _ loop: OpaquePointer) {
        // Before it is sent, its handle may still know the connection of an earlier request.
        guard transfer.mayShareConnection, !transfer.isConnecting else { return }
        let half = transfer.exchange.request.options.effectiveTimeout / 2
        let isAlone = !transfer.hasHead && transfer.host?.activeCount == 1
        let silence: Duration
        if isAlone {
            silence = min(half, .milliseconds(500))
        } else {
            // Other requests on a connection that is only slow should have their time.
            silence = max(half, .seconds(5))
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
        if idleHandles.count < 64 { idleHandles.append(handle) }
        guard let host = transfer.host else { return }
        host.end(isConnected: !transfer.isConnecting)
        runNext(on: host, loop)
        forgetIfUnused(host)
    }

    /// Puts the last transfer into the slot of the one that is removed, so that the others keep theirs.
    private func removeFromActive(_ transfer: CurlTransfer) {
        guard let last = active.popLast(), last !== transfer else { return }
        last.slot = transfer.slot
        active[transfer.slot] = last
    }

    // MARK: - Timeouts

    /// Schedules a check of the timeouts, unless there is an earlier one.
    private func scheduleCheck(at time: ContinuousClock.Instant) {
        nextCheck = min(nextCheck, time)
    }

    /// Looks at all timeouts at the earliest time at which one of them can have run out, but for no more than a
    /// hundredth of the time.
    ///
    /// - Parameters:
    ///   - now: When the loop last began to look at the sockets: what has arrived by then is read before it is judged.
    ///   - loop: The loop.
    ///   - hasMore: Whether there were more sockets than the loop looks at in one go.
    private func checkTimeouts(_ now: ContinuousClock.Instant, _ loop: OpaquePointer, afterMore hasMore: Bool) {
        guard nextCheck <= now else { return }
        looks += 1
        // Each look reads 64 sockets at most: all of them must have had their turn.
        let hasReadAll = !hasMore || looks > active.count / 64
        guard hasReadAll else { return }
        looks = 0
        let nextRise = letMoreConnect(now, loop)
        let isConnecting = Self.forgetsAddresses && active.contains(where: \.isConnecting)
        if isConnecting { acurl_loop_act_on_all(loop) }
        var next = timeToNextTimeout()
        if isConnecting { next = min(next, Self.reminder) }
        let shortest = min(.microseconds(10) * (active.count + waiting.count), .milliseconds(40))
        nextCheck = now + max(next, shortest)
        if let nextRise { scheduleCheck(at: nextRise) }
    }

    /// Starts transfers that have waited long enough for others to connect.
    ///
    /// - Returns: When to ask again, nil if nothing waits for that.
    private func letMoreConnect(_ now: ContinuousClock.Instant, _ loop: OpaquePointer) -> ContinuousClock.Instant? {
        let rises = hosts.values.compactMap { host in
            let next = host.rise(now)
            runNext(on: host, loop)
            return next
        }
        return rises.min()
    }

    /// Checks the timeout of each transfer.
    ///
    /// - Returns: How long none can run out; an hour at most.
    private func timeToNextTimeout() -> Duration {
        var next = Duration.seconds(3600)
        for transfer in active { next = min(next, transfer.checkTimeout()) }
        for transfer in waiting.values { next = min(next, transfer.checkTimeout()) }
        return next
    }
}
#endif
