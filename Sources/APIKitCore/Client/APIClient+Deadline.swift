extension APIClient {
    /// Performs a request and its redirects within a deadline.
    func followRedirects(from request: HTTPRequest, within limit: Duration) async throws -> HTTPResponse {
        let deadline = Deadline(in: limit, clock: clock)
        var outgoing = request
        outgoing.deadline = deadline
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { [outgoing] group in
            group.addTask { try await followRedirects(from: outgoing) }
            group.addTask {
                try await deadline.pass()
                throw TransportError(.timedOut, "no response within the deadline of \(limit)", request: request)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
