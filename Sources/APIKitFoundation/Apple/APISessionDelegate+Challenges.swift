import APIKitCore
import Foundation

#if canImport(Darwin)
extension APISessionDelegate {
    /// Has the caller's delegate answer a challenge: by its method for the whole session if the challenge is about
    /// that, or by the one for a task.
    func forward(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, on session: URLSession,
        _ completion: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = challenge.protectionSpace.authenticationMethod
        let isAboutTrust = [
            NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
        ].contains(method)
        let isAboutSession =
            isAboutTrust || [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate].contains(method)
        let transfer = self[task]
        let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
            disposition, credential in
            if isAboutTrust, [.cancelAuthenticationChallenge, .rejectProtectionSpace].contains(disposition) {
                transfer?.refuse(
                    "the session's delegate refused the server's certificate, or to present one of its own")
            }
            completion(disposition, credential)
        }
        if isAboutSession, challenges?.urlSession?(session, didReceive: challenge, completionHandler: answer) != nil {
            return
        }
        let taskDelegate = challenges as? any URLSessionTaskDelegate
        if taskDelegate?.urlSession?(session, task: task, didReceive: challenge, completionHandler: answer) == nil {
            answer(.performDefaultHandling, nil)
        }
    }
}

extension Transfer {
    /// Ends the exchange because the server is not trusted; the session itself would report a cancel.
    func refuse(_ message: String) {
        exchange.fail(TransportError(.secureConnectionFailed, message))
    }
}
#endif
