import APIKitSupport

/// One `send`, until the end of its response: its endpoint, its limits, and the state that all of its requests share.
///
/// `send` creates it, and each client passes it on with the request:
///
/// ```swift
/// func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
///     log("\(request.method) \(call.pathTemplate ?? ""), attempt \(call.attempts + 1)")
///     return try await base.perform(request, in: call)
/// }
/// ```
///
/// A call stays valid whatever a client does with the request: a client may build a new request, send two, keep one for
/// later, or work in another task.
///
/// After a redirect to another origin, engines remove from each request of the call the parts that only the first
/// origin may see, whichever client has added them: user information, query items that the redirect's target does not
/// have, and every header that is not on an allow-list. The list contains the headers about the body and the wanted
/// response (`Accept`, `Content-Type`, `If-None-Match`, `Range` …), `User-Agent`, `Idempotency-Key`, `Last-Event-ID`,
/// `X-Request-Id` and the headers of W3C Trace Context. ``RequestOptions/credentialHosts`` names hosts that receive
/// everything.
public final class Call: Sendable {
    /// The state that the call shares with the calls derived from it.
    let context: Context
    /// Reports the progress; nil if nobody asked for it.
    let reporter: ProgressReporter?
    /// What clients say before an engine sends a request again; nil if no client decides.
    package let resendRule: ResendRule?
    /// Returns whether a client will repeat the request after a response with this head. Then only the beginning of the
    /// response's body is needed.
    package let mayReplace: HeadTest?

    package typealias HeadTest = @Sendable (HTTPResponse.Head) -> Bool

    /// Creates a call for requests that are built by hand and belong together, such as those of a token refresh.
    ///
    /// ``APIClient/perform(_:)`` creates a call for each request.
    ///
    /// ```swift
    /// let response = try await client.perform(request, in: Call(clock: client.clock))
    /// ```
    ///
    /// - Parameter clock: The clock that times the call: the client's.
    public convenience init(clock: any Clock<Duration>) {
        self.init(endpoint: nil, clock: clock)
    }

    /// Creates a call.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, nil for a request that was built by hand.
    ///   - base: The base URL that the request was built for.
    ///   - clock: The clock that times the call.
    ///   - progress: Receives reports of the progress.
    package convenience init(
        endpoint: (any APIRequest)? = nil, base: APIBase? = nil, clock: any Clock<Duration> = ContinuousClock(),
        progress: TransferProgress.Handler? = nil
    ) {
        let context = Context(endpoint: endpoint, base: base?.parsed, clock: clock)
        self.init(context, reporter: progress.map(ProgressReporter.init))
    }

    /// Creates a call with a context, which other calls may share.
    private init(
        _ context: Context, reporter: ProgressReporter?, resendRule: ResendRule? = nil, mayReplace: HeadTest? = nil
    ) {
        self.context = context
        self.reporter = reporter
        self.resendRule = resendRule
        self.mayReplace = mayReplace
    }

    // MARK: - The endpoint

    /// The endpoint that was sent, nil for a request that was built by hand.
    public var endpoint: (any APIRequest)? { context.endpoint }

    /// The endpoint's path as its literal says, with each value replaced by its name in braces, or by `{}` if it has
    /// none: a label for logs, metrics and traces that is the same for all requests of an endpoint.
    ///
    /// For `"users/\(login, name: "login")"` it is `/users/{login}`. It is nil if the request was built by hand.
    public var pathTemplate: String? { endpoint?.path.template }

    /// Whether requests are built for this base.
    package func isBuilt(for base: APIBase) -> Bool { context.base?.text == base.parsed.text }

