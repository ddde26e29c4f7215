public import APIKit

public struct DownloadArchiveRequest: GitHubRequest {
    public typealias Response = DownloadedFile
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// A branch, tag or commit, or `HEAD`.
    public var ref: String

    public init(owner: String, repo: String, ref: String) {
        self.owner = owner
        self.repo = repo
        self.ref = ref
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/tarball/\(segments: ref)" }
}
