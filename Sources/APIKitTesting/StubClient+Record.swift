import APIKitCore

extension StubClient {
    /// What a stub has received, and how many answers of each rule it has used.
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

        /// Records a request and takes the answer to it, in one step, so that no answer is used twice.
        func takeReply(to request: HTTPRequest, in call: Call, from rules: [Rule]) -> Reply? {
            state.withLock { state in
                state.requests.append(request)
                if let endpoint = call.endpoint { state.endpoints.append(endpoint) }
                for index in rules.indices.reversed() where rules[index].matches(request, call) {
                    guard let reply = rules[index].reply(after: state.counts[index]) else { continue }
                    state.counts[index] += 1
                    return reply
                }
                return nil
            }
        }
    }
}
