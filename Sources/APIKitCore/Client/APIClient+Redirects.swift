extension APIClient {
    /// Performs a request and the redirects that follow it, within the deadline. Each hop goes through all clients
    /// anew.
    func performFollowingRedirects(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let deadline = request.options.deadline else { return try await followRedirects(from: request) }
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await followRedirects(from: request) }
            group.addTask {
                // A sleep of more than all clocks know would trap.
                try await Task.sleep(for: min(deadline, .seconds(1 << 31)))
                throw TransportError(.timedOut, "no answer within the deadline of \(deadline)", request: request)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private func followRedirects(from request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        var hops = 0
        while true {
            try Task.checkCancellation()
            let response = try await performHop(request)
            guard case .follow(let limit) = request.options.redirects,
                let next = try request.redirected(by: response.head)
            else { return response }
            guard hops < limit else {
                throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: request)
            }
            hops += 1
            request = next
        }
    }

    /// Performs one hop; its response and its errors name it.
    private func performHop(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            var response = try await perform(request)
            response.method = request.method
            return response
        } catch let error as TransportError {
            throw error.withRequest(request)
        } catch let error as RequestError {
            throw error.withRequest(method: request.method, url: request.url)
        } catch  where Task.isCancelled || error is any APIFailure {
            throw error
        } catch {
            throw TransportError(.other, request: request, underlying: error)
        }
    }
}
