public import APIKit

/// Changes an issue.
public struct UpdateIssueRequest: GitHubRequest, JSONRequest {
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var number: Int
    public var title: String?
    public var state: State?
    public var issueBody: Patch<String> = .keep
    public var milestone: Patch<Int> = .keep
    public var stateReason: Patch<StateReason> = .keep
    public var assignees: [String]?
    public var labels: [String]?

    public enum StateReason: String, ParameterValue { case completed, notPlanned = "not_planned", reopened }

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

    public var method: HTTPMethod { .patch }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(number)" }
    public var parameters: Parameters {
        [
            "title": title, "state": state, "body": issueBody, "milestone": milestone, "state_reason": stateReason,
            "assignees": assignees, "labels": labels,
        ]
    }
}
