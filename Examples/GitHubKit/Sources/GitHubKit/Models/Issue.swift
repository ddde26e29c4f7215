public import APIKit

/// An issue.
public struct Issue: GitHubModel {
    /// The ID.
    public let id: Int64
    /// The number in the repository.
    public let number: Int
    /// The title.
    public let title: String
    /// The state.
    public let state: State
    /// The text, in Markdown.
    public let body: String?
    /// The number of comments.
    public let comments: Int
    /// The author.
    public let user: User?
    /// The labels.
    public let labels: [Label]
    /// The state reason.
    public let stateReason: String?
    /// The milestone.
    public let milestone: Milestone?
    /// Only if the issue is a pull request.
    public let pullRequest: PullRequest?
    /// The assignees.
    public let assignees: [User]?
    /// When it was created.
    public let createdAt: Date
    /// When it was closed.
    public let closedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    /// A label.
    public struct Label: Decodable, Sendable {
        /// The name.
        public let name: String
        /// The description.
        public let description: String?
        /// Six hexadecimal digits.
        public let color: String?
    }

    /// A milestone.
    public struct Milestone: Decodable, Sendable {
        /// The number.
        public let number: Int
        /// The title.
        public let title: String
        /// The state.
        public let state: State
        /// The day on which it is due.
        public let dueOn: Date?
    }

    /// The pull.
    public struct PullRequest: Decodable, Sendable {
        /// When it was merged.
        public let mergedAt: Date?
    }
}
