public import APIKitCore
import APIKitSupport

/// A client that answers without a network, and records the requests that it receives.
///
/// ```swift
/// let stub = StubClient()
///     .answering(UsersRequest.self, with: .model([User(id: 1, login: "mojombo")]))
///     .answering(
///         .get, "/v2/boards/*/issues", with: .json("[]", headers: ["X-Total": "7"])
///     )
///     .answering(
///         SearchRequest.self, once: .status(503), .json(#"[{"id": 7, "name": "Lamp"}]"#)
///     )
/// let users = try await stub.send(UsersRequest())
/// #expect(stub.requests(of: UsersRequest.self).count == 1)
/// ```
///
/// It behaves as an engine does. A request that cannot be sent fails with its ``RequestError``. A response
/// is delivered as data, as a stream or in a temporary file, as the request wants it, within
/// ``RequestOptions/sizeLimit`` and ``RequestOptions/timeout``, and with progress. Only the
/// `Content-Length` of an answer is not compared with its body.
///
/// Answers that are added later are asked first. A request that nothing answers fails with a
/// ``TransportError`` with the code `unsupported`, which lists what is stubbed.
///
/// A canned response is mapped by the endpoint; a typed answer needs no mapping. Clients around the stub see a typed
/// answer as a response whose body has no bytes, as described at ``ResponseBody``.
public struct StubClient: APIClient {
    /// The rules in the order in which they were added. The last one that matches a request answers it.
    private let rules: [Rule]
    /// The clock of delays, deadlines and the clients around the stub.
    public let clock: any Clock<Duration>
    private let record: Record

    private init(_ rules: [Rule], clock: any Clock<Duration>) {
        self.rules = rules
        self.clock = clock
        record = Record(ruleCount: rules.count)
    }

    /// Creates a stub without answers.
    ///
    /// - Parameter clock: The clock that times the delays of answers; a ``ManualClock`` in most tests.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        self.init([], clock: clock)
    }

    /// Creates a stub that gives every request the same answer: `StubClient(.json("[]"))`.
    ///
    /// - Parameters:
    ///   - response: The answer to all requests that no other answer matches.
    ///   - clock: The clock that times the delays of other answers.
    public init(_ response: HTTPResponse, clock: any Clock<Duration> = ContinuousClock()) {
        self.init([.fallback(UntypedAnswer(.response(response)))], clock: clock)
    }

    /// Creates a stub that answers every request with a closure. The client throws what the closure throws, and returns
    /// what it returns: delivery, limits and progress are up to the closure.
    public init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) {
        let answer = UntypedAnswer(
            .closure { request, call in
                call.countAttempt()
                return try await answer(request).answering(request)
            })
        self.init([.fallback(answer)], clock: ContinuousClock())
    }

    /// Returns a stub with one more rule, and an empty record.
    func adding(_ rule: Rule) -> StubClient {
        StubClient(rules + [rule], clock: clock)
    }

    /// Answers a request and records it as an engine would send it: after a redirect to another origin, without
    /// credentials.
    ///
    /// - Throws: ``RequestError`` if the request cannot be sent, which is then not recorded; what the
    ///   answer fails with; ``TransportError`` with the code `unsupported` if there is no answer;
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let outgoing = try request.prepared(in: call)
        var remembered = outgoing
        // The request is recorded with its original body: preparing it adds the sizes of files, and it would no longer
        // equal the request that the endpoint creates.
        if let body = request.body { remembered.body = body.withoutStreams }
        guard let taken = record.takeAnswer(to: remembered, in: call, from: rules) else {
            throw unexpected(outgoing, in: call)
        }
        do {
            return try await taken.answer.response(to: outgoing, in: call)
        } catch {
            return try taken.rule.recover(error, outgoing)
        }
    }

    /// Returns the error for a request that no rule answers, which lists what is stubbed.
    private func unexpected(_ request: HTTPRequest, in call: Call) -> TransportError {
        var received = "a request without an endpoint"
        if let endpoint = call.endpoint {
            let name = type(of: endpoint).shownName
            // A rule for the endpoint does not answer the requests of its parts, such as the chunks of an upload.
            let isPart = endpoint is any EndpointPart
            received = isPart ? "this request of \(name), which only a rule by method and path answers" : name
        }
        var others = "it has no answers"
        if !rules.isEmpty {
            // The rules are listed in the order in which they are tried.
            let summaries = zip(rules, record.counts).map { rule, count in rule.summary(after: count) }.reversed()
            others = "it has answers for:" + summaries.map { "\n- \($0)" }.joined()
        }
        return TransportError(.unsupported, "the stub has no answer for \(received); \(others)", request: request)
    }

    /// The requests that this stub received, in order. The streams of their bodies cannot be read.
    public var requests: [HTTPRequest] { record.requests }

    /// The endpoints of one type that this stub received, in order.
    public func requests<R: APIRequest>(of type: R.Type) -> [R] {
        record.endpoints.compactMap { $0 as? R }
    }

    /// The answers that no request has used, one line each: the remaining answers of each `once:`, and each `with:`
    /// answer that was never used.
    ///
    /// ```swift
    /// #expect(stub.unusedAnswers.isEmpty)
    /// ```
    public var unusedAnswers: [String] {
        zip(rules, record.counts).flatMap { $0.unused(after: $1) }
    }
}

