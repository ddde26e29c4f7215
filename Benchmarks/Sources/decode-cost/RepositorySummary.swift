/// 20 of the 72 members of a repository as GitHub's API returns it, in the order of a program that needs these.
struct RepositorySummary: Decodable {
    let id: Int
    let name, fullName: String
    let owner: Owner
    let description, homepage, language: String?
    let htmlUrl, cloneUrl, defaultBranch, visibility: String
    let stargazersCount, forksCount, openIssuesCount: Int
    let topics: [String]
    let fork, archived: Bool
    let createdAt, updatedAt, pushedAt: String

    struct Owner: Decodable {
        let id: Int
        let login: String
    }

    enum CodingKeys: String, CodingKey {
        case id, name, fullName = "full_name", owner, description, homepage, language, htmlUrl = "html_url",
            cloneUrl = "clone_url", defaultBranch = "default_branch", visibility,
            stargazersCount = "stargazers_count", forksCount = "forks_count", openIssuesCount = "open_issues_count",
            topics, fork, archived, createdAt = "created_at", updatedAt = "updated_at", pushedAt = "pushed_at"
    }
}

extension RepositorySummary: Sample {
    static let json = GitHubRepository.json
}
