public import APIKitCore

extension APIClient {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// Returns a client whose requests in flight may finish after the app has left the foreground, as long as the
    /// system allows, usually half a minute.
    ///
    /// When that time is up, requests in flight are cancelled, and fail with ``APIError/cancelled``; the reader of a
    /// stream gets a `CancellationError`. If the system gives no time at all, requests go on as without this client, and
    /// break off if the process is suspended. macOS does not suspend apps, and so has no such client.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func continuingInBackground() -> some APIClient {
        let activity = ExpiringActivity {
            ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1)
        }
        return continuing(during: activity)
    }
    #endif

    /// Returns a client that holds an activity while requests are in flight.
    func continuing(during activity: ExpiringActivity) -> some APIClient {
        // The tracker is outside, so that it knows each request before the activity can expire.
        ContinuingClient(base: self, activity: activity).tracked(by: activity.tracker)
    }
}

private struct ContinuingClient<Base: APIClient>: APIClient {
    let base: Base
    let activity: ExpiringActivity
    var clock: any Clock<Duration> { base.clock }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let work = activity.begin()
        defer { withExtendedLifetime(work) {} }
        var response = try await base.perform(request)
        response.body = response.body.keeping(work)
        return response
    }
}
