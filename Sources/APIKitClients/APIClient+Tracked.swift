public import APIKitCore

extension APIClient {
    /// Returns a client whose requests in flight a tracker counts and can cancel.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func tracked(by tracker: RequestTracker) -> some APIClient {
        TrackedClient(base: self, tracker: tracker)
    }
}

private struct TrackedClient<Base: APIClient>: APIClient {
    let base: Base
    let tracker: RequestTracker
    var clock: any Clock<Duration> { base.clock }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let place = tracker.place(for: request)
        var response = try await place.transfer.run { [base] in try await base.perform(request) }
        response.body = response.body.readingStream { next in
            do {
                return try await place.transfer.run(next)
            } catch is Cancellation {
                throw CancellationError()
            }
        }
        return response
    }
}
