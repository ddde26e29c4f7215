public import APIKit

nonisolated extension APIBase {
    /// The base of GitHub REST API.
    ///
    /// The API expects a bearer token: see `authorized(by:for:)`.
    public static let gitHub = APIBase("https://api.github.com")
}

/// An endpoint of GitHub REST API.
public nonisolated protocol GitHubRequest: APIRequest {
    /// What the API reports for a rejected request.
    associatedtype Failure = GitHubError
}

nonisolated extension GitHubRequest {
    /// The API's base.
    public var base: APIBase { .gitHub }
}

/// What the API reports for a rejected request.
public struct GitHubError: JSONResponse, Error {
    /// `documentation_url`
    public let documentationURL: String?
    /// What is wrong with the request.
    public let errors: [Mistake]?
    /// `message`
    public let message: String
    /// `status`
    public let status: String?

    /// What is wrong with a member of a request.
    public struct Mistake: Decodable, Sendable {
        /// Such as `missing_field`.
        public let code: String
        /// `field`
        public let field: String?
        /// `message`
        public let message: String?
        /// `resource`
        public let resource: String?
    }

    private enum CodingKeys: String, CodingKey {
        case errors, message, status
        case documentationURL = "documentation_url"
    }
}
