#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What is due at a time: timeouts, and the help that libcurl needs while transfers connect. Each part schedules its
// next check itself.
extension CurlThread {
    /// How often libcurl is reminded to connect, if the installed version needs that.
    static let reminderInterval = Duration.milliseconds(250)

    /// Does what is due. Called at the times that `checks` has.
    func check(at now: ContinuousClock.Instant) {
        checks.restart(at: now)
        launchLongWaiting(at: now)
        remindToConnect(at: now)
        failTimedOutTransfers(at: now)
    }

    /// Makes libcurl act on all transfers if one of them connects and libcurl sets no timer for that itself.
    private func remindToConnect(at now: ContinuousClock.Instant) {
        guard CurlVersion.installed.forgetsOtherAddresses, running.all.contains(where: \.isConnecting) else { return }
        acurl_loop_act_on_all(multi)
        checks.add(now + Self.reminderInterval)
    }

    /// Fails the transfers whose timeout has run out.
    private func failTimedOutTransfers(at now: ContinuousClock.Instant) {
        var timeLeft = CheckSchedule.longestInterval
        for transfer in running.all { timeLeft = min(timeLeft, transfer.checkTimeout()) }
        for transfer in waiting.all { timeLeft = min(timeLeft, transfer.checkTimeout()) }
        checks.add(now + max(timeLeft, shortestCheckInterval))
    }

    /// The shortest time between two checks of the timeouts. It grows with the number of transfers, so that checks take
    /// a small part of the thread's time. More than 40 milliseconds would make timeouts inexact.
    private var shortestCheckInterval: Duration {
        let transferCount = running.count + waiting.count
        return min(.microseconds(10) * transferCount, .milliseconds(40))
    }
}
#endif
