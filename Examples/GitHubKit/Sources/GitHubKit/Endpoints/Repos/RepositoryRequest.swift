public import APIKit

/// A repository.
public struct RepositoryRequest: GitHubRequest {
    public typealias Response = Repository
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String

    public init(owner: String, repo: String) {
        self.owner = owner
        self.repo = repo
    }

    public var path: URLPath { "repos/\(owner)/\(repo)" }
}
