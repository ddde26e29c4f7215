public import APIKit

/// Changes an issue.
public struct UpdateIssueRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The issue number.
    public var issueNumber: Int
    /// The assignees.
    public var assignees: [String]?
    /// The issue body.
    public var issueBody: Patch<String> = .keep
    /// The labels.
    public var labels: [String]?
    /// The milestone.
    public var milestone: Patch<Int> = .keep
    /// The state.
    public var state: State?
    /// The state reason.
    public var stateReason: Patch<StateReason> = .keep
    /// The title.
    public var title: String?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        issueNumber: Int,
        assignees: [String]? = nil,
        issueBody: Patch<String> = .keep,
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
        self.issueBody = issueBody
        self.labels = labels
        self.milestone = milestone
        self.state = state
        self.stateReason = stateReason
        self.title = title
    }

    /// The method.
    public var method: HTTPMethod { .patch }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)" }

    /// The parameters.
    public var parameters: Parameters {
        [
            "assignees": assignees,
            "body": issueBody,
            "labels": labels,
            "milestone": milestone,
            "state": state,
            "state_reason": stateReason,
            "title": title,
        ]
    }

    /// A state reason.
    public enum StateReason: String, ParameterValue { case completed, notPlanned = "not_planned", reopened }
}
