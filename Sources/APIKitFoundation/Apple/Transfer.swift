import APIKitCore
import APIKitSupport
import Foundation

#if canImport(Darwin)
/// Carries the request of an exchange over a session, and reports the session's events to the exchange.
final class Transfer: NSObject {
    let exchange: Exchange
    /// Whether the task is suspended.
    private let isPaused = Locked(false)

    init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Starts a task, unless the exchange has ended.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - resume: Ends a pause, nil if the task is never paused.
    /// - Returns: Whether it was started. Otherwise it is cancelled.
    @discardableResult
    private func begin(_ task: URLSessionTask, resume: (@Sendable () -> Void)? = nil) -> Bool {
        guard exchange.begin(stop: { task.cancel() }, resume: resume) else {
            task.cancel()
            return false
        }
        exchange.sent(total: 0)
        task.resume()
        return true
    }
}

// MARK: - Sessions that the caller created

extension Transfer: URLSessionTaskDelegate {
    /// Reports the response of a task to the exchange, and ends the exchange.
    private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            if let response { exchange.receive(response, decoding: Self.decodedCodings) }
            if let data { exchange.receive(data) }
            exchange.end(error)
        } else {
            exchange.finish(with: response, body: data ?? Data(), decoding: Self.decodedCodings)
        }
    }

    /// The content codings that a session decodes. It does not decode any others.
    static let decodedCodings: Set<String>? = ["gzip", "deflate", "br"]

    /// Sends the request over a session, as a task.
    ///
    /// With the library's own delegate, the task reports each event to the delegate, which finds the transfer by the
    /// task. In a session of the caller, the task reports the whole response at once, and its metrics to the transfer.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - upload: The body of the request, nil for none.
    ///   - delegate: The session's delegate if it is the library's own; nil if the caller has created the session.
    func start(on session: URLSession, sending upload: UploadBody?, reportingTo delegate: APISessionDelegate?) {
        let request = URLRequest(head: exchange.request)
        if let delegate {
            let task = session.task(with: request, sending: upload)
            delegate[task] = self
            let resume: @Sendable () -> Void = {
                session.delegateQueue.addOperation { self.updatePause(of: task) }
            }
            // A file is written as fast as it is received, so its download needs no pauses.
            let mayPause = exchange.request.delivery == .stream
            let hasBegun = begin(task, resume: mayPause ? resume : nil)
            // The task was never resumed, so the session may never report its end, which would remove the transfer.
            if !hasBegun { delegate[task] = nil }
        } else {
            let task = session.task(with: request, sending: upload) { data, response, error in
                if error == nil, let upload { self.exchange.sent(total: upload.length) }
                self.end(data, response, error)
            }
            task.delegate = self
            begin(task)
        }
    }

    /// Suspends the task of a stream if its reader is slow, and resumes it once the reader has caught up.
    ///
    /// This is called on the session's delegate queue. The queue is serial, so changes are applied in their order. A
    /// suspended task has no network traffic and no timeouts, but it may still deliver bytes that it has received.
    func updatePause(of task: URLSessionTask) {
        let shouldPause = exchange.shouldPause
        let wasPaused = isPaused.withLock { isPaused in
            defer { isPaused = shouldPause }
            return isPaused
        }
        // The task may count suspensions, so each one must be matched by exactly one resumption.
        if shouldPause, !wasPaused { task.suspend() }
        if !shouldPause, wasPaused { task.resume() }
    }

    /// Refuses a redirect, so that the session delivers the response with the status 3xx.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Limits the wait for a network. A session does not report the end of the wait, so the timer fails the exchange if
    /// the response has not begun by then.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        guard let limit = exchange.request.options.connectivityTimeout?.duration else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.interval) { [weak exchange] in
            guard let exchange, !exchange.hasHead else { return }
            exchange.fail(TransportError(.cannotConnect, "no network for \(limit)"))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        exchange.connected(metrics)
    }
}
#endif
