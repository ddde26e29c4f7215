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
    /// The data.
    public var file: URL
    /// The label.
    public var label: String?

    /// Creates a value.
    public init(owner: String, repo: String, releaseID: Int, name: String, file: URL, label: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.releaseID = releaseID
        self.name = name
        self.file = file
        self.label = label
    }

    /// The API.
    public var base: APIBase { .gitHubUploads }
    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/releases/\(releaseID)/assets" }
    /// The query.
    public var query: Parameters { ["name": name, "label": label] }
    /// The body.
    public var body: RequestBody? { .file(file, contentType: "application/octet-stream") }
}
