public import APIKit

/// All files of a branch, tag or commit as a gzipped tar archive.
public struct DownloadArchiveRequest: GitHubRequest {
    public typealias Response = NoContent
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// Empty for the default branch.
    public var ref: String

    /// Creates a value.
    public init(owner: String, repo: String, ref: String) {
        self.owner = owner
        self.repo = repo
        self.ref = ref
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/tarball/\(segments: ref)" }
}
