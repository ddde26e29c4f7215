public import APIKit

/// A repository.
public struct Repository: GitHubModel {
    /// The ID.
    public let id: Int
    /// The name.
    public let name: String
    /// Owner and name, such as `quietotter/maps`.
    public let fullName: String
    /// The description.
    public let description: String?
    /// Whether it was copied from another repository.
    public let fork: Bool
    /// Whether it is private.
    public let isPrivate: Bool
    /// The owner.
    public let owner: User
    /// The default branch.
    public let defaultBranch: String?
    /// The number of forks.
    public let forksCount: Int?
    /// The language.
    public let language: String?
    /// The number of open issues.
    public let openIssuesCount: Int?
    /// The number of stargazers.
    public let stargazersCount: Int?
    /// Whether it is archived.
    public let archived: Bool?
    /// The license.
    public let license: License?
    /// The topics.
    public let topics: [String]?
    /// When it was pushed.
    public let pushedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    /// A license.
    public struct License: Decodable, Sendable {
        /// The key.
        public let key: String
        /// The name.
        public let name: String
        /// The SPDX ID.
        public let spdxID: String?
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, fullName, description, fork, owner, defaultBranch, forksCount, language, openIssuesCount
        case stargazersCount, archived, license, topics, pushedAt, htmlURL
        case isPrivate = "private"
    }
}
