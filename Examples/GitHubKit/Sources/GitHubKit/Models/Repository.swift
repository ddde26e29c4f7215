public import APIKit

/// Repository.
public struct Repository: JSONResponse {
    /// `id`
    public let id: Int
    /// `archived`
    public let archived: Bool?
    /// `default_branch`
    public let defaultBranch: String?
    /// `description`
    public let description: String?
    /// `fork`
    public let fork: Bool
    /// `forks_count`
    public let forksCount: Int?
    /// Owner and name, such as `quietotter/maps`.
    public let fullName: String
    /// `html_url`
    public let htmlURL: String
    /// `language`
    public let language: String?
    /// `license`
    public let license: License?
    /// `name`
    public let name: String
    /// `open_issues_count`
    public let openIssuesCount: Int?
    /// `owner`
    public let owner: User
    /// `private`
    public let `private`: Bool
    /// `pushed_at`
    public let pushedAt: Date?
    /// `stargazers_count`
    public let stargazersCount: Int?
    /// `topics`
    public let topics: [String]?

    /// License.
    public struct License: Decodable, Sendable {
        /// `key`
        public let key: String
        /// `name`
        public let name: String
        /// `spdx_id`
        public let spdxID: String?

        private enum CodingKeys: String, CodingKey {
            case key, name
            case spdxID = "spdx_id"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, archived, description, fork, language, license, name, owner, `private`, topics
        case defaultBranch = "default_branch"
        case forksCount = "forks_count"
        case fullName = "full_name"
        case htmlURL = "html_url"
        case openIssuesCount = "open_issues_count"
        case pushedAt = "pushed_at"
        case stargazersCount = "stargazers_count"
    }
}
