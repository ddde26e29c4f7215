import APIKitCore

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
        func takeReply(to request: HTTPRequest, from rules: [Rule]) -> Reply? {
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
