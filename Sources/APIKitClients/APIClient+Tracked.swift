public import APIKitCore

extension APIClient {
    /// Returns a client whose requests in flight a tracker counts and can cancel.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func tracked(by tracker: RequestTracker) -> some APIClient {
        TrackedClient(base: self, tracker: tracker)
    }
}

private struct TrackedClient: WrappingClient {
    let base: any APIClient
    let tracker: RequestTracker

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let (transfer, end) = tracker.begin(call)
        var response = try await transfer.run { [base] in try await base.perform(request, in: call) }
        response.body = response.body.readingStream { next in
            defer { withExtendedLifetime(end) {} }
            do {
                return try await transfer.run(next)
            } catch is Cancellation {
                throw CancellationError()
            }
        }
        return response
    }
}
