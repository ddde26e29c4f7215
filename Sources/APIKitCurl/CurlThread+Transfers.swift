#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What libcurl does with a transfer: from its start to its end.
extension CurlThread {
    // MARK: - Starting

    /// Hands a transfer to libcurl, which connects and sends the request. If that is impossible, fails the exchange.
    func launch(_ transfer: CurlTransfer) {
        do throws(TransportError) {
            let handle = try handles.take(for: self)
            let request = CurlRequest(of: transfer, on: self, bufferSize: bufferSize)
            transfer.setUp(handle, for: request)
            running.add(transfer, on: handle)
            loop.hosts.remember(transfer.host)
            transfer.host.gate.didStart()
            // The first check after this reminds libcurl to connect.
            if CurlVersion.installed.forgetsOtherAddresses { checks.add(.now + Self.reminderInterval) }
            guard acurl_loop_add(multi, handle.easy) == 0 else {
                throw TransportError(.other, "libcurl cannot start it")
            }
        } catch {
            // The failed exchange sends a message to stop the transfer, and `remove(_:)` undoes what was done above.
            transfer.exchange.fail(error, beforeSending: true)
        }
    }

    /// How many bytes libcurl reads at a time for the next transfer.
    ///
    /// Older versions have a buffer for each transfer, so the buffers are smaller the more transfers there are.
    private var bufferSize: Int {
        switch running.count {
        case ..<256: 64 << 10
        case ..<1024: 4 << 10
        default: 1 << 10
        }
    }

    // MARK: - Events

    /// Handles what libcurl has done. Called each time that libcurl has acted: it may have connected transfers, ended
    /// some, and received bytes.
    func handleEvents() {
        for host in postponed.hostsToLaunch { launchWaiting(for: host) }
        postponed.hostsToLaunch.removeAll(keepingCapacity: true)
        endCompletedTransfers()
        // A transfer that has just ended has already reported its bytes, so this does nothing for it.
        for transfer in postponed.receivers { transfer.report() }
        postponed.receivers.removeAll(keepingCapacity: postponed.receivers.count <= 1024)
    }

    /// Ends and removes each transfer that libcurl has ended, successfully or not.
    private func endCompletedTransfers() {
        var code: Int32 = 0
        while let context = acurl_loop_next(multi, &code) {
            guard let transfer = CurlHandle.transfer(context)?.takeUnretainedValue(), let handle = transfer.handle
            else { continue }
            let isComplete = code == 0
            // After a failure, libcurl closes the connection.
            if isComplete { transfer.leaveConnection(of: handle) }
            transfer.end(code, of: handle)
            remove(transfer)
        }
    }

    // MARK: - Ending

    /// Stops a transfer before its end, or takes it out of the queue for its host.
    func stop(_ transfer: CurlTransfer) {
        switch transfer.stage {
        case .waiting(let number):
            waiting.remove(number, for: transfer.host)
        case .running(let handle, _):
            abandonConnectionIfSilent(handle.easy, of: transfer)
            remove(transfer)
        case .created, .ended:
            break
        }
    }

    /// Closes the connection of a transfer that is stopped before its end, if no bytes have arrived on it for so long
    /// that it is probably dead.
    ///
    /// Only for HTTP/2: libcurl would send all further requests to the host over the same connection.
    private func abandonConnectionIfSilent(_ easy: OpaquePointer, of transfer: CurlTransfer) {
        guard transfer.host.mayUseHTTP2 else { return }
        // Until the request is sent, libcurl may still report the connection of the last request of this handle.
        guard !transfer.isConnecting else { return }
        let silence = silenceOfDeadConnection(of: transfer)
        // Does nothing if bytes have arrived within this time.
        acurl_loop_abandon(multi, easy, Int64(silence.milliseconds))
    }

    /// Returns after how long without arriving bytes the connection of a transfer is taken for dead.
    private func silenceOfDeadConnection(of transfer: CurlTransfer) -> Duration {
        let halfOfTimeout = transfer.exchange.request.options.effectiveTimeout / 2
        let isOnlyTransfer = transfer.host.gate.activeCount == 1
        if isOnlyTransfer, !transfer.response.hasHead {
            // If the connection was not dead after all, closing it costs little: the next request opens another one.
            return min(halfOfTimeout, .milliseconds(500))
        }
        // Other requests may use the connection, or the response has begun. A connection that is only slow should not
        // be closed then.
        return max(halfOfTimeout, .seconds(5))
    }

    /// Removes a transfer that has ended or is stopped from libcurl and from its host. Launches transfers that wait for
    /// the host.
    @inline(never)
    private func remove(_ transfer: CurlTransfer) {
        guard case .running(let handle, let place) = transfer.stage else { return }
        running.remove(at: place)
        acurl_loop_remove(multi, handle.easy)
        transfer.leaveLibcurl()
        handles.giveBack(handle)
        let host = transfer.host
        host.gate.didEnd(hasConnected: !transfer.isConnecting)
        launchWaiting(for: host)
        loop.hosts.forgetIfUnused(host)
    }
}
#endif
