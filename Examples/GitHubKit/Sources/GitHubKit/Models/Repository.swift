public import APIKit

/// A repository.
public struct Repository: JSONResponse {
    /// The ID.
    public let id: Int
    /// Whether it is archived.
    public let archived: Bool?
    /// The default branch.
    public let defaultBranch: String?
    /// The description.
    public let description: String?
    /// Whether it was copied from another repository.
    public let fork: Bool
    /// The number of forks.
    public let forksCount: Int?
    /// Owner and name, such as `quietotter/maps`.
    public let fullName: String
    /// The page on GitHub.
    public let htmlURL: String
    /// The language.
    public let language: String?
    /// The license.
    public let license: License?
    /// The name.
    public let name: String
    /// The number of open issues.
    public let openIssuesCount: Int?
    /// The owner.
    public let owner: User
    /// Whether it is private.
    public let isPrivate: Bool
    /// When it was pushed.
    public let pushedAt: Date?
    /// The number of stargazers.
    public let stargazersCount: Int?
    /// The topics.
    public let topics: [String]?

    /// A license.
    public struct License: Decodable, Sendable {
        /// The key.
        public let key: String
        /// The name.
        public let name: String
        /// The SPDX ID.
        public let spdxID: String?

        private enum CodingKeys: String, CodingKey {
            case key, name
            case spdxID = "spdx_id"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, archived, description, fork, language, license, name, owner, topics
        case defaultBranch = "default_branch"
        case forksCount = "forks_count"
        case fullName = "full_name"
        case htmlURL = "html_url"
        case openIssuesCount = "open_issues_count"
        case isPrivate = "private"
        case pushedAt = "pushed_at"
        case stargazersCount = "stargazers_count"
    }
}
