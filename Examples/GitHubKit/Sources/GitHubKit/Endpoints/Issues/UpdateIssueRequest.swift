public import APIKit

/// Changes an issue.
public struct UpdateIssueRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The number.
    public var number: Int
    /// The title.
    public var title: String?
    /// The state.
    public var state: State?
    /// The issue body.
    public var issueBody: Patch<String> = .keep
    /// The milestone.
    public var milestone: Patch<Int> = .keep
    /// The state reason.
    public var stateReason: Patch<StateReason> = .keep
    /// The assignees.
    public var assignees: [String]?
    /// The labels.
    public var labels: [String]?

    /// A state reason.
    public enum StateReason: String, ParameterValue { case completed, notPlanned = "not_planned", reopened }

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        number: Int,
        title: String? = nil,
        state: State? = nil,
        issueBody: Patch<String> = .keep,
        milestone: Patch<Int> = .keep,
        stateReason: Patch<StateReason> = .keep,
        assignees: [String]? = nil,
        labels: [String]? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.number = number
        self.title = title
        self.state = state
        self.issueBody = issueBody
        self.milestone = milestone
        self.stateReason = stateReason
        self.assignees = assignees
        self.labels = labels
    }

    /// The method.
    public var method: HTTPMethod { .patch }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(number)" }
    /// The parameters.
    public var parameters: Parameters {
        [
            "title": title, "state": state, "body": issueBody, "milestone": milestone, "state_reason": stateReason,
            "assignees": assignees, "labels": labels,
        ]
    }
}
