#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
public import APIKitCore

extension APIClient {
    /// Returns a client whose requests in flight may finish after the app has left the foreground, as long as the
    /// system allows, usually half a minute.
    ///
    /// When that time is up, requests in flight are cancelled, and they and the loops over their streams fail
    /// with ``APIError/cancelled``. If the system gives no time at all, requests go on as without this client, and
    /// break off if the process is suspended. macOS does not suspend apps, and so has no such client.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func continuingInBackground() -> some APIClient {
        let activity = ExpiringActivity {
            ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1)
        }
        return continuing(during: activity)
    }
}
#endif
