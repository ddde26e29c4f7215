extension Exchange {
    /// The exchange that sends the request again after this one has failed.
    ///
    /// - Throws: The error, if the request is not to be sent again.
    func nextAttempt(after error: any Error, in call: Call) throws -> Exchange {
        guard let error = error as? TransportError else { throw error }
        guard mayBeSentAgain(after: error, call.mayResend) else { throw error.withRequest(request) }
        return Exchange(request, in: call, time: state.withLock { $0.time }, isResend: true)
    }

    /// Whether the connection broke before a response, for the first time, and either nothing was sent or sending twice
    /// does no harm and no client refuses it.
    private func mayBeSentAgain(after error: TransportError, _ mayResend: Call.ResendApproval?) -> Bool {
        let (hasHead, isUnsent) = state.withLock { ($0.hasHead, $0.isUnsent) }
        guard error.code == .connectionLost, !hasHead, !isResend else { return false }
        return isUnsent || request.isRepeatable && mayResend?(error) ?? true
    }
}
