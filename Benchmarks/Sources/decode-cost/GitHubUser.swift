/// A user as GitHub's API returns it: 18 members.
struct GitHubUser: Decodable {
    let login, nodeId, avatarUrl, gravatarId, url, htmlUrl, followersUrl, followingUrl, gistsUrl, starredUrl,
        subscriptionsUrl, organizationsUrl, reposUrl, eventsUrl, receivedEventsUrl, type: String
    let id: Int
    let siteAdmin: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case login, id, nodeId = "node_id", avatarUrl = "avatar_url", gravatarId = "gravatar_id", url,
            htmlUrl = "html_url", followersUrl = "followers_url", followingUrl = "following_url",
            gistsUrl = "gists_url", starredUrl = "starred_url", subscriptionsUrl = "subscriptions_url",
            organizationsUrl = "organizations_url", reposUrl = "repos_url", eventsUrl = "events_url",
            receivedEventsUrl = "received_events_url", type, siteAdmin = "site_admin"
    }
}

extension GitHubUser: Sample {
    static let json = object(CodingKeys.self, base: "https://api.github.com/users/octocat") { key in
        switch key {
        case .login: #""octocat""#
        case .id: "583231"
        case .nodeId: #""MDQ6VXNlcjU4MzIzMQ==""#
        case .gravatarId: #""""#
        case .type: #""User""#
        case .siteAdmin: "false"
        default: nil
        }
    }
}
