public import APIKit

/// A repository.
public struct RepositoryRequest: GitHubRequest {
    /// The response.
    public typealias Response = Repository
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String

    /// Creates a value.
    public init(owner: String, repo: String) {
        self.owner = owner
        self.repo = repo
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)" }
}
