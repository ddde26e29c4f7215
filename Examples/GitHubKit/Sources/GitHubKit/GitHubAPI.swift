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
    /// The failure that the API reports.
    associatedtype Failure = GitHubError
}

nonisolated extension GitHubRequest {
    /// The API.
    public var base: APIBase { .gitHub }
}

/// A model of GitHub's API.
public nonisolated protocol GitHubModel: JSONResponse {}

nonisolated extension GitHubModel {
    /// The decoder.
    public static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
}

/// What the API reports for a rejected request.
public struct GitHubError: GitHubModel, Error {
    /// The status.
    public let status: String?
    /// The message.
    public let message: String
    /// What is wrong with the request.
    public let errors: [Mistake]?
    /// The documentation URL.
    public let documentationURL: String?

    /// What is wrong with a member of a request.
    public struct Mistake: Decodable, Sendable {
        /// Such as `missing_field`.
        public let code: String
        /// The message.
        public let message: String?
        /// The field.
        public let field: String?
        /// The resource.
        public let resource: String?
    }
}
