public import APIKit

/// A user or an organization.
public struct UserRequest: GitHubRequest {
    /// The response.
    public typealias Response = Profile
    /// The login.
    public var username: String

    /// Creates a value.
    public init(username: String) {
        self.username = username
    }

    /// The path.
    public var path: URLPath { "users/\(username)" }
}

/// A user or an organization with all that is public.
public struct Profile: GitHubModel {
    /// The ID.
    public let id: Int
    /// The name.
    public let name: String?
    /// The name in URLs.
    public let login: String
    /// The type.
    public let type: AccountType
    /// The followers.
    public let followers: Int
    /// The number of public repositories.
    public let publicRepos: Int
    /// The bio.
    public let bio: String?
    /// The company.
    public let company: String?
    /// The location.
    public let location: String?
    /// When it was created.
    public let createdAt: Date
    /// The avatar URL.
    public let avatarURL: String?
    /// The page on GitHub.
    public let htmlURL: String
}
