public import APIKit

/// Merges a pull request.
public struct MergePullRequest: GitHubRequest, JSONRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The pull number.
    public var pullNumber: Int
    /// The SHA.
    public var sha: String?
    /// The commit message.
    public var commitMessage: String?
    /// The commit title.
    public var commitTitle: String?
    /// The merge method.
    public var mergeMethod: MergeMethod?

    /// A merge method.
    public enum MergeMethod: String, ParameterValue { case merge, squash, rebase }

    /// Creates a value.
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

    /// The method.
    public var method: HTTPMethod { .put }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls/\(pullNumber)/merge" }
    /// The parameters.
    public var parameters: Parameters {
        ["sha": sha, "commit_message": commitMessage, "commit_title": commitTitle, "merge_method": mergeMethod]
    }

    /// The response.
    public struct Response: GitHubModel {
        /// The SHA.
        public let sha: String
        /// The message.
        public let message: String
        /// Whether it is merged.
        public let merged: Bool
    }
}