    /// Whether the endpoint accepts a response; for a request that was built by hand, whether its status is 2xx.
    package func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        endpoint?.isSuccess(head) ?? (200..<300 ~= head.status)
    }

    /// How the body of a response is delivered: as the request wants it, or as data if the response is a failure.
    package func delivery(of head: HTTPResponse.Head, to request: HTTPRequest) -> ResponseBody.Delivery {
        // Whether it is a success is not asked if it makes no difference, since an endpoint's own test takes time.
        if request.delivery == .data { return .data }
        return isSuccess(head) ? request.delivery : .data
    }

    // MARK: - Attempts

    /// How many requests have been sent for this call so far: all of its attempts, redirects included.
    public var attempts: Int { context.state.withLock { $0.attempts } }

    /// Counts one more request as sent.
    @inline(never)
    package func countAttempt() {
        context.state.withLock { $0.attempts += 1 }
    }

    /// The same call, for a client that repeats requests itself. An engine sends a request again only if this client
    /// and all clients around it allow it.
    ///
    /// - Parameters:
    ///   - isAllowed: Returns whether the client allows it.
    ///   - willResend: Called right before the request is sent again, which counts as one of the client's own attempts.
    ///     So the clients around it, which do not see its other attempts either, are not notified.
    /// - Returns: The call.
    package func resending(
        if isAllowed: @escaping @Sendable (ResendRule.Failure) -> Bool,
        then willResend: @escaping @Sendable (ResendRule.Failure) -> Void
    ) -> Call {
        let outerRule = resendRule
        let rule = ResendRule(
            allows: { failure in
                if let outerRule, !outerRule.allows(failure) { return false }
                return isAllowed(failure)
            },
            willResend: willResend)
        return Call(context, reporter: reporter, resendRule: rule, mayReplace: mayReplace)
    }

    /// The same call, for a client that observes each sending but does not decide.
    ///
    /// - Parameter willResend: Called right before an engine sends the request again. The client around this one is
    ///   notified after it.
    /// - Returns: The call.
    package func observingResends(_ willResend: @escaping @Sendable (ResendRule.Failure) -> Void) -> Call {
        let outerRule = resendRule
        let rule = ResendRule(
            allows: { outerRule?.allows($0) ?? true },
            willResend: { failure in
                willResend(failure)
                outerRule?.willResend(failure)
            })
        return Call(context, reporter: reporter, resendRule: rule, mayReplace: mayReplace)
    }

    /// The same call, for a client that repeats the request after responses with certain heads. If a client around it
    /// does so too, a response is replaced if either of them repeats the request.
    package func replacing(if test: @escaping HeadTest) -> Call {
        let outerTest = mayReplace
        return Call(context, reporter: reporter, resendRule: resendRule) { head in
            if test(head) { return true }
            return outerTest?(head) ?? false
        }
    }

    /// The same call without reports of its progress.
    package var withoutProgress: Call {
        reportsProgress ? Call(context, reporter: nil, resendRule: resendRule, mayReplace: mayReplace) : self
    }

    /// The same call without the closures of its caller and of clients. An exchange keeps this, since it may outlive
    /// the call and must not keep what those closures capture alive.
    var withoutClosures: Call {
        let hasClosures = reporter != nil || resendRule != nil || mayReplace != nil
        return hasClosures ? Call(context, reporter: nil) : self
    }

    /// Creates a call for a transfer that several calls of one endpoint share. The transfer may outlive this call, so
    /// it has no deadline and reports no progress.
    package func shared() -> Call {
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

    // MARK: - Progress

    /// Whether the progress of this call is reported.
    package var reportsProgress: Bool { reporter != nil }

    // MARK: - Redirects and secrets

    /// The redirect that has led to another origin than the call's; nil if the call is still at its own origin.
    package var redirection: Redirection? {
        @inline(never) get { context.state.withLock { $0.redirection } }
        set { context.state.withLock { $0.redirection = newValue } }
    }

    /// Masks the values of headers and query items with this name in all descriptions of the call's responses.
    package func conceal(_ name: String) {
        context.state.withLock { _ = $0.secretNames.insert(name) }
    }

    /// Adds the request to a response that has none, and the names of the call's secrets to the request: descriptions
    /// of the response need both to mask secrets.
    func addingSecretNames(to response: consuming HTTPResponse, of request: HTTPRequest) -> HTTPResponse {
        let names = context.state.withLock { $0.secretNames }
        if response.request == nil { response.request = request.withoutStreams }
        if !names.isEmpty { response.request?.options.secretNames.formUnion(names) }
        return response
    }
}

// MARK: - Shared state

extension Call {
    final class Context: Sendable {
        struct State: Sendable {
            var attempts = 0
            var redirection: Redirection?
            /// Names of headers and query items whose values are secret.
            var secretNames: Set<String> = []
        }

        let endpoint: (any APIRequest)?
        let base: BaseURL?
        let clock: any Clock<Duration>
        let deadline: Deadline
        let state = Locked(State())

        init(endpoint: (any APIRequest)?, base: BaseURL?, clock: any Clock<Duration>) {
            self.endpoint = endpoint
            self.base = base
            self.clock = clock
            deadline = Deadline(clock: clock)
        }
    }
}

/// Thrown if the app cancels a request by other means than its task, such as a tracker.
package struct Cancellation: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the request was cancelled" }
}
