public import APIKit

public struct Issue: GitHubModel {
    public let id: Int64
    /// The number in the repository.
    public let number: Int
    public let title: String
    public let state: State
    /// The text, in Markdown.
    public let body: String?
    /// The number of comments.
    public let comments: Int
    /// The author.
    public let user: User?
    public let labels: [Label]
    public let stateReason: String?
    public let milestone: Milestone?
    /// Only if the issue is a pull request.
    public let pullRequest: PullRequest?
    public let assignees: [User]?
    public let createdAt: Date
    public let closedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    public struct Label: Decodable, Sendable {
        public let name: String
        public let description: String?
        /// Six hexadecimal digits.
        public let color: String?
    }

    public struct Milestone: Decodable, Sendable {
        public let number: Int
        public let title: String
        public let state: State
        /// The day on which it is due.
        public let dueOn: Date?
    }

    public struct PullRequest: Decodable, Sendable {
        public let mergedAt: Date?
    }
}
