import APIKitSupport

// Whether a request is sent again, over a new connection, after its connection broke.
extension Exchange {
    /// Creates the exchange that sends the request again after this one has failed. Its response is timed from the
    /// beginning of the first attempt.
    ///
    /// Not inlined, since its local variables would enlarge every task that waits for a response.
    ///
    /// - Throws: The error if the request must not be sent again.
    @inline(never)
    func nextAttempt(orThrow error: any Error, in call: Call) throws -> Exchange {
        guard let error = error as? TransportError else { throw error }
        switch resendDecision(after: error) {
        case .never:
            throw error.withRequest(request)
        case .always:
            break
        case .ifAllowed(let failure):
            let rule = call.resendRule
            let isAllowed = rule?.allows(failure) ?? true
            guard isAllowed else { throw error.withRequest(request) }
            rule?.willResend(failure)
        }
        return Exchange(request, in: call, runningTime: state.withLock { $0.time }, isResend: true)
    }

    /// Whether a request may be sent again.
    private enum ResendDecision {
        case never
        case always
        /// If the clients of the call allow it.
        case ifAllowed(Call.Resend)
    }

    /// Decides whether the request may be sent again after an error.
    ///
    /// | What has happened | Sent again |
    /// | --- | --- |
    /// | this was the second attempt, the response has begun, or the connection did not break | never |
    /// | nothing was sent | always |
    /// | the server has refused the request without processing it (RFC 9113, section 8.7) | if the clients allow it |
    /// | a reused connection broke, and the request is idempotent (RFC 9112, section 9.3.1) | if the clients allow it |
    /// | any other connection broke, or the request is not idempotent | never |
    ///
    /// Only what was not sent is sent again if the request's options allow one attempt.
    ///
    /// The second and third row are told apart by what was sent, since the engine reports both in the same way: as a
    /// failure after which the server cannot have begun to process the request.
    ///
    /// A server may close a connection that is idle at any time, so it need not have got a request over a reused one. A
    /// new connection that breaks is the answer of a server that has got the request.
    private func resendDecision(after error: TransportError) -> ResendDecision {
        let (phase, timing) = state.withLock { ($0.phase, $0.timing) }
        guard error.code == .connectionLost, !isResend else { return .never }
        guard case .ended(.unanswered(_, let isUnprocessed)) = phase else { return .never }
        let isSent = timing.sent != nil
        if isUnprocessed, !isSent { return .always }
        let mayBeUnprocessed = timing.isConnectionReused == true && request.isIdempotent
        guard isUnprocessed || mayBeUnprocessed else { return .never }
        if let attempts = request.options.retries?.attempts, attempts <= 1 { return .never }
        return .ifAllowed(Call.Resend(error: error, isRefused: isUnprocessed))
    }
}
