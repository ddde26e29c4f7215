public import APIKit

/// Merges a pull request.
public struct MergePullRequest: GitHubRequest, JSONRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var pullNumber: Int
    public var sha: String?
    public var commitMessage: String?
    public var commitTitle: String?
    public var mergeMethod: MergeMethod?

    public enum MergeMethod: String, ParameterValue { case merge, squash, rebase }

    public init(
        owner: String,
        repo: String,
        pullNumber: Int,
        sha: String? = nil,
        commitMessage: String? = nil,
        commitTitle: String? = nil,
        mergeMethod: MergeMethod? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.pullNumber = pullNumber
        self.sha = sha
        self.commitMessage = commitMessage
        self.commitTitle = commitTitle
        self.mergeMethod = mergeMethod
    }

    public var method: HTTPMethod { .put }
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls/\(pullNumber)/merge" }
    public var parameters: Parameters {
        ["sha": sha, "commit_message": commitMessage, "commit_title": commitTitle, "merge_method": mergeMethod]
    }

    public struct Response: GitHubModel {
        public let sha: String
        public let message: String
        public let merged: Bool
    }
}
