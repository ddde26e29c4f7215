public import APIKit

/// A user or an organization.
public struct GetUserRequest: GitHubRequest {
    public typealias Response = Profile
    /// The login.
    public var username: String

    /// Creates a value.
    public init(username: String) {
        self.username = username
    }

    public var path: URLPath { "users/\(username)" }
}

/// A user or an organization with all that is public.
public struct Profile: JSONResponse {
    /// `id`
    public let id: Int
    /// `avatar_url`
    public let avatarURL: String?
    /// `bio`
    public let bio: String?
    /// `company`
    public let company: String?
    /// `created_at`
    public let createdAt: Date
    /// `followers`
    public let followers: Int
    /// `html_url`
    public let htmlURL: String
    /// `location`
    public let location: String?
    /// The name in URLs.
    public let login: String
    /// `name`
    public let name: String?
    /// `public_repos`
    public let publicRepos: Int
    /// `type`
    public let type: AccountType

    private enum CodingKeys: String, CodingKey {
        case id, bio, company, followers, location, login, name, type
        case avatarURL = "avatar_url"
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case publicRepos = "public_repos"
    }
}
