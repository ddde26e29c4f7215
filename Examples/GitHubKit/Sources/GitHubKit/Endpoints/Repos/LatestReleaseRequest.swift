public import APIKit

/// The newest release that is neither a draft nor a prerelease.
public struct LatestReleaseRequest: GitHubRequest {
    public typealias Response = Release
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String

    public init(owner: String, repo: String) {
        self.owner = owner
        self.repo = repo
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/releases/latest" }
}
