public import APIKitCore

extension APIClient {
    /// Returns a client that reports every attempt to a closure when it ends.
    ///
    /// Inside a retrying client, it reports each attempt, outside only the last one. Each hop of a redirect counts, and
    /// so does each time an engine sends a request again because its connection broke.
    ///
    /// ```swift
    /// let client = URLSession.api.observed { event in metrics.record(event.duration, of: event.request.endpoint) }
    /// ```
    ///
    /// A response that is delivered as a stream is reported when the stream has ended or was released.
    ///
    /// - Parameter report: Called on any thread, before the response is passed on. A description of the event has its
    ///   secrets masked; its request and response are as they are.
    /// - Returns: The client.
    public func observed(_ report: @escaping @Sendable (RequestEvent) -> Void) -> some APIClient {
        ObservedClient(base: self, report: report)
    }
}

private struct ObservedClient<Base: APIClient>: APIClient {
    let base: Base
    let report: @Sendable (RequestEvent) -> Void
    var clock: any Clock<Duration> { base.clock }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let attempt = Attempt(request, report)
        do {
            var response = try await base.perform(attempt.reportingResends(of: request))
            guard response.body.isStream else {
                attempt.end(.success(response), bytesReceived: response.body.data?.count)
                return response
            }
            let stream = ObservedStream(of: response, attempt)
            response.body = response.body.readingStream { next in try await stream.read(next) }
            return response
        } catch {
            attempt.end(.failure(error))
            throw error
        }
    }
}

/// What is known of an attempt before its end.
private final class Attempt: Sendable {
    private let request: HTTPRequest
    private let report: @Sendable (RequestEvent) -> Void
    private let start = Locked(ContinuousClock.now)

    init(_ request: HTTPRequest, _ report: @escaping @Sendable (RequestEvent) -> Void) {
        self.request = request
        self.report = report
    }

    /// The request, of which each sending but the last is reported by its error.
    func reportingResends(of request: HTTPRequest) -> HTTPRequest {
        var reporting = request
        reporting.mayResend = { error in
            guard request.mayResend?(error) ?? true else { return false }
            self.end(.failure(error))
            return true
        }
        return reporting
    }

    func end(_ result: Result<HTTPResponse, any Error>, bytesReceived: Int? = nil, streamError: (any Error)? = nil) {
        let duration = start.withLock { start in
            let end = ContinuousClock.now
            defer { start = end }
            return start.duration(to: end)
        }
        var request = request
        // The caller may wait for its closure to be released.
        if request.progress != nil { request.progress = nil }
        report(
            RequestEvent(
                request: request, result: result, bytesReceived: bytesReceived, streamError: streamError,
                duration: duration))
    }
}

/// A stream that is reported once: at its end, or when it is released.
private final class ObservedStream: Sendable {
    private let response: HTTPResponse
    private let attempt: Attempt
    private let state = Locked((bytes: 0, isOver: false))

    init(of response: HTTPResponse, _ attempt: Attempt) {
        var response = response
        response.body = response.body.detachedForError
        self.response = response
        self.attempt = attempt
    }

    deinit {
        end()
    }

    func read(_ next: ResponseBody.Step) async throws -> Data? {
        do {
            let piece = try await next()
            if let piece { state.withLock { $0.bytes.addClamping(piece.count) } } else { end() }
            return piece
        } catch {
            end(error)
            throw error
        }
    }

    private func end(_ error: (any Error)? = nil) {
        let (bytes, wasOver) = state.withLock { state in
            defer { state.isOver = true }
            return state
        }
        if !wasOver { attempt.end(.success(response), bytesReceived: bytes, streamError: error) }
    }
}
