import APIKitCore
import Foundation

#if canImport(Darwin)
/// The delegate of the sessions that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` creates: passes
/// the events of a task to its transfer, refuses redirects, and forwards challenges.
final class APISessionDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])
    /// The delegate that is asked for authentication challenges first.
    let challenges: (any URLSessionDelegate)?
    /// The headers that each request gets unless it has its own.
    let headers: HTTPHeaders
    /// The keys that servers must have.
    let pins: PublicKeyPins?

    init(challenges: (any URLSessionDelegate)?, headers: HTTPHeaders, pins: PublicKeyPins?) {
        self.challenges = challenges
        self.headers = headers
        self.pins = pins
    }

    /// The transfer of a task.
    subscript(task: URLSessionTask) -> Transfer? {
        get { transfers.withLock { $0[task.taskIdentifier] } }
        set { transfers.withLock { $0[task.taskIdentifier] = newValue } }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self[dataTask]?.exchange.receive(response, decoding: Transfer.decodedCodings)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let transfer = self[dataTask] else { return }
        transfer.exchange.receive(data)
        transfer.updatePause(of: dataTask)
    }

    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
        self[task]?.urlSession(session, taskIsWaitingForConnectivity: task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        self[task]?.exchange.sent(total: Int(clamping: totalBytesSent))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        self[task]?.exchange.connected(metrics)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.exchange.end(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Session-wide challenges come here too, since the method for those is not implemented.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let pins, let trust = challenge.protectionSpace.serverTrust, !pins.matches(trust) {
            self[task]?.refuse("the server's key is not one of the pinned ones")
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        forward(challenge, of: task, on: session, completionHandler)
    }
}
#endif
