import APIKitCore

extension APIClient {
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
