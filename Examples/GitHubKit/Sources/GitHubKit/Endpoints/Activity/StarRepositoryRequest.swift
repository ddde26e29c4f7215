public import APIKit

/// Stars a repository.
public struct StarRepositoryRequest: GitHubRequest {
    public typealias Response = NoContent
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String

    public init(owner: String, repo: String) {
        self.owner = owner
        self.repo = repo
    }

    public var method: HTTPMethod { .put }
    public var path: URLPath { "user/starred/\(owner)/\(repo)" }
}
