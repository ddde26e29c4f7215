public import APIKit

/// Adds a file to a release.
public struct UploadReleaseAssetRequest: GitHubRequest {
    /// The response.
    public typealias Response = Asset
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The release ID.
    public var releaseID: Int
    /// The name of the file.
    public var name: String
    /// The content.
    public var content: RequestBody
    /// The label.
    public var label: String?

    /// Creates a value.
    public init(owner: String, repo: String, releaseID: Int, name: String, content: RequestBody, label: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.releaseID = releaseID
        self.name = name
        self.content = content
        self.label = label
    }

    /// The API.
    public var base: APIBase { .gitHubUploads }
    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/releases/\(releaseID)/assets" }
    /// The headers.
    public var headers: HTTPHeaders { [.contentType: "application/octet-stream"] }
    /// The query.
    public var query: Parameters { ["name": name, "label": label] }
    /// The body.
    public var body: RequestBody? { content }
}
