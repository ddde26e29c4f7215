public import APIKit

/// Merges a pull request.
public struct MergePullRequest: GitHubRequest, JSONRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The pull number.
    public var pullNumber: Int
    /// The commit message.
    public var commitMessage: String?
    /// The commit title.
    public var commitTitle: String?
    /// The merge method.
    public var mergeMethod: MergeMethod?
    /// The commit that the pull request must still end with.
    public var sha: String?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        pullNumber: Int,
        commitMessage: String? = nil,
        commitTitle: String? = nil,
        mergeMethod: MergeMethod? = nil,
        sha: String? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.pullNumber = pullNumber
        self.commitMessage = commitMessage
        self.commitTitle = commitTitle
        self.mergeMethod = mergeMethod
        self.sha = sha
    }

    /// The method.
    public var method: HTTPMethod { .put }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls/\(pullNumber)/merge" }

    /// The parameters.
    public var parameters: Parameters {
        ["commit_message": commitMessage, "commit_title": commitTitle, "merge_method": mergeMethod, "sha": sha]
    }

    /// A merge method.
    public enum MergeMethod: String, ParameterValue { case merge, rebase, squash }

    /// The response.
    public struct Response: JSONResponse {
        /// Whether it is merged.
        public let merged: Bool
        /// The message.
        public let message: String
        /// The SHA.
        public let sha: String
    }
}
