import APIKitCore

extension StubClient {
    /// The requests that some answers are for.
    struct Rule: Sendable {
        /// The requests as a text.
        let name: String
        /// The answers: in order, each once, or the only one again and again.
        let replies: [Reply]
        let repeats: Bool
        /// Whether this answers all remaining requests; it does not count as unused.
        var isFallback = false
        let matches: @Sendable (HTTPRequest) -> Bool

        /// The rule for requests that no other one matches.
        static func fallback(_ reply: Reply) -> Rule {
            Rule(name: "any request", replies: [reply], repeats: true, isFallback: true) { _ in true }
        }

        /// The reply to a request that comes after `count` others; nil once all replies are used.
        func reply(after count: Int) -> Reply? {
            if repeats { return replies.first }
            return count < replies.count ? replies[count] : nil
        }

        /// What is stubbed, and how much of it is left after `count` requests.
        func summary(after count: Int) -> String {
            "\(name) (\(repeats ? "always" : "\(replies.count - count) of \(replies.count) left"))"
        }

        func unused(after count: Int) -> [String] {
            isFallback ? [] : replies.dropFirst(count).map { "\(name)\(repeats ? "" : ", once"): \($0.summary)" }
        }
    }

    /// An answer without its type.
    struct Reply: Sendable {
        /// The answer as a text.
        let summary: String
        let respond: @Sendable (HTTPRequest, any Clock<Duration>) async throws -> HTTPResponse
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
        var counts: [Int] { state.withLock { $0.counts } }

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
    }
}
