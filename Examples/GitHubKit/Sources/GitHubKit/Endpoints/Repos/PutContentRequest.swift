public import APIKit

/// Creates or replaces a file in a commit of its own.
public struct PutContentRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = Saved
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Folders and name, with slashes.
    public var contentPath: String
    /// The file.
    public var content: Data
    /// The message of the commit.
    public var message: String
    /// The branch.
    public var branch: String?
    /// The file that is replaced.
    public var sha: String?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        contentPath: String,
        content: Data,
        message: String,
        branch: String? = nil,
        sha: String? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.contentPath = contentPath
        self.content = content
        self.message = message
        self.branch = branch
        self.sha = sha
    }

    /// The method.
    public var method: HTTPMethod { .put }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/contents/\(segments: contentPath)" }
    /// The parameters.
    public var parameters: Parameters {
        ["content": content.base64EncodedString(), "message": message, "branch": branch, "sha": sha]
    }
}

/// A file as it is after a commit.
public struct Saved: JSONResponse {
    /// The commit.
    public let commit: Commit
    /// The content.
    public let content: Entry

    /// A commit.
    public struct Commit: Decodable, Sendable {
        /// The message.
        public let message: String?
        /// The SHA.
        public let sha: String
    }
}
