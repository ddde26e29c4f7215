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
/// `X-Request-Id`, the headers of W3C Trace Context and those of uploads that resume.
/// ``RequestOptions/credentialHosts`` names hosts that receive everything.
public final class Call: Sendable {
    /// The state that the call shares with the calls derived from it.
    let context: Context
    /// Reports the progress; nil if nobody asked for it.
    let reporter: ProgressReporter?
    /// What clients say before an engine sends a request again; nil if no client decides.
    let resendRule: ResendRule?
    /// Returns whether a client will repeat the request after a response with this head. Then only the beginning of the
    /// response's body is needed.
    let mayReplace: HeadTest?

    typealias HeadTest = @Sendable (HTTPResponse.Head) -> Bool

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
    init(
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
    ///
    /// Any other response becomes ``APIError/rejected(_:_:)``, unless it is a redirect that is followed.
    ///
    /// ```swift
    /// if !call.isSuccess(response.head) { failures.count(response.head.status) }
    /// ```
    ///
    /// - Parameter head: The head of the response.
    /// - Returns: What ``APIResponse/isSuccess(_:)`` of the endpoint's response type returns.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        endpoint?.isSuccess(head) ?? (200..<300 ~= head.status)
    }

    /// Returns how the body of a response is delivered: as the request wants it, or as data if the response is a
    /// failure.
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

    // MARK: - Progress

    /// Whether the caller wants reports of the progress. A response that comes from elsewhere, such as the transfer of
    /// another call, has none.
    public var reportsProgress: Bool { reporter != nil }

    // MARK: - Redirects and secrets

    /// The redirect that has led to another origin than the call's; nil if the call is still at its own origin.
    package internal(set) var redirection: Redirection? {
        @inline(never) get { context.state.withLock { $0.redirection } }
        set { context.state.withLock { $0.redirection = newValue } }
    }

    /// Masks the values of headers and query items with a name in all descriptions of the call's responses.
    ///
    /// A client that adds a secret also inserts the name into the request's ``RequestOptions/secretNames``, which masks
    /// it in descriptions of that request. This call covers responses whose request is the one before the secret was
    /// added, such as those that a client around this one creates.
    ///
    /// ```swift
    /// var request = request
    /// request.headers["X-Shop-Id"] = id
    /// request.options.secretNames.insert("X-Shop-Id")
    /// call.conceal("X-Shop-Id")
    /// return try await base.perform(request, in: call)
    /// ```
    ///
    /// - Parameter name: The name, in any case. Names that look secret, such as `api_key`, need not be concealed.
    public func conceal(_ name: String) {
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
