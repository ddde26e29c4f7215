#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The thread that drives the transfers of a client. Whatever concerns a transfer is a message to it.
///
/// `@unchecked Sendable`: `state` is locked, and the other variables are used on the thread alone. There is one at a
/// time, and the lock is taken between the end of one and the start of the next.
final class CurlLoop: @unchecked Sendable {
    enum Message: Sendable {
        case start(CurlTransfer)
        case stop(CurlTransfer)
        case resume(CurlTransfer)
        case upload(CurlTransfer, Data?)
        /// The client is gone.
        case close
    }

    private struct State {
        var messages: [Message] = []
        var hasThread = false
        /// The loop that waits, to be woken; used under the lock alone, and nil before the loop is destroyed.
        nonisolated(unsafe) var waiting: OpaquePointer?
    }

    /// Whether a handle can be used again. From 7.83 to 7.88 libcurl then keeps a pointer to a header that is gone, which
    /// a server can have it use.
    private static let canReuseHandles = !(0x07_53_00..<0x08_00_00).contains(acurl_version())

    private let state = Locked(State())
    let configuration: CurlClient.Configuration
    private var isClosed = false
    /// By their libcurl handles.
    private var active: [OpaquePointer: CurlTransfer] = [:]
    /// The transfers that wait, by the numbers in `hosts`: each place in libcurl's own line costs time and memory.
    private var waiting: [Int: CurlTransfer] = [:]
    private var hosts: [Substring: Host] = [:]
    /// The hosts to which a connection has just been made.
    private var connectedHosts: [Host] = []
    private var lastNumber = 0
    private var idleHandles: [OpaquePointer] = []
    /// The transfers that have received bytes since libcurl was last asked to act.
    private var receivers: [CurlTransfer] = []
    /// When to look at the timeouts again.
    private var nextCheck = ContinuousClock.now

    init(_ configuration: CurlClient.Configuration) {
        self.configuration = configuration
    }

    // MARK: - From any thread

    func send(_ message: Message) {
        let needsThread = state.withLock { state in
            state.messages.append(message)
            if let loop = state.waiting.take() { acurl_loop_wake(loop) }
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard needsThread else { return }
        let context = Unmanaged.passRetained(self)
        let hasStarted = acurl_start_thread(
            { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, context.toOpaque())
        if !hasStarted {
            context.release()
            refuse("no thread can be started")
        }
    }

    /// Ends the thread once no transfer is left.
    func close() {
        if state.withLock({ $0.hasThread }) { send(.close) }
    }

    /// Fails the waiting transfers if no thread can be created.
    private func refuse(_ reason: String) {
        let messages = state.withLock { state in
            state.hasThread = false
            defer { state.messages = [] }
            return state.messages
        }
        for message in messages {
            switch message {
            case .start(let transfer), .resume(let transfer):
                transfer.exchange.fail(TransportError(.cannotConnect, reason), beforeSending: true)
            case .stop, .upload, .close: break
            }
        }
    }

    // MARK: - On the thread

    private func run() {
        guard let loop = acurl_loop_create() else { return refuse("no descriptor or memory is left") }
        set(loop, .maxConnectionsPerHost, configuration.connectionsPerHost)
        set(loop, .maxConnections, configuration.connections ?? 0)
        set(loop, .keptConnections, max(64, configuration.connectionsPerHost))
        // What the server allows counts (RFC 9113, section 5.1.2), and not libcurl's 100.
        set(loop, .maxStreams, 1 << 20)
        var lastUse = ContinuousClock.now
        while true {
            for message in takeMessages() { handle(message, loop) }
            acurl_loop_act(loop)
            report(loop)
            let now = ContinuousClock.now
            checkTimeouts(now, loop)
            if !active.isEmpty { lastUse = now }
            let left = active.isEmpty ? lastUse + configuration.idleTimeout - now : nextCheck - now
            if active.isEmpty, isClosed || left <= .zero {
                // Before another thread may start.
                for easy in idleHandles { acurl_easy_destroy(easy) }
                idleHandles = []
                if endIfUnused() { break }
            }
            if wait(for: loop) {
                acurl_loop_wait(loop, isClosed && active.isEmpty ? 0 : left.milliseconds)
                report(loop)
            }
        }
        acurl_loop_destroy(loop)
    }

    private func set(_ loop: OpaquePointer, _ option: CurlOption, _ value: Int) {
        _ = acurl_loop_set_long(loop, option.rawValue, value)
    }

    private func takeMessages() -> [Message] {
        state.withLock { state in
            defer { (state.messages, state.waiting) = ([], nil) }
            return state.messages
        }
    }

    /// - Returns: False if there are messages already.
    private func wait(for loop: OpaquePointer) -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.waiting = loop
            return true
        }
    }

    /// - Returns: Whether the thread is to end.
    private func endIfUnused() -> Bool {
        state.withLock { state in
            guard state.messages.isEmpty else { return false }
            state.hasThread = false
            return true
        }
    }

