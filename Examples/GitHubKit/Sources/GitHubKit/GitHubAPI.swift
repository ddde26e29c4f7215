public import APIKit

nonisolated extension APIBase {
    /// The base of GitHub's API.
    ///
    /// The API expects a bearer token:
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: .gitHub(token: token), for: .gitHub, .gitHubUploads)
    /// ```
    public static let gitHub = APIBase(
        "https://api.github.com",
        headers: gitHubHeaders,
        parameterStyle: ParameterStyle(lists: .commas)
    )

    /// The host for the files of releases, which expects the same token.
    public static let gitHubUploads = APIBase("https://uploads.github.com", headers: gitHubHeaders)

    private static let gitHubHeaders: HTTPHeaders = [
        .accept: "application/vnd.github+json", .userAgent: "GitHubKit", "X-GitHub-Api-Version": "2022-11-28",
    ]
}

nonisolated extension CredentialSource where Self == Credential {
    /// The bearer token that GitHub's API expects.
    public static func gitHub(token: String) -> Credential { .bearer(token) }
}

/// An endpoint of GitHub's API.
public nonisolated protocol GitHubRequest: APIRequest {
    associatedtype Failure = GitHubError
}

nonisolated extension GitHubRequest {
    public var base: APIBase { .gitHub }
}

/// A model of GitHub's API.
public nonisolated protocol GitHubModel: JSONResponse {}

nonisolated extension GitHubModel {
    public static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
}
