#if os(Linux)
import APIKitCore

// Which transfers libcurl gets, and which ones wait for their host.
extension CurlThread {
    /// Creates a transfer, and launches it, or lets it wait until its host may have another one. Does nothing more if
    /// the exchange has ended meanwhile.
    func start(_ exchange: Exchange, cookies: RequestCookies, transferTimeout: Duration?) {
        let url = exchange.request.lazyURL.text
        let host = loop.hosts.host(of: url, configuration)
        // The transfer is created on this thread, which will free it. Memory that another thread has allocated is
        // slower to free, since the allocator then has to take a lock.
        let transfer = CurlTransfer(
            of: exchange, cookies: cookies, transferTimeout: transferTimeout, to: url, on: host, loop: loop)
        let isWanted = transfer.begin()
        guard isWanted else { return }
        // Fails the exchange if it has waited too long for this thread.
        let timeLeft = exchange.checkTimeout()
        guard !exchange.isOver else { return }
        checks.add(.now + timeLeft)
        let isFirst = !host.hasWaitingTransfers
        if isFirst, host.gate.mayStart {
            launch(transfer)
        } else {
            waiting.add(transfer)
            // Earlier ones may start by now. Otherwise this schedules the time at which more may connect at once.
            launchWaiting(for: host)
        }
    }

    /// Launches waiting transfers to a host, in the order in which they came, as far as its gate allows. If others have
    /// to wait until some have connected, schedules the time at which more may connect at once.
    @inline(never)
    func launchWaiting(for host: CurlLoop.Host) {
        while host.gate.mayStart, let transfer = waiting.popFirst(for: host) { launch(transfer) }
        guard host.hasWaitingTransfers else { return }
        if let nextRaise = host.gate.raiseLimit(at: .now) { checks.add(nextRaise) }
    }

    /// Lets more transfers connect at once to each host for which others have waited long enough, and launches these.
    func launchLongWaiting(at now: ContinuousClock.Instant) {
        for host in loop.hosts.all where host.hasWaitingTransfers {
            host.gate.raiseLimit(at: now)
            launchWaiting(for: host)
        }
    }

    /// Notes that a transfer has connected to a host. Called within a callback of libcurl.
    func didConnect(to host: CurlLoop.Host) {
        host.gate.didConnect()
        if host.hasWaitingTransfers { postponed.hostsToLaunch.append(host) }
    }

    /// Notes whether a response of a host came over HTTP/2, which changes how many transfers it may have. Called within
    /// a callback of libcurl.
    func didRespond(from host: CurlLoop.Host, overHTTP2 usesHTTP2: Bool) {
        if usesHTTP2 == host.gate.usesHTTP2 { return }
        host.gate.didRespond(overHTTP2: usesHTTP2)
        if host.hasWaitingTransfers { postponed.hostsToLaunch.append(host) }
    }
}
#endif
