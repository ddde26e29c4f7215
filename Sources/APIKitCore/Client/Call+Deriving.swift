import APIKitSupport

// The calls that a client derives from the one that it was given, and passes to the client that it wraps.
extension Call {
    /// Returns the same call, for a client that decides whether an engine sends a request again, or observes it.
    ///
    /// An engine sends a request once more by itself if a reused connection broke before the response, and the request
    /// is idempotent, or if the server has refused the request without processing it. It does so only if all clients
    /// of the call allow it, so a client can forbid it, but never permit more:
    ///
    /// ```swift
    /// let inner = call.resending(
    ///     if: { resend in resend.isRefused && attempts.hasMore },
    ///     then: { _ in attempts.add() })
    /// return try await base.perform(request, in: inner)
    /// ```
    ///
    /// A request of which nothing was sent is always sent once more: the server cannot have seen it.
    ///
    /// - Parameters:
    ///   - isAllowed: Returns whether this client allows it. Called on any thread, after the clients around this one
    ///     have allowed it. The request may still not be sent again, if a client inside forbids it.
    ///   - notifiesOuterClients: Whether the clients around this one are notified too, after this one. A client that
    ///     repeats requests itself passes false if it counts this as one of its own attempts: the clients around it
    ///     do not see the others either.
    ///   - willResend: Called right before the request is sent again. The sending before it has failed.
    /// - Returns: The call.
    public func resending(
        if isAllowed: @escaping @Sendable (Resend) -> Bool = { _ in true },
        notifiesOuterClients: Bool = true,
        then willResend: @escaping @Sendable (Resend) -> Void = { _ in }
    ) -> Call {
        let outerRule = resendRule
        let rule = ResendRule(
            allows: { resend in
                if let outerRule, !outerRule.allows(resend) { return false }
                return isAllowed(resend)
            },
            willResend: { resend in
                willResend(resend)
                if notifiesOuterClients { outerRule?.willResend(resend) }
            })
        return Call(context, reporter: reporter, resendRule: rule, mayReplace: mayReplace)
    }

    /// Returns the same call, for a client that replaces certain responses: it sends the request again, and returns the
    /// next response instead.
    ///
    /// Engines then receive only the beginning of such a response's body, at most 64 KiB, in memory. Streams and files
    /// that the endpoint accepts are not shortened.
    ///
    /// ```swift
    /// let inner = call.replacing(if: { $0.status == 503 })
    /// let response = try await base.perform(request, in: inner)
    /// guard response.head.status == 503 else { return response }
    /// return try await base.perform(request, in: call)
    /// ```
    ///
    /// A client that returns such a response nevertheless, for example since no time is left for another attempt,
    /// returns a body whose ``ResponseBody/isBeginning`` is true.
    ///
    /// - Parameter test: Returns whether the client replaces a response with this head. Called on the engine's thread,
    ///   so it must be quick. A response is also shortened if a client around this one replaces it.
    /// - Returns: The call.
    public func replacing(if test: @escaping @Sendable (HTTPResponse.Head) -> Bool) -> Call {
        let outerTest = mayReplace
        return Call(context, reporter: reporter, resendRule: resendRule) { head in
            if test(head) { return true }
            return outerTest?(head) ?? false
        }
    }

    /// The same call without reports of its progress, for a request that its caller did not ask for, or for an observer
    /// that keeps the call: the closure that receives the progress is not kept with it.
    ///
    /// ```swift
    /// events.append((request, call.withoutProgress))
    /// ```
    public var withoutProgress: Call {
        reportsProgress ? Call(context, reporter: nil, resendRule: resendRule, mayReplace: mayReplace) : self
    }

    /// The same call without the closures of its caller and of clients. An exchange keeps this, since it may outlive
    /// the call and must not keep what those closures capture alive.
    var withoutClosures: Call {
        let hasClosures = reporter != nil || resendRule != nil || mayReplace != nil
        return hasClosures ? Call(context, reporter: nil) : self
    }

    /// Creates a call for a transfer that several calls of one endpoint share.
    ///
    /// The transfer may outlive this call, so the new call has no deadline, reports no progress and counts its own
    /// attempts. What limits this call still does: an engine sends no credentials to the target of a redirect to
    /// another origin, and sends nothing again that this call's clients forbid. The clients of the other calls, which
    /// share the transfer later, are not asked.
    ///
    /// A deadline in the options of the request would apply to the transfer, so remove it:
    ///
    /// ```swift
    /// var request = request
    /// request.options.deadline = nil
    /// let transfer = Task { [request] in
    ///     try await base.perform(request, in: call.shared())
    /// }
    /// ```
    ///
    /// - Returns: The new call.
    public func shared() -> Call {
        let ownState = context.state.withLock { $0 }
        let sharedContext = Context(endpoint: endpoint, base: context.base, clock: clock)
        sharedContext.state.withLock { state in
            // After a redirect to another origin, credentials must not be sent there.
            state.redirection = ownState.redirection
            // Descriptions of the response mask the values with these names.
            state.secretNames = ownState.secretNames
        }
        // `resendRule` stays: what this call's clients forbid to send a second time, the shared call must not send
        // again.
        // `mayReplace` does not: if a client repeats the request for one call, the others still need the whole body.
        return Call(sharedContext, reporter: nil, resendRule: resendRule, mayReplace: nil)
    }
}

extension Call {
    /// What an engine is about to do by itself: to send a request again, over a new connection, after a sending that
    /// has failed before a response.
    public struct Resend: Sendable {
        /// The error that the first sending has failed with.
        public let error: TransportError
        /// Whether the server has refused the request without processing it (RFC 9113, section 8.7). Otherwise, it may
        /// have processed the request.
        public let isRefused: Bool
    }
}
