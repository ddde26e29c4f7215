import APIKitCore
import APIKitSupport
import Foundation

#if canImport(Darwin)
/// The delegate of the sessions that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` creates.
///
/// It passes the events of a task to the task's transfer, refuses redirects, and forwards authentication challenges.
final class APISessionDelegate: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: Transfer]>([:])
    /// The caller's delegate, which answers authentication challenges.
    let challenges: (any URLSessionDelegate)?
    /// The headers that each request gets unless it has its own.
    let headers: HTTPHeaders
    /// The keys that servers must have, nil for any key that the system trusts.
    let pins: PublicKeyPins?

    init(challenges: (any URLSessionDelegate)?, headers: HTTPHeaders, pins: PublicKeyPins?) {
        self.challenges = challenges
        self.headers = headers
        self.pins = pins
    }

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

    /// Checks the pins at a challenge about the server's certificate, and forwards any other challenge to the caller's
    /// delegate. This delegate does not implement the method for session-wide challenges, so they arrive here too.
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

// MARK: - Challenges

extension APISessionDelegate {
    /// Lets the caller's delegate answer a challenge, or the system if the delegate has no method for it.
    ///
    /// A session-wide challenge goes to the delegate's method for sessions, if it has one; any other challenge goes to
    /// its method for tasks. A refused certificate fails the exchange with an error that says so.
    func forward(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, on session: URLSession,
        _ completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let subject = ChallengeSubject(challenge)
        let transfer = self[task]
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            disposition, credential in
            let isRefusal = disposition == .cancelAuthenticationChallenge || disposition == .rejectProtectionSpace
            if isRefusal, subject == .trust {
                transfer?.refuse(
                    "the session's delegate refused the server's certificate, or to present one of its own")
            }
            completion(disposition, credential)
        }
        // A call of an optional method returns nil if the delegate does not have the method.
        if subject != .task, challenges?.urlSession?(session, didReceive: challenge, completionHandler: answer) != nil {
            return
        }
        let taskDelegate = challenges as? any URLSessionTaskDelegate
        if taskDelegate?.urlSession?(session, task: task, didReceive: challenge, completionHandler: answer) == nil {
            answer(.performDefaultHandling, nil)
        }
    }

    /// What a challenge is about.
    private enum ChallengeSubject: Sendable {
        /// The certificate of the server or of the client. The challenge is session-wide.
        case trust
        /// The authentication of a connection. The challenge is session-wide.
        case session
        /// The request of a task.
        case task

        init(_ challenge: URLAuthenticationChallenge) {
            switch challenge.protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate: self = .trust
            case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate: self = .session
            default: self = .task
            }
        }
    }
}

extension Transfer {
    /// Fails the exchange because of a certificate or a key. The session itself would only report that the task was
    /// cancelled.
    func refuse(_ message: String) {
        exchange.fail(TransportError(.secureConnectionFailed, message))
    }
}

extension Exchange {
    /// Reports a session's measurements of the connection, if there are any: whether it was reused, and how long each
    /// step of connecting took.
    func connected(_ metrics: URLSessionTaskMetrics) {
        guard let transaction = metrics.transactionMetrics.last else { return }
        connected(
            isReused: transaction.isReusedConnection,
            nameLookup: Self.time(transaction.domainLookupStartDate, transaction.domainLookupEndDate),
            connect: Self.time(
                transaction.connectStartDate, transaction.secureConnectionStartDate ?? transaction.connectEndDate),
            secureHandshake: Self.time(transaction.secureConnectionStartDate, transaction.secureConnectionEndDate))
    }

    /// Returns the time between two dates; nil if one of them is missing, because there was no such step.
    private static func time(_ start: Date?, _ end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return .seconds(max(0, end.timeIntervalSince(start)))
    }
}
#endif
