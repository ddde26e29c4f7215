public import APIKit

/// Downloads an archive.
public struct DownloadArchiveRequest: GitHubRequest {
    /// The response.
    public typealias Response = DownloadedFile
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// A branch, tag or commit, or `HEAD`.
    public var ref: String

    /// Creates a value.
    public init(owner: String, repo: String, ref: String) {
        self.owner = owner
        self.repo = repo
        self.ref = ref
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/tarball/\(segments: ref)" }
}
