/// 20 members, many of whose names begin alike.
struct Alike: Decodable {
    let createdAt, createdBy, updatedAt, updatedBy, closedAt, closedBy, mergedAt, mergedBy, subscribersUrl,
        stargazersUrl, commentsUrl, descriptionHtml: String
    let openIssues, openIssuesCount, openPulls, openPullsCount, subscribers, stargazers, comments: Int
    let description: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case createdAt = "created_at", createdBy = "created_by", updatedAt = "updated_at",
            updatedBy = "updated_by", closedAt = "closed_at", closedBy = "closed_by", mergedAt = "merged_at",
            mergedBy = "merged_by", openIssues = "open_issues", openIssuesCount = "open_issues_count",
            openPulls = "open_pulls", openPullsCount = "open_pulls_count", subscribers,
            subscribersUrl = "subscribers_url", stargazers, stargazersUrl = "stargazers_url", comments,
            commentsUrl = "comments_url", description, descriptionHtml = "description_html"
    }
}

extension Alike: Sample {
    static let json = object(CodingKeys.self, base: "https://example.com") { key in
        switch key {
        case .createdAt, .updatedAt, .closedAt, .mergedAt: #""2026-11-20T18:30:00Z""#
        case .createdBy, .updatedBy, .closedBy, .mergedBy: #""octocat""#
        case .openIssues, .openIssuesCount, .openPulls, .openPullsCount, .subscribers, .stargazers, .comments: "80"
        case .description: #""What many people look for""#
        default: nil
        }
    }
}
