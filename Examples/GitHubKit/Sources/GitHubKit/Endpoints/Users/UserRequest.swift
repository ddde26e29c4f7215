public import APIKit

/// A user or an organization.
public struct UserRequest: GitHubRequest {
    public typealias Response = Profile
    /// The login.
    public var username: String

    public init(username: String) {
        self.username = username
    }

    public var path: URLPath { "users/\(username)" }
}

/// A user or an organization with all that is public.
public struct Profile: GitHubModel {
    public let id: Int
    public let name: String?
    /// The name in URLs.
    public let login: String
    public let type: AccountType
    public let followers: Int
    /// The number of public repositories.
    public let publicRepos: Int
    public let bio: String?
    public let company: String?
    public let location: String?
    public let createdAt: Date
    public let avatarURL: String?
    /// The page on GitHub.
    public let htmlURL: String
}
