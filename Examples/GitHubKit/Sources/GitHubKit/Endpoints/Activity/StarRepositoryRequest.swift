public import APIKit

/// Stars a repository.
public struct StarRepositoryRequest: GitHubRequest {
    /// The response.
    public typealias Response = NoContent
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String

    /// Creates a value.
    public init(owner: String, repo: String) {
        self.owner = owner
        self.repo = repo
    }

    /// The method.
    public var method: HTTPMethod { .put }
    /// The path.
    public var path: URLPath { "user/starred/\(owner)/\(repo)" }
}
