public import APIKit

/// Changes an issue.
public struct UpdateIssueRequest: GitHubRequest, JSONRequest {
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// `issue_number`
    public var issueNumber: Int
    /// `assignees`
    public var assignees: [String]?
    /// `body`
    public var bodyValue: Patch<String> = .keep
    /// `labels`
    public var labels: [String]?
    /// `milestone`
    public var milestone: Patch<Int> = .keep
    /// `state`
    public var state: State?
    /// `state_reason`
    public var stateReason: Patch<StateReason> = .keep
    /// `title`
    public var title: String?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        issueNumber: Int,
        assignees: [String]? = nil,
        bodyValue: Patch<String> = .keep,
        labels: [String]? = nil,
        milestone: Patch<Int> = .keep,
        state: State? = nil,
        stateReason: Patch<StateReason> = .keep,
        title: String? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
        self.assignees = assignees
        self.bodyValue = bodyValue
        self.labels = labels
        self.milestone = milestone
        self.state = state
        self.stateReason = stateReason
        self.title = title
    }

    public var method: HTTPMethod { .patch }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)" }
    public var parameters: Parameters {
        [
            "assignees": assignees,
            "body": bodyValue,
            "labels": labels,
            "milestone": milestone,
            "state": state,
            "state_reason": stateReason,
            "title": title,
        ]
    }

    /// StateReason.
    public enum StateReason: String, ParameterValue {
        /// `completed`
        case completed
        /// `not_planned`
        case notPlanned = "not_planned"
        /// `reopened`
        case reopened
    }
}
