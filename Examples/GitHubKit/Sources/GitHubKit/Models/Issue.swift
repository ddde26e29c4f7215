public import APIKit

/// Issue.
public struct Issue: JSONResponse {
    /// `id`
    public let id: Int64
    /// `assignees`
    public let assignees: [User]?
    /// The text, in Markdown.
    public let body: String?
    /// `closed_at`
    public let closedAt: Date?
    /// The number of comments.
    public let comments: Int
    /// `created_at`
    public let createdAt: Date
    /// `html_url`
    public let htmlURL: String
    /// `labels`
    public let labels: [Label]
    /// `milestone`
    public let milestone: Milestone?
    /// The number in the repository.
    public let number: Int
    /// Only if the issue is a pull request.
    public let pullRequest: PullRequest?
    /// `state`
    public let state: State
    /// `state_reason`
    public let stateReason: String?
    /// `title`
    public let title: String
    /// The author.
    public let user: User?

    /// Label.
    public struct Label: Decodable, Sendable {
        /// Six hexadecimal digits.
        public let color: String?
        /// `description`
        public let description: String?
        /// `name`
        public let name: String
    }

    /// Milestone.
    public struct Milestone: Decodable, Sendable {
        /// `due_on`
        public let dueOn: Date?
        /// `number`
        public let number: Int
        /// `state`
        public let state: State
        /// `title`
        public let title: String

        private enum CodingKeys: String, CodingKey {
            case number, state, title
            case dueOn = "due_on"
        }
    }

    /// Only if the issue is a pull request.
    public struct PullRequest: Decodable, Sendable {
        /// `merged_at`
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
