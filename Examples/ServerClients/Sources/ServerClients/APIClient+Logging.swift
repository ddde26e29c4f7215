// Log lines of swift-log with metadata. To use them, copy this file.

public import APIKit
public import Logging

extension APIClient {
    /// Returns a client that logs every attempt with swift-log once it is over: at the level `debug`, or as a warning
    /// if no complete response arrived.
    ///
    /// ```swift
    /// let client = URLSession.api.logged().retrying()
    /// ```
    ///
    /// The message is `GET /users/{login}: 200`, or the kind of the error instead of the status. The metadata are:
    ///
    /// | Key | |
    /// | --- | --- |
    /// | `endpoint` | the endpoint's type, such as `UserRequest` |
    /// | `method` | such as `GET` |
    /// | `template` | the path without its values, such as `/users/{login}` |
    /// | `status` | such as `200`, if a response arrived |
    /// | `error` | such as `timedOut`, if no complete response arrived |
    /// | `attempt` | 1 for the first request of a call; retries and redirects count on |
    /// | `duration_ms` | the time until the end of the body |
    ///
    /// A line has no URL, header, body or text of an error, and so no secret. A request that was built by hand has
    /// `none` as its endpoint and its template. ``APIClient/observed(_:)`` describes what counts as an attempt.
    ///
    /// - Parameter logger: The logger; nil for `Logger.current` of the task that sends the request: under Hummingbird,
    ///   that of the request that is being served, with its id.
    /// - Returns: The client.
    public func logged(to logger: Logger? = nil) -> some APIClient {
        LoggedClient(base: self, logger: logger)
    }
}

private struct LoggedClient: WrappingClient {
    let base: any APIClient
    let logger: Logger?

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let logger = logger ?? Logger.current
        let observed = base.observed { event in
            logger.log(level: event.level, "\(event.line)", metadata: event.metadata)
        }
        return try await observed.perform(request, in: call)
    }
}

extension RequestEvent {
    fileprivate var level: Logger.Level { failure == nil || failure is CancellationError ? .debug : .warning }

    fileprivate var line: String { "\(request.method) \(template): \(failureKind ?? status ?? "")" }

    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "endpoint": "\(call.endpoint.map { "\(type(of: $0))" } ?? "none")", "method": "\(request.method)",
            "template": "\(template)", "attempt": "\(attempt)", "duration_ms": "\(Int(duration / .milliseconds(1)))",
        ]
        if let status { metadata["status"] = "\(status)" }
        if let failureKind { metadata["error"] = "\(failureKind)" }
        return metadata
    }

    private var template: String { call.pathTemplate ?? "none" }
    private var status: String? { (try? result.get()).map { "\($0.head.status)" } }

    /// Why no complete response arrived.
    private var failure: (any Error)? {
        if case .failure(let error) = result { return error }
        return streamError
    }

    /// The kind of the failure, without its text, which may hold a URL.
    private var failureKind: String? {
        failure.map { ($0 as? TransportError)?.code.rawValue ?? "\(type(of: $0))" }
    }
}
