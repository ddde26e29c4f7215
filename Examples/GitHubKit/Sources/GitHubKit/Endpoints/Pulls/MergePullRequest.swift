public import APIKit

/// Merges a pull request.
public struct MergePullRequest: GitHubRequest, JSONRequest {
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// `pull_number`
    public var pullNumber: Int
    /// `commit_message`
    public var commitMessage: String?
    /// `commit_title`
    public var commitTitle: String?
    /// `merge_method`
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

    public var method: HTTPMethod { .put }
    public var path: URLPath { "repos/\(owner)/\(repo)/pulls/\(pullNumber)/merge" }
    public var parameters: Parameters {
        ["commit_message": commitMessage, "commit_title": commitTitle, "merge_method": mergeMethod, "sha": sha]
    }

    /// MergeMethod.
    public enum MergeMethod: String, ParameterValue {
        /// `merge`
        case merge
        /// `rebase`
        case rebase
        /// `squash`
        case squash
    }

    /// Response.
    public struct Response: JSONResponse {
        /// `merged`
        public let merged: Bool
        /// `message`
        public let message: String
        /// `sha`
        public let sha: String
    }
}
