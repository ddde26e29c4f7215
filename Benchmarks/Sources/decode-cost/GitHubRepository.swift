/// A repository as GitHub's API returns it: 72 members.
struct GitHubRepository: Decodable {
    let id, forksCount, stargazersCount, watchersCount, size, openIssuesCount, forks: Int
    let nodeId, name, fullName, htmlUrl, url, archiveUrl, assigneesUrl, blobsUrl, branchesUrl, collaboratorsUrl,
        commentsUrl, commitsUrl, compareUrl, contentsUrl, contributorsUrl, deploymentsUrl, downloadsUrl,
        eventsUrl, forksUrl, gitCommitsUrl, gitRefsUrl, gitTagsUrl, gitUrl, issueCommentUrl, issueEventsUrl,
        issuesUrl, keysUrl, labelsUrl, languagesUrl, mergesUrl, milestonesUrl, notificationsUrl, pullsUrl,
        releasesUrl, sshUrl, stargazersUrl, statusesUrl, subscribersUrl, subscriptionUrl, tagsUrl, teamsUrl,
        treesUrl, cloneUrl, hooksUrl, svnUrl, defaultBranch, visibility, pushedAt, createdAt, updatedAt: String
    let owner: GitHubUser
    let `private`, fork, hasIssues, hasProjects, hasWiki, hasPages, hasDownloads, archived, disabled: Bool
    let description, mirrorUrl, homepage, language: String?
    let topics: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, nodeId = "node_id", name, fullName = "full_name", owner, `private`, htmlUrl = "html_url",
            description, fork, url, archiveUrl = "archive_url", assigneesUrl = "assignees_url",
            blobsUrl = "blobs_url", branchesUrl = "branches_url", collaboratorsUrl = "collaborators_url",
            commentsUrl = "comments_url", commitsUrl = "commits_url", compareUrl = "compare_url",
            contentsUrl = "contents_url", contributorsUrl = "contributors_url",
            deploymentsUrl = "deployments_url", downloadsUrl = "downloads_url", eventsUrl = "events_url",
            forksUrl = "forks_url", gitCommitsUrl = "git_commits_url", gitRefsUrl = "git_refs_url",
            gitTagsUrl = "git_tags_url", gitUrl = "git_url", issueCommentUrl = "issue_comment_url",
            issueEventsUrl = "issue_events_url", issuesUrl = "issues_url", keysUrl = "keys_url",
            labelsUrl = "labels_url", languagesUrl = "languages_url", mergesUrl = "merges_url",
            milestonesUrl = "milestones_url", notificationsUrl = "notifications_url", pullsUrl = "pulls_url",
            releasesUrl = "releases_url", sshUrl = "ssh_url", stargazersUrl = "stargazers_url",
            statusesUrl = "statuses_url", subscribersUrl = "subscribers_url",
            subscriptionUrl = "subscription_url", tagsUrl = "tags_url", teamsUrl = "teams_url",
            treesUrl = "trees_url", cloneUrl = "clone_url", mirrorUrl = "mirror_url", hooksUrl = "hooks_url",
            svnUrl = "svn_url", homepage, language, forksCount = "forks_count",
            stargazersCount = "stargazers_count", watchersCount = "watchers_count", size,
            defaultBranch = "default_branch", openIssuesCount = "open_issues_count", topics,
            hasIssues = "has_issues", hasProjects = "has_projects", hasWiki = "has_wiki",
            hasPages = "has_pages", hasDownloads = "has_downloads", archived, disabled, visibility,
            pushedAt = "pushed_at", createdAt = "created_at", updatedAt = "updated_at", forks
    }
}

extension GitHubRepository: Sample {
    static let json = object(CodingKeys.self, base: "https://api.github.com/repos/octocat/Hello-World") { key in
        switch key {
        case .id, .size: "1296269"
        case .nodeId: #""MDEwOlJlcG9zaXRvcnkxMjk2MjY5""#
        case .name: #""Hello-World""#
        case .fullName: #""octocat/Hello-World""#
        case .owner: GitHubUser.json
        case .private, .fork, .archived, .disabled: "false"
        case .hasIssues, .hasProjects, .hasWiki, .hasPages, .hasDownloads: "true"
        case .description: #""My first repository on GitHub!""#
        case .homepage, .mirrorUrl: "null"
        case .language: #""Swift""#
        case .forksCount, .stargazersCount, .watchersCount, .openIssuesCount, .forks: "80"
        case .defaultBranch: #""main""#
        case .topics: #"["octocat","atom","electron","api"]"#
        case .visibility: #""public""#
        case .pushedAt, .createdAt, .updatedAt: #""2011-01-26T19:06:43Z""#
        default: nil
        }
    }
}
