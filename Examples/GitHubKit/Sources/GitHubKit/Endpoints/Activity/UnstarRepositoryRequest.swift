public import APIKit

/// Removes a star.
public struct UnstarRepositoryRequest: GitHubRequest {
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
    public var method: HTTPMethod { .delete }
    /// The path.
    public var path: URLPath { "user/starred/\(owner)/\(repo)" }
}
