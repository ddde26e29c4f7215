public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that reports every attempt to a closure when it ends.
    ///
    /// Inside a retrying client, it reports each attempt, outside only the last one. Each hop of a redirect counts, and
    /// so does each time an engine sends a request again because its connection broke.
    ///
    /// ```swift
    /// let client = URLSession.api.observed { event in
    ///     metrics.record(event.duration, of: event.call.endpoint)
    /// }
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

private struct ObservedClient: WrappingClient {
    let base: any APIClient
    let report: @Sendable (RequestEvent) -> Void

    /// Performs the request, and reports it when it fails or its body is complete. The body of a stream is read through
    /// an object that reports its end.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let attempt = Attempt(request, in: call, report)
        do {
            var response = try await base.perform(request, in: attempt.reportingResends(of: call))
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

/// An attempt in progress, which is reported when it ends.
///
/// If the engine sends the request again by itself, each sending is reported as an attempt of its own.
private final class Attempt: Sendable {
    private let request: HTTPRequest
    private let call: Call
    private let report: @Sendable (RequestEvent) -> Void
    private let time: Stopwatch
    private let current: Locked<Sending>

    /// One sending of the request by the engine.
    private struct Sending: Sendable {
        /// The number of the attempt in the call.
        var number: Int
        /// The time from the beginning to the start of this sending.
        var start: Duration
        /// Whether this is the end of the attempt, after which nothing is reported. A shared transfer may still be sent
        /// again for others when this attempt was cancelled.
        var isOver = false
    }

    /// Begins an attempt: its time is measured from now on.
    init(_ request: HTTPRequest, in call: Call, _ report: @escaping @Sendable (RequestEvent) -> Void) {
        self.request = request
        // The progress closure is left out: a caller may wait until it is released, but the report keeps the call.
        self.call = call.withoutProgress
        self.report = report
        time = Stopwatch(call.clock)
        current = Locked(Sending(number: call.attempts + 1, start: .zero))
    }

    /// Returns the call with a closure that reports a failed sending when the engine is about to send again.
    func reportingResends(of call: Call) -> Call {
        call.resending(then: { self.end(.failure($0.error), isLast: false) })
    }

    /// Reports the end of the current sending. If it is not the last one, begins to count and time the next one.
    func end(
        _ result: Result<HTTPResponse, any Error>, bytesReceived: Int? = nil, streamError: (any Error)? = nil,
        isLast: Bool = true
    ) {
        let now = time.elapsed
        let ended = current.withLock { current in
            let ended = current
            current = Sending(number: ended.number + 1, start: now, isOver: isLast || ended.isOver)
            return ended
        }
        if ended.isOver { return }
        report(
            RequestEvent(
                request: request, call: call, attempt: ended.number, result: result, bytesReceived: bytesReceived,
                streamError: streamError, duration: now - ended.start))
    }
}

/// Counts the bytes of a stream, and reports it once: when it ends or fails, or when it is released before that.
private final class ObservedStream: Sendable {
    private struct State: Sendable {
        var bytesReceived = 0
        var isOver = false
    }

    private let response: HTTPResponse
    private let attempt: Attempt
    private let state = Locked(State())

    init(of response: HTTPResponse, _ attempt: Attempt) {
        var response = response
        response.body = response.body.withoutStream
        self.response = response
        self.attempt = attempt
    }

    deinit {
        end()
    }

    /// Reads the next piece with a function, counts its bytes, and reports the end of the stream or its error.
    func read(_ next: ResponseBody.Step) async throws -> Data? {
        do {
            let piece = try await next()
            if let piece {
                state.withLock { $0.bytesReceived.addClamping(piece.count) }
            } else {
                end()
            }
            return piece
        } catch {
            end(error)
            throw error
        }
    }

    /// Reports the end of the stream, unless it was reported before.
    private func end(_ error: (any Error)? = nil) {
        let stateBefore = state.withLock { state in
            let stateBefore = state
            state.isOver = true
            return stateBefore
        }
        guard !stateBefore.isOver else { return }
        attempt.end(.success(response), bytesReceived: stateBefore.bytesReceived, streamError: error)
    }
}

/// One attempt to perform a request, after its end: what ``APIClient/observed(_:)`` reports.
public struct RequestEvent: Sendable {
    /// The request, as it was passed on.
    public let request: HTTPRequest
    /// The call that it was sent for, with its endpoint and the template of its path.
    public let call: Call
    /// Which attempt of the call it was, from 1 on; redirects are attempts too.
    public let attempt: Int
    /// The response, without the bytes of a stream; or the error that was thrown instead.
    public let result: Result<HTTPResponse, any Error>
    /// The number of bytes of the body that were delivered; nil without a response, or for a file.
    public let bytesReceived: Int?
    /// The error that a stream ended with. A stream that was left before its end has none.
    public let streamError: (any Error)?
    /// The time from the start of the attempt to the end of the body.
    public let duration: Duration
}

extension RequestEvent: CustomStringConvertible {
    /// One line, with secrets masked: method, URL, status or error, bytes received and time.
    public var description: String {
        var parts: [String] = []
        switch result {
        case .success(let response): parts.append("\(response.head.status)")
        case .failure(let error): parts.append(ErrorText.of(error))
        }
        if let bytesReceived { parts.append("\(bytesReceived) bytes") }
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        parts.append("\(milliseconds) ms")
        if let streamError { parts.append("ended by: \(ErrorText.of(streamError))") }
        let line = "\(request.method) \(request.maskedURL): \(parts.joined(separator: ", "))"
        return request.maskingCredentials(in: Masking.oneLine(line))
    }
}
