#if os(Linux)
import APIKitCore

// Which transfers libcurl gets, and which ones wait for their host.
extension CurlLoop {
    /// Creates a transfer, and launches it, or lets it wait until its host may have another one. Does nothing more if
    /// the exchange has ended meanwhile.
    func start(_ start: Start, _ multi: OpaquePointer) {
        let url = start.exchange.request.lazyURL.text
        // The transfer is created on this thread, which will free it. Memory that another thread has allocated is
        // slower to free, since the allocator then has to take a lock.
        let transfer = CurlTransfer(start, to: url, on: hosts.host(of: url, configuration), of: self)
        let isWanted = transfer.begin()
        guard isWanted else { return }
        // Fails the exchange if it has waited too long for this thread.
        let timeLeft = transfer.exchange.checkTimeout()
        guard !transfer.exchange.isOver else { return }
        scheduleCheck(at: .now + timeLeft)
        if transfer.host.mayStart {
            launch(transfer, multi)
        } else {
            waiting.add(transfer)
            raiseConnectingLimitIfDue(of: transfer.host)
        }
    }

    /// Starts waiting transfers to a host, in the order in which they came, as far as the host allows.
    func startWaiting(for host: Host, _ multi: OpaquePointer) {
        while host.mayStart, let transfer = waiting.popFirst(for: host) { launch(transfer, multi) }
        if host.isGated { raiseConnectingLimitIfDue(of: host) }
    }

    // MARK: - Connecting

    /// Notes that a transfer has connected to a host.
    ///
    /// The transfers that wait for the host are started by ``startWaitingForConnectedHosts(_:)`` after libcurl has
    /// returned, since this is called from one of its callbacks.
    func didConnect(to host: Host) {
        host.didConnect()
        if !host.waitingNumbers.isEmpty { connectedHosts.append(host) }
    }

    func startWaitingForConnectedHosts(_ multi: OpaquePointer) {
        for host in connectedHosts { startWaiting(for: host, multi) }
        connectedHosts.removeAll(keepingCapacity: true)
    }

    /// Lets more transfers to a host connect at once if it is time, and schedules the next time.
    private func raiseConnectingLimitIfDue(of host: Host) {
        if let nextRaise = host.raiseConnectingLimitIfDue(at: .now) { scheduleCheck(at: nextRaise) }
    }

    /// Lets more transfers connect at once to each host where it is time, and starts those that have waited for that.
    ///
    /// - Returns: When it is time for the next host; nil if no transfers wait for others to connect.
    func raiseConnectingLimitsIfDue(
        at now: ContinuousClock.Instant, _ multi: OpaquePointer
    ) -> ContinuousClock.Instant? {
        var nextRaises: [ContinuousClock.Instant] = []
        for host in hosts.all {
            if let nextRaise = host.raiseConnectingLimitIfDue(at: now) { nextRaises.append(nextRaise) }
            startWaiting(for: host, multi)
        }
        return nextRaises.min()
    }
}
#endif
