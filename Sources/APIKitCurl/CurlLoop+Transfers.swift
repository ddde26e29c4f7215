#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What libcurl does with a transfer: from its start to its end.
extension CurlLoop {
    // MARK: - Starting

    /// Hands a transfer to libcurl, which connects and sends the request. If that is impossible, fails the exchange.
    func launch(_ transfer: CurlTransfer, _ multi: OpaquePointer) {
        do throws(TransportError) {
            let handle = try handles.take(for: configuration, multi)
            transfer.run(on: handle, index: active.count, bufferSize: bufferSize)
            active.append(transfer)
            hosts.remember(transfer.host)
            transfer.host.didStart()
            // Some versions of libcurl have to be reminded to go on connecting.
            if Self.needsRemindersToConnect { scheduleCheck(at: .now + Self.reminderInterval) }
            guard acurl_loop_add(multi, handle.easy) == 0 else {
                throw TransportError(.other, "libcurl cannot start it")
            }
        } catch {
            // The failed exchange sends a message to stop the transfer, and `remove(_:_:)` undoes what was done above.
            transfer.exchange.fail(error, beforeSending: true)
        }
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

    // MARK: - Events

    /// Handles what libcurl has done since this was last called: it has connected, ended transfers and received bytes.
    func handleEvents(_ multi: OpaquePointer) {
        startWaitingForConnectedHosts(multi)
        endCompletedTransfers(multi)
        // A transfer that has just ended has already reported its bytes, so this does nothing for it.
        for transfer in receivers { transfer.report() }
        receivers.removeAll(keepingCapacity: receivers.count <= 1024)
    }

    /// Schedules the report of a transfer for after libcurl has returned, when it has delivered all data that it has.
    func scheduleReport(of transfer: CurlTransfer) {
        receivers.append(transfer)
    }

    /// Ends and removes each transfer that libcurl has ended, successfully or not.
    private func endCompletedTransfers(_ multi: OpaquePointer) {
        var code: Int32 = 0
        while let context = acurl_loop_next(multi, &code) {
            guard let transfer = CurlHandle.transfer(context)?.takeUnretainedValue(), let handle = transfer.handle
            else { continue }
            let isComplete = code == 0
            // After a failure, libcurl closes the connection.
            if isComplete { transfer.leaveConnection(of: handle) }
            transfer.end(code, of: handle)
            remove(transfer, multi)
        }
    }

    // MARK: - Ending

    /// Stops a transfer before its end, or takes it out of the queue for its host.
    func stop(_ transfer: CurlTransfer, _ multi: OpaquePointer) {
        switch transfer.stage {
        case .waiting(let number):
            waiting.remove(number)
        case .running(let handle, _):
            abandonConnectionIfSilent(handle.easy, of: transfer, multi)
            remove(transfer, multi)
        case .created, .ended:
            break
        }
    }

    /// Closes the connection of a transfer that is stopped before its end, if no bytes have arrived on it for so long
    /// that it is probably dead.
    ///
    /// Only for HTTP/2: libcurl would send all further requests to the host over the same connection.
    private func abandonConnectionIfSilent(_ easy: OpaquePointer, of transfer: CurlTransfer, _ multi: OpaquePointer) {
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
        let isOnlyTransfer = transfer.host.activeCount == 1
        if isOnlyTransfer, !transfer.response.hasHead {
            // If the connection was not dead after all, closing it costs little: the next request opens another one.
            return min(halfOfTimeout, .milliseconds(500))
        }
        // Other requests may use the connection, or the response has begun. A connection that is only slow should not
        // be closed then.
        return max(halfOfTimeout, .seconds(5))
    }

    /// Removes a transfer that has ended or is stopped from libcurl and from its host. Starts transfers that wait for
    /// the host.
    private func remove(_ transfer: CurlTransfer, _ multi: OpaquePointer) {
        guard case .running(let handle, let index) = transfer.stage else { return }
        removeFromActive(at: index)
        acurl_loop_remove(multi, handle.easy)
        transfer.leaveLibcurl()
        handles.giveBack(handle)
        let host = transfer.host
        host.didEnd(hasConnected: !transfer.isConnecting)
        startWaiting(for: host, multi)
        hosts.forgetIfUnused(host)
    }

    /// Removes a transfer from `active`. The last transfer moves to the free place, so that all others keep theirs.
    private func removeFromActive(at index: Int) {
        let last = active.removeLast()
        let wasLast = index == active.count
        if wasLast { return }
        last.move(to: index)
        active[index] = last
    }
}
#endif
