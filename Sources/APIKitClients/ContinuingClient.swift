import APIKitCore

extension APIClient {
    /// Returns a client that holds an activity while requests are in flight.
    func continuing(during activity: ExpiringActivity) -> some APIClient {
        // The tracker is outside, so that it knows each request before the activity can expire.
        ContinuingClient(base: self, activity: activity).tracked(by: activity.tracker)
    }
}

private struct ContinuingClient: WrappingClient {
    let base: any APIClient
    let activity: ExpiringActivity

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let work = activity.begin()
        defer { withExtendedLifetime(work) {} }
        var response = try await base.perform(request, in: call)
        response.body = response.body.keeping(work)
        return response
    }
}
