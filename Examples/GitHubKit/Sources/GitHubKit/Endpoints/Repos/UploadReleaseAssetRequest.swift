public import APIKit

/// Adds a file to a release.
public struct UploadReleaseAssetRequest: GitHubRequest {
    public typealias Response = Asset
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var releaseID: Int
    /// The name of the file.
    public var name: String
    public var content: RequestBody
    public var label: String?

    public init(owner: String, repo: String, releaseID: Int, name: String, content: RequestBody, label: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.releaseID = releaseID
        self.name = name
        self.content = content
        self.label = label
    }

    public var base: APIBase { .gitHubUploads }
    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/releases/\(releaseID)/assets" }
    public var headers: HTTPHeaders { [.contentType: "application/octet-stream"] }
    public var query: Parameters { ["name": name, "label": label] }
    public var body: RequestBody? { content }
}