    private func handle(_ message: Message, _ loop: OpaquePointer) {
        switch message {
        case .start(let transfer): start(transfer, loop)
        case .stop(let transfer):
            if let easy = transfer.easy {
                abandon(easy, of: transfer, loop)
                remove(easy, loop)
            }
            if let number = transfer.number { waiting[number] = nil }
        case .resume(let transfer): transfer.resume()
        case .upload(let transfer, let piece): transfer.upload(piece)
        case .close: isClosed = true
        }
    }

    private func start(_ transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard transfer.begin() else { return }
        nextCheck = min(nextCheck, .now + transfer.exchange.checkTimeout())
        let host = hosts[transfer.origin] ?? Host(of: transfer, configuration)
        transfer.host = host
        if host.mayStart { return run(transfer, on: host, loop) }
        lastNumber += 1
        waiting[lastNumber] = transfer
        transfer.number = lastNumber
        host.line.append(lastNumber)
        if let next = host.rise(.now) { nextCheck = min(nextCheck, next) }
    }

    private func run(_ transfer: CurlTransfer, on host: Host, _ loop: OpaquePointer) {
        do throws(TransportError) {
            let easy =
                if let idle = idleHandles.popLast() { idle } else {
                    try CurlTransfer.makeHandle(configuration, on: loop)
                }
            transfer.prepare(easy, on: loop, isOneOfMany: active.count >= 256)
            active[easy] = transfer
            if host.activeCount == 0 { hosts[transfer.origin] = host }
            host.start()
            guard acurl_loop_add(loop, easy) == 0 else { throw TransportError(.other, "libcurl cannot start it") }
        } catch {
            transfer.exchange.fail(error, beforeSending: true)
        }
    }

    /// Starts the transfers that have waited longest for a host.
    private func runNext(on host: Host, _ loop: OpaquePointer) {
        while host.mayStart, let number = host.line.popFirst() {
            if let transfer = waiting.removeValue(forKey: number) { run(transfer, on: host, loop) }
        }
    }

    /// Schedules a transfer's report for when libcurl has no more data.
    func willReport(_ transfer: CurlTransfer) {
        receivers.append(transfer)
    }

    /// Lets those that wait for a host have their turn once libcurl has returned.
    func didConnect(to host: Host) {
        host.connect()
        if !host.line.isEmpty { connectedHosts.append(host) }
    }

    /// Reports what has arrived and the transfers that have ended, and starts those that they have kept waiting.
    private func report(_ loop: OpaquePointer) {
        for host in connectedHosts { runNext(on: host, loop) }
        connectedHosts.removeAll(keepingCapacity: true)
        for transfer in receivers { transfer.report() }
        receivers.removeAll(keepingCapacity: true)
        var code: Int32 = 0
        while let easy = acurl_loop_next(loop, &code) {
            let transfer = active[easy]
            transfer?.end(code)
            remove(easy, loop)
        }
    }

    /// Gives up the connection of a transfer that is stopped before its end, if it is likely to be dead: libcurl would send
    /// all further requests over it if it is shared.
    private func abandon(_ easy: OpaquePointer, of transfer: CurlTransfer, _ loop: OpaquePointer) {
        guard transfer.mayShareConnection else { return }
        // Other requests on a connection that is only slow should have their time.
        let isAlone = !transfer.hasHead && transfer.host?.activeCount == 1
        let silence = min(transfer.exchange.request.options.timeout / 2, isAlone ? .milliseconds(500) : .seconds(3600))
        acurl_loop_abandon(loop, easy, Int64(silence.milliseconds))
    }

    private func remove(_ easy: OpaquePointer, _ loop: OpaquePointer) {
        guard let transfer = active.removeValue(forKey: easy) else { return }
        acurl_loop_remove(loop, easy)
        transfer.release()
        if Self.canReuseHandles, idleHandles.count < 64 { idleHandles.append(easy) } else { acurl_easy_destroy(easy) }
        guard let host = transfer.host else { return }
        host.end(isConnected: transfer.isConnected)
        runNext(on: host, loop)
        // Whether a server speaks HTTP/2 is worth knowing next time.
        if host.activeCount == 0, !host.isShared || hosts.count > 1000 { hosts[transfer.origin] = nil }
    }

    /// Looks at all timeouts at the earliest time at which one of them can have run out, but for no more than a
    /// hundredth of the time.
    private func checkTimeouts(_ now: ContinuousClock.Instant, _ loop: OpaquePointer) {
        guard nextCheck <= now else { return }
        let rises = hosts.values.compactMap { host in
            let next = host.rise(now)
            runNext(on: host, loop)
            return next
        }
        let transfers = [active.values.map(\.exchange), waiting.values.map(\.exchange)].joined()
        let next = transfers.map { $0.checkTimeout() }.min() ?? .seconds(3600)
        nextCheck = now + max(next, .microseconds(10) * (active.count + waiting.count))
        if let rise = rises.min() { nextCheck = min(nextCheck, rise) }
    }
}

#endif
