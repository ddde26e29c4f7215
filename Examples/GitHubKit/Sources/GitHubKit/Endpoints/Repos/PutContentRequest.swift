public import APIKit

/// Creates or replaces a file in a commit of its own.
public struct PutContentRequest: GitHubRequest, JSONRequest {
    public typealias Response = Saved
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Folders and name, with slashes.
    public var pathValue: String
    /// The file in Base64.
    public var content: String
    /// The message of the commit.
    public var message: String
    /// `branch`
    public var branch: String?
    /// The file that is replaced.
    public var sha: String?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        pathValue: String,
        content: String,
        message: String,
        branch: String? = nil,
        sha: String? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.pathValue = pathValue
        self.content = content
        self.message = message
        self.branch = branch
        self.sha = sha
    }

    public var method: HTTPMethod { .put }
    public var path: URLPath { "repos/\(owner)/\(repo)/contents/\(segments: pathValue)" }
    public var parameters: Parameters { ["content": content, "message": message, "branch": branch, "sha": sha] }
}

/// Saved.
public struct Saved: JSONResponse {
    /// `commit`
    public let commit: Commit
    /// `content`
    public let content: Entry

    /// Commit.
    public struct Commit: Decodable, Sendable {
        /// `message`
        public let message: String?
        /// `sha`
        public let sha: String
    }
}
