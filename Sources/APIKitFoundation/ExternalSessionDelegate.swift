/// The delegate of a task on a session that the caller created: refuses redirects and, on Linux, answers challenges.
/// Elsewhere the session handles its own challenges.
final class ExternalSessionDelegate: NSObject, URLSessionTaskDelegate {
    private let transfer: Transfer

    init(transfer: Transfer) {
        self.transfer = transfer
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        Platform.refuseRedirect(of: transfer.exchange, completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        completionHandler(transfer.openBody())
    }

    #if canImport(FoundationNetworking)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        Platform.answer(challenge, of: task, on: session, asking: session.delegate, for: transfer, completionHandler)
    }
    #endif
}
