/// One `send`, from the call to the end of its response: what it is for, its limits, and what must hold for all
/// requests that clients make of it.
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
/// What it knows holds whatever a client does with the request: it may build a new one, send two, keep one for later or
/// work in another task.
///
/// Once a redirect has led to another origin, engines remove from each request of the call what only the first origin
/// may see, whichever client has added it: user information, the query items that the redirect's target does not have,
/// and every header but those of an allow-list. That has the headers about the body and the wanted response (`Accept`,
/// `Content-Type`, `If-None-Match`, `Range` …), `User-Agent`, `Idempotency-Key`, `Last-Event-ID`, `X-Request-Id` and
/// those of W3C Trace Context. ``RequestOptions/credentialHosts`` names hosts that get everything.
public final class Call: Sendable {
    /// What the call and those derived from it share.
    let context: Context
    /// Where progress is reported.
    let reporter: ProgressReporter?
    /// Asked before an engine sends a request again by itself, since its connection broke.
    package let mayResend: ResendApproval?
    /// Whether a client asks again after a response with this head, of whose body then only the beginning is wanted.
    package let mayReplace: HeadTest?

    package typealias ResendApproval = @Sendable (TransportError) -> Bool
    package typealias HeadTest = @Sendable (HTTPResponse.Head) -> Bool

    /// Creates a call for requests that are built by hand, such as those of an engine's tests:
    ///
    /// ```swift
    /// let response = try await client.perform(request, in: Call(clock: client.clock))
    /// ```
    ///
    /// - Parameter clock: What times it: the client's.
    public convenience init(clock: any Clock<Duration>) {
        self.init(endpoint: nil, clock: clock)
    }

    /// Creates a call.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, nil for a request that was built by hand.
    ///   - base: The base URL that its request was built for.
    ///   - clock: What times it.
    ///   - progress: Where progress is reported.
    package convenience init(
        endpoint: (any APIRequest)? = nil, base: APIBase? = nil, clock: any Clock<Duration> = ContinuousClock(),
        progress: TransferProgress.Handler? = nil
    ) {
        let context = Context(endpoint: endpoint, base: base?.parsed, clock: clock)
        self.init(context, reporter: progress.map(ProgressReporter.init))
    }

    private init(
        _ context: Context, reporter: ProgressReporter?, mayResend: ResendApproval? = nil, mayReplace: HeadTest? = nil
    ) {
        self.context = context
        self.reporter = reporter
        self.mayResend = mayResend
        self.mayReplace = mayReplace
    }

    // MARK: - What it is for

    /// The endpoint that was sent, nil for a request that was built by hand.
    public var endpoint: (any APIRequest)? { context.endpoint }

    /// The endpoint's path as its literal says, with each value replaced by its name in braces, or by `{}` if it has
    /// none: a label for logs, metrics and traces that is the same for all requests of an endpoint.
    ///
    /// For `"users/\(login, name: "login")"` it is `/users/{login}`. It is nil if the request was built by hand, and if
    /// the endpoint keeps its path in a property instead of creating it.
    public var pathTemplate: String? { endpoint.flatMap { URLPath.template(of: $0) } }

    /// Whether requests are built for this base.
    package func isBuilt(for base: APIBase) -> Bool { context.base?.text == base.parsed.text }

    /// Whether the endpoint accepts a response; for a request that was built by hand, whether its status is 2xx.
    package func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        endpoint?.isSuccess(head) ?? (200..<300 ~= head.status)
    }

    /// How the body of a response is delivered: as the request wants it, but that of a failure always as data.
    package func delivery(of head: HTTPResponse.Head, to request: HTTPRequest) -> ResponseBody.Delivery {
        request.delivery == .data || isSuccess(head) ? request.delivery : .data
    }

    // MARK: - Attempts

    /// How many requests have been sent for this call so far: all of its attempts, redirects included.
    public var attempts: Int { context.state.withLock { $0.attempts } }

    /// Counts a request that is sent.
    @inline(never)
    package func countAttempt() {
        context.state.withLock { $0.attempts += 1 }
    }

    /// The same call, with another answer to whether an engine may send a request again by itself.
    package func resending(if approval: @escaping ResendApproval) -> Call {
        Call(context, reporter: reporter, mayResend: approval, mayReplace: mayReplace)
    }

    /// The same call, in which a client asks again after some responses.
    package func replacing(if test: @escaping HeadTest) -> Call {
        let others = mayReplace
        return Call(context, reporter: reporter, mayResend: mayResend) { test($0) || others?($0) ?? false }
    }

    /// The same call, of which no progress is reported.
    package var withoutProgress: Call {
        reporter == nil ? self : Call(context, reporter: nil, mayResend: mayResend, mayReplace: mayReplace)
    }

    /// The same call without the closures of its caller and of clients, for what may outlive it.
    var withoutClosures: Call {
        reporter == nil && mayResend == nil && mayReplace == nil ? self : Call(context, reporter: nil)
    }

    /// A call for a transfer that several calls of one endpoint share: without the progress and the deadline of any.
    package func shared() -> Call {
        let shared = Context(endpoint: endpoint, base: context.base, clock: clock)
        let (redirection, names) = context.state.withLock { ($0.redirection, $0.secretNames) }
        shared.state.withLock { ($0.redirection, $0.secretNames) = (redirection, names) }
        return Call(shared, reporter: nil, mayResend: mayResend)
    }

    // MARK: - Progress

    /// Whether somebody wants to know the progress.
    package var reportsProgress: Bool { reporter != nil }

    // MARK: - Redirects and secrets

    /// Where a redirect has led to, if that is another origin than the call's.
    package var redirection: Redirection? {
        @inline(never) get { context.state.withLock { $0.redirection } }
        set { context.state.withLock { $0.redirection = newValue } }
    }

    /// Has the values of headers and query items with a name masked in all texts about the call's responses.
    package func conceal(_ name: String) {
        context.state.withLock { _ = $0.secretNames.insert(name) }
    }

    /// The response with what descriptions of it need: the request, and the names of secrets in it.
    func identified(_ response: consuming HTTPResponse, as request: HTTPRequest) -> HTTPResponse {
        let names = context.state.withLock { $0.secretNames }
        if response.request == nil { response.request = request.withoutStreams }
        if !names.isEmpty { response.request?.options.secretNames.formUnion(names) }
        return response
    }
}

// MARK: - What calls share

extension Call {
    final class Context: Sendable {
        struct State: Sendable {
            var attempts = 0
            var deadline: Duration?
            var hasMissedDeadline = false
            var timer: Task<Void, Never>?
            var work: [Int: @Sendable () -> Void] = [:]
            var lastID = 0
            var redirection: Redirection?
            var secretNames: Set<String> = []
        }

        let endpoint: (any APIRequest)?
        let base: BaseURL?
        let clock: any Clock<Duration>
        let time: Stopwatch
        let state = Locked(State())

        init(endpoint: (any APIRequest)?, base: BaseURL?, clock: any Clock<Duration>) {
            self.endpoint = endpoint
            self.base = base
            self.clock = clock
            time = Stopwatch(clock)
        }

        deinit {
            state.withLock { $0.timer }?.cancel()
        }
    }
}

/// Thrown for a request that the app has cancelled by other means than its task, such as a tracker.
package struct Cancellation: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the request was cancelled" }
}
