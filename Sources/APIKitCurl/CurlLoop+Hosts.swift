#if os(Linux)
import APIKitCore

// Which transfers libcurl gets, and which ones wait for their host.
extension CurlLoop {
    /// Starts a transfer, or lets it wait for its host.
    func start(_ start: Start, _ multi: OpaquePointer) {
        let url = start.exchange.request.lazyURL.text
        // The transfer is created on this thread, which will free it. Memory that another thread has allocated is
        // slower to free, since the allocator then has to take a lock.
        let transfer = CurlTransfer(start, to: url, on: findOrCreateHost(of: url), of: self)
        let isWanted = transfer.begin()
        guard isWanted else { return }
        // Fails the exchange if it has waited too long for this thread.
        let timeLeft = transfer.exchange.checkTimeout()
        guard !transfer.exchange.isOver else { return }
        scheduleCheck(at: .now + timeLeft)
        if transfer.host.mayStart {
            launch(transfer, multi)
        } else {
            enqueue(transfer)
        }
    }

    /// Lets a transfer wait for its host.
    private func enqueue(_ transfer: CurlTransfer) {
        lastWaitingNumber += 1
        waiting[lastWaitingNumber] = transfer
        transfer.wait(as: lastWaitingNumber)
        transfer.host.waitingNumbers.append(lastWaitingNumber)
        raiseConnectingLimitIfDue(of: transfer.host)
    }

    /// Starts waiting transfers to a host, in the order in which they came, as far as the host allows.
    func startWaiting(for host: Host, _ multi: OpaquePointer) {
        while host.mayStart, let number = host.waitingNumbers.popFirst() {
            // A transfer that was stopped is no longer there.
            if let transfer = waiting.removeValue(forKey: number) { launch(transfer, multi) }
        }
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
        for host in hosts.values {
            if let nextRaise = host.raiseConnectingLimitIfDue(at: now) { nextRaises.append(nextRaise) }
            startWaiting(for: host, multi)
        }
        return nextRaises.min()
    }

    // MARK: - Remembering hosts

    /// Returns the host of a URL: a remembered one, or a new one. ``remember(_:)`` is called for it once a transfer to
    /// it is under way.
    private func findOrCreateHost(of url: String) -> Host {
        let origin = CurlTransfer.origin(of: url)
        // Most requests of a client are for the same host as the one before, which saves the look-up by a hash.
        if let lastHost, lastHost.isRemembered, lastHost.origin == origin { return lastHost }
        let host = hosts[origin] ?? Host(origin, configuration)
        lastHost = host
        return host
    }

    func remember(_ host: Host) {
        if host.isRemembered { return }
        hosts[host.origin] = host
        host.isRemembered = true
    }

    /// Forgets a host without transfers, if many hosts are remembered.
    ///
    /// Most hosts get further requests, for which it is worth knowing whether the server supports HTTP/2: then they can
    /// share a connection at once. So more hosts are kept if they have shown that they do.
    func forgetIfUnused(_ host: Host) {
        let limit = host.usesHTTP2 ? 1000 : 64
        guard host.activeCount == 0, hosts.count > limit else { return }
        hosts[host.origin] = nil
        host.isRemembered = false
    }
}
#endif
