public import APIKit

/// Creates or replaces a file in a commit of its own.
public struct PutContentRequest: GitHubRequest, JSONRequest {
    public typealias Response = Saved
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Folders and name, with slashes.
    public var contentPath: String
    /// The message of the commit.
    public var message: String
    /// The file.
    public var content: Data
    /// The file that is replaced.
    public var sha: String?
    public var branch: String?

    public init(
        owner: String,
        repo: String,
        contentPath: String,
        message: String,
        content: Data,
        sha: String? = nil,
        branch: String? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.contentPath = contentPath
        self.message = message
        self.content = content
        self.sha = sha
        self.branch = branch
    }

    public var method: HTTPMethod { .put }
    public var path: URLPath { "repos/\(owner)/\(repo)/contents/\(segments: contentPath)" }
    public var parameters: Parameters {
        ["message": message, "content": content.base64EncodedString(), "sha": sha, "branch": branch]
    }
}

/// A file as it is after a commit.
public struct Saved: GitHubModel {
    public let content: Entry
    public let commit: Commit

    public struct Commit: Decodable, Sendable {
        public let sha: String
        public let message: String?
    }
}
