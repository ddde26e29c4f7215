extension Platform {
    typealias ChallengeAnswer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
}

#if canImport(FoundationNetworking)
extension Platform {
    /// Has a delegate answer a challenge, and passes its answer on without waiting for the session.
    ///
    /// Without a credential a refused Basic challenge never completes: what has arrived is the response, and the task
    /// ends. With one, the request is sent again over a connection of its own: the session would send it over the kept
    /// connection, and libcurl again if that breaks; and a task that is cancelled meanwhile would end the process.
    static func answer(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, on session: URLSession,
        asking delegate: (any URLSessionDelegate)?, for transfer: Transfer?, _ completion: @escaping ChallengeAnswer
    ) {
        let answer: ChallengeAnswer = { disposition, credential in
            let isRetried = disposition == .useCredential && credential.map { transfer?.retry(with: $0) } == true
            if !isRetried, disposition != .cancelAuthenticationChallenge, let response = challenge.failureResponse {
                transfer?.complete(nil, response: response)
            }
            waitingCalls.async { completion(.cancelAuthenticationChallenge, nil) }
        }
        guard let delegate = delegate as? any URLSessionTaskDelegate, let sender = challenge.sender else {
            return answer(.performDefaultHandling, nil)
        }
        // Each attempt has a task of its own, whose challenge is its first.
        let counted = URLAuthenticationChallenge(
            protectionSpace: challenge.protectionSpace, proposedCredential: nil,
            previousFailureCount: transfer?.exchange.refusedCredentials ?? 0,
            failureResponse: challenge.failureResponse, error: nil, sender: sender)
        delegate.urlSession(session, task: task, didReceive: counted, completionHandler: answer)
    }
}
#else
extension Platform {
    /// Has a delegate answer a challenge: by its method for the whole session if the challenge is about that, or by the
    /// one for a task.
    static func answer(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, on session: URLSession,
        asking delegate: (any URLSessionDelegate)?, for transfer: Transfer?, _ completion: @escaping ChallengeAnswer
    ) {
        let method = challenge.protectionSpace.authenticationMethod
        let isAboutTrust = [
            NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
        ].contains(method)
        let isAboutSession =
            isAboutTrust || [NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate].contains(method)
        let answer: ChallengeAnswer = { disposition, credential in
            if isAboutTrust, [.cancelAuthenticationChallenge, .rejectProtectionSpace].contains(disposition) {
                transfer?.refuseTrust()
            }
            completion(disposition, credential)
        }
        if isAboutSession, delegate?.urlSession?(session, didReceive: challenge, completionHandler: answer) != nil {
            return
        }
        let taskDelegate = delegate as? any URLSessionTaskDelegate
        if taskDelegate?.urlSession?(session, task: task, didReceive: challenge, completionHandler: answer) == nil {
            answer(.performDefaultHandling, nil)
        }
    }
}
#endif
