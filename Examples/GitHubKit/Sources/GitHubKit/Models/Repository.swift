public import APIKit

public struct Repository: GitHubModel {
    public let id: Int
    public let name: String
    /// Owner and name, such as `quietotter/maps`.
    public let fullName: String
    public let description: String?
    /// Whether it was copied from another repository.
    public let fork: Bool
    public let isPrivate: Bool
    public let owner: User
    public let defaultBranch: String?
    public let forksCount: Int?
    public let language: String?
    public let openIssuesCount: Int?
    public let stargazersCount: Int?
    public let archived: Bool?
    public let license: License?
    public let topics: [String]?
    public let pushedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    public struct License: Decodable, Sendable {
        public let key: String
        public let name: String
        public let spdxID: String?
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, fullName, description, fork, owner, defaultBranch, forksCount, language, openIssuesCount
        case stargazersCount, archived, license, topics, pushedAt, htmlURL
        case isPrivate = "private"
    }
}
