public import APIKit

/// Adds a file to a release.
public struct UploadReleaseAssetRequest: GitHubRequest {
    public typealias Response = Asset
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// `release_id`
    public var releaseID: Int
    /// The name of the file.
    public var name: String
    /// ``
    public var data: Data
    /// `label`
    public var label: String?

    /// Creates a value.
    public init(owner: String, repo: String, releaseID: Int, name: String, data: Data, label: String? = nil) {
        self.owner = owner
        self.repo = repo
        self.releaseID = releaseID
        self.name = name
        self.data = data
        self.label = label
    }

    public var base: APIBase { "https://uploads.github.com" }
    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/releases/\(releaseID)/assets" }
    public var query: Parameters { ["name": name, "label": label] }
    public var body: RequestBody? { .data(data, contentType: "application/octet-stream") }
}
