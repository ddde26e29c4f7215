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
        let matches: @Sendable (HTTPRequest, Call) -> Bool

        /// The rule for requests that no other one matches.
        static func fallback(_ reply: Reply) -> Rule {
            Rule(name: "any request", replies: [reply], repeats: true, isFallback: true) { _, _ in true }
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
        let respond: @Sendable (HTTPRequest, Call) async throws -> HTTPResponse
    }
}
