public import APIKit

/// An issue.
public struct Issue: JSONResponse {
    /// The ID.
    public let id: Int64
    /// The assignees.
    public let assignees: [User]?
    /// The text, in Markdown.
    public let body: String?
    /// When it was closed.
    public let closedAt: Date?
    /// The number of comments.
    public let comments: Int
    /// When it was created.
    public let createdAt: Date
    /// The page on GitHub.
    public let htmlURL: String
    /// The labels.
    public let labels: [Label]
    /// The milestone.
    public let milestone: Milestone?
    /// The number in the repository.
    public let number: Int
    /// Only if the issue is a pull request.
    public let pullRequest: PullRequest?
    /// The state.
    public let state: State
    /// The state reason.
    public let stateReason: String?
    /// The title.
    public let title: String
    /// The author.
    public let user: User?

    /// A label.
    public struct Label: Decodable, Sendable {
        /// Six hexadecimal digits.
        public let color: String?
        /// The description.
        public let description: String?
        /// The name.
        public let name: String
    }

    /// A milestone.
    public struct Milestone: Decodable, Sendable {
        /// The day on which it is due.
        public let dueOn: Date?
        /// The number.
        public let number: Int
        /// The state.
        public let state: State
        /// The title.
        public let title: String

        private enum CodingKeys: String, CodingKey {
            case number, state, title
            case dueOn = "due_on"
        }
    }

    /// Pulls.
    public struct PullRequest: Decodable, Sendable {
        /// When it was merged.
        public let mergedAt: Date?

        private enum CodingKeys: String, CodingKey {
            case mergedAt = "merged_at"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, assignees, body, comments, labels, milestone, number, state, title, user
        case closedAt = "closed_at"
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case pullRequest = "pull_request"
        case stateReason = "state_reason"
    }
}