extension StubClient {
    /// Answers, and the requests that they are for. It is a class because copying its closures would take longer.
    final class Rule: Sendable {
        /// A description of the requests, for error messages.
        private let name: String
        /// The answers, each of which is used once, in order; only one if it is used repeatedly.
        private let answers: [UntypedAnswer]
        /// Whether the only answer is used any number of times.
        private let repeats: Bool
        /// Whether this rule answers all requests that no other rule matches. It never counts as unused.
        private let isFallback: Bool
        let matches: @Sendable (HTTPRequest, Call) -> Bool
        /// Returns the response that leads to an error of an answer, or throws the error that an engine would throw.
        let recover: @Sendable (any Error, HTTPRequest) throws -> HTTPResponse

        /// Creates a rule.
        ///
        /// - Parameters:
        ///   - name: A description of the requests.
        ///   - answers: The answers, the first one first.
        ///   - repeats: Whether the only answer is used any number of times.
        ///   - isFallback: Whether the rule is for all requests that no other rule matches.
        ///   - matches: Whether the rule is for a request.
        ///   - recover: Returns the response that leads to an error of an answer, or throws the error that an engine
        ///     would throw.
        init(
            name: String, answers: [UntypedAnswer], repeats: Bool, isFallback: Bool = false,
            matches: @escaping @Sendable (HTTPRequest, Call) -> Bool,
            recover: @escaping @Sendable (any Error, HTTPRequest) throws -> HTTPResponse = { error, _ in throw error }
        ) {
            self.name = name
            self.answers = answers
            self.repeats = repeats
            self.isFallback = isFallback
            self.matches = matches
            self.recover = recover
        }

        /// Returns the rule for requests that no other one matches.
        static func fallback(_ answer: UntypedAnswer) -> Rule {
            Rule(name: "any request", answers: [answer], repeats: true, isFallback: true, matches: { _, _ in true })
        }

        /// Returns the answer to a request that comes after `count` others; nil once all are used.
        func answer(after count: Int) -> UntypedAnswer? {
            if repeats { return answers.first }
            return count < answers.count ? answers[count] : nil
        }

        /// Returns the stubbed request, and the answers left after `count` requests.
        func summary(after count: Int) -> String {
            if repeats { return "\(name) (always)" }
            return "\(name) (\(answers.count - count) of \(answers.count) left)"
        }

        /// Returns the answers that `count` requests have not used.
        func unused(after count: Int) -> [String] {
            if isFallback { return [] }
            let request = repeats ? name : "\(name), once"
            return answers.dropFirst(count).map { "\(request): \($0.summary)" }
        }
    }
}

extension StubClient {
    /// The requests that a stub has received, and the number of answers used of each rule.
    final class Record: Sendable {
        private struct State: Sendable {
            var requests: [HTTPRequest] = []
            var endpoints: [any APIRequest] = []
            var counts: [Int]
        }

        private let state: Locked<State>

        init(ruleCount: Int) {
            state = Locked(State(counts: Array(repeating: 0, count: ruleCount)))
        }

        var requests: [HTTPRequest] { state.withLock { $0.requests } }
        var endpoints: [any APIRequest] { state.withLock { $0.endpoints } }
        var counts: [Int] { state.withLock { $0.counts } }

        /// An answer that was taken, and the rule that it is from.
        struct Taken {
            let rule: Rule
            let answer: UntypedAnswer
        }

        /// Records a request and takes the answer to it, in one step, so that no answer is used twice.
        func takeAnswer(to request: HTTPRequest, in call: Call, from rules: [Rule]) -> Taken? {
            state.withLock { state in
                state.requests.append(request)
                if let endpoint = call.endpoint { state.endpoints.append(endpoint) }
                for index in rules.indices.reversed() {
                    let rule = rules[index]
                    guard rule.matches(request, call), let answer = rule.answer(after: state.counts[index]) else {
                        continue
                    }
                    state.counts[index] += 1
                    return Taken(rule: rule, answer: answer)
                }
                return nil
            }
        }
    }
}
