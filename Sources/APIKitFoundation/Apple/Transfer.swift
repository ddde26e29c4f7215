import APIKitCore
import Foundation

#if canImport(Darwin)
/// Carries the request of an exchange over a session, and reports to the exchange what the session reports.
final class Transfer: NSObject {
    let exchange: Exchange
    /// Whether the task is suspended.
    private let isPaused = Locked(false)

    init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Starts a task, unless the exchange has ended.
    ///
    /// - Returns: Whether it was started.
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
    /// What a session reports at the end of a task.
    private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        if let response { exchange.receive(response, decoding: Self.decodedCodings) }
        if let data { exchange.receive(data) }
        exchange.end(error)
    }

    /// What a session decodes; it delivers any other body as it came.
    static let decodedCodings: Set<String>? = ["gzip", "deflate", "br"]

    /// Sends the request over a session, whose delegate reports to this transfer if it is the library's own.
    func start(on session: URLSession, sending upload: UploadBody?, reportingTo delegate: APISessionDelegate?) {
        let request = URLRequest(head: exchange.request)
        if let delegate {
            let task = session.task(with: request, sending: upload)
            delegate[task] = self
            let resume: @Sendable () -> Void = {
                session.delegateQueue.addOperation { self.updatePause(of: task) }
            }
            // Files need no pause, since they are written at once.
            let mayPause = exchange.request.delivery == .stream
            let hasBegun = begin(task, resume: mayPause ? resume : nil)
            // A task that is never resumed may never report its end.
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

    /// Suspends the task of a stream while its reader is slow, and resumes it. Called on the session's delegate queue,
    /// which is serial, so that no change overtakes another.
    ///
    /// A suspended task has no network traffic and no timeouts; it may still deliver what it has received.
    func updatePause(of task: URLSessionTask) {
        let shouldPause = exchange.shouldPause
        let wasPaused = isPaused.withLock { isPaused in
            defer { isPaused = shouldPause }
            return isPaused
        }
        // Once each, since suspensions may be counted.
        if shouldPause, !wasPaused { task.suspend() }
        if !shouldPause, wasPaused { task.resume() }
    }

    /// Refuses a redirect, so that the 3xx is the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Limits the wait. A session does not report that it has found a network, so the response must begin in time.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        guard let limit = exchange.request.options.connectivityTimeout else { return }
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
