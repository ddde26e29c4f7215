#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What is due at a time: timeouts, and the help that libcurl needs while transfers connect.
extension CurlLoop {
    /// Whether libcurl sets no timer for trying the next address of a host if the first one does not respond (from 7.88
    /// to 8.3). The loop then makes libcurl act at intervals while a transfer connects.
    static let needsRemindersToConnect = (CurlVersion(7, 88)..<CurlVersion(8, 4)).contains(.installed)
    static let reminderInterval = Duration.milliseconds(250)

    /// Schedules a check of the timeouts, unless an earlier one is scheduled.
    func scheduleCheck(at time: ContinuousClock.Instant) {
        nextCheck = min(nextCheck, time)
    }

    /// Does three things if the scheduled time has come, and schedules the next time:
    /// - lets more transfers connect to a host at once, if transfers have waited for that;
    /// - makes libcurl try the next address of a host, if the installed version needs that;
    /// - fails the transfers whose timeout has run out.
    ///
    /// A response may be waiting in a socket when its timeout runs out. So all of this is put off until the loop has
    /// read from every socket.
    ///
    /// - Parameters:
    ///   - now: When the loop last began to look at the sockets.
    ///   - multi: libcurl's multi handle.
    ///   - hasMoreToRead: Whether more sockets may be ready than the loop has read from this time.
    func doScheduledWork(_ now: ContinuousClock.Instant, _ multi: OpaquePointer, hasMoreToRead: Bool) {
        guard nextCheck <= now else { return }
        readsSinceDue += 1
        let hasReadFromEverySocket = !hasMoreToRead || hasGivenEverySocketATurn
        guard hasReadFromEverySocket else { return }
        readsSinceDue = 0
        let nextRaise = raiseConnectingLimitsIfDue(at: now, multi)
        let nextReminder = remindToConnect(at: now, multi)
        let timeToNextTimeout = failTimedOutTransfers()
        nextCheck = now + max(timeToNextTimeout, shortestCheckInterval)
        if let nextRaise { scheduleCheck(at: nextRaise) }
        if let nextReminder { scheduleCheck(at: nextReminder) }
    }

    /// Whether each socket has had its turn since the scheduled time: the loop reads from up to 64 sockets at a time.
    private var hasGivenEverySocketATurn: Bool { readsSinceDue > active.count / 64 }

    /// Makes libcurl act on all transfers if one of them connects and libcurl sets no timer for that itself.
    ///
    /// - Returns: When to do this again; nil if libcurl needs no reminder.
    private func remindToConnect(
        at now: ContinuousClock.Instant, _ multi: OpaquePointer
    ) -> ContinuousClock.Instant? {
        guard Self.needsRemindersToConnect, active.contains(where: \.isConnecting) else { return nil }
        acurl_loop_act_on_all(multi)
        return now + Self.reminderInterval
    }

    /// Fails the transfers whose timeout has run out.
    ///
    /// - Returns: The time until the next timeout can run out; an hour at most.
    private func failTimedOutTransfers() -> Duration {
        var next = Duration.seconds(3600)
        for transfer in active { next = min(next, transfer.checkTimeout()) }
        for transfer in waiting.all { next = min(next, transfer.checkTimeout()) }
        return next
    }

    /// The shortest time between two checks of the timeouts. A check takes about 0.1 microseconds per transfer, so with
    /// a hundred times as long in between, checks take about a hundredth of the thread's time. More than 40
    /// milliseconds would make timeouts inexact.
    private var shortestCheckInterval: Duration {
        let transferCount = active.count + waiting.count
        return min(.microseconds(10) * transferCount, .milliseconds(40))
    }
}
#endif
