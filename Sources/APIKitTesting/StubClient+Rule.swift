import APIKitCore

extension StubClient {
    /// The requests that some answers are for.
    struct Rule: Sendable {
        enum Replies: Sendable {
            case always(Reply)
            /// In order, each once.
            case once([Reply])
        }

        /// The requests as a text.
        let name: String
        /// Whether this answers all remaining requests; it does not count as unused.
        var isFallback = false
        let replies: Replies
        let matches: @Sendable (HTTPRequest) -> Bool
    }

    /// An answer without its type.
    struct Reply: Sendable {
        /// The answer as a text.
        let summary: String
        let respond: @Sendable (HTTPRequest, any Clock<Duration>) async throws -> HTTPResponse
    }
}

extension StubClient.Rule {
    /// The reply to a request that comes after `count` others; nil once all replies are used.
    fileprivate func reply(after count: Int) -> StubClient.Reply? {
        switch replies {
        case .always(let reply): reply
        case .once(let replies): count < replies.count ? replies[count] : nil
        }
    }

    /// What is stubbed, and how much of it is left after `count` requests.
    fileprivate func summary(after count: Int) -> String {
        switch replies {
        case .always: "\(name) (always)"
        case .once(let replies): "\(name) (\(replies.count - count) of \(replies.count) left)"
        }
    }

    fileprivate func unused(after count: Int) -> [String] {
        switch replies {
        case .always(let reply): count > 0 || isFallback ? [] : ["\(name): \(reply.summary)"]
        case .once(let replies): replies.dropFirst(count).map { "\(name), once: \($0.summary)" }
        }
    }
}

extension StubClient {
    /// What a stub has received, and how many answers of each rule it has used.
    final class Record: Sendable {
        private struct State: Sendable {
            var requests: [HTTPRequest] = []
            var counts: [Int]
        }

        private let state: Locked<State>

        init(ruleCount: Int) {
            state = Locked(State(counts: Array(repeating: 0, count: ruleCount)))
        }

        var requests: [HTTPRequest] { state.withLock { $0.requests } }

        /// Records a request and takes the answer to it, in one step, so that no answer is used twice.
        func append(_ request: HTTPRequest, choosingFrom rules: [Rule]) -> Reply? {
            state.withLock { state in
                state.requests.append(request)
                for index in rules.indices.reversed() where rules[index].matches(request) {
                    guard let reply = rules[index].reply(after: state.counts[index]) else { continue }
                    state.counts[index] += 1
                    return reply
                }
                return nil
            }
        }

        /// What is stubbed, in the order in which it is asked.
        func summary(of rules: [Rule]) -> [String] {
            state.withLock { state in zip(rules, state.counts).map { $0.summary(after: $1) }.reversed() }
        }

        /// What nobody has used, in the order in which it was stubbed.
        func unusedAnswers(of rules: [Rule]) -> [String] {
            state.withLock { state in zip(rules, state.counts).flatMap { $0.unused(after: $1) } }
        }
    }
}
