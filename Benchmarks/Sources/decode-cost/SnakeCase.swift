import APIKit

/// A model without coding keys, whose members are in snake case in the JSON.
protocol SnakeCased: Sample {
    /// The names in the JSON, separated by spaces.
    static var names: String { get }
}

extension SnakeCased {
    static var keys: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }

    static var json: String {
        let members = names.split(separator: " ").map { name in "\"\(name)\":\(value(of: name))" }
        return "{\(members.joined(separator: ","))}"
    }

    private static func value(of name: Substring) -> String {
        if name == "id" || name.hasSuffix("_count") { return "1296269" }
        if name.hasPrefix("is_") || name.hasPrefix("has_") || name.hasPrefix("allow_") { return "true" }
        if name.hasSuffix("_at") { return #""2011-01-26T19:06:43Z""# }
        return #""https://api.github.com/\#(name)""#
    }
}

/// Ten members of a repository as GitHub's API returns it.
struct TenInSnakeCase: SnakeCased {
    let id: Int
    let nodeId, name, fullName, htmlUrl, description, createdAt, updatedAt: String
    let stargazersCount: Int
    let isTemplate: Bool

    static let names = """
        id node_id name full_name html_url description created_at updated_at stargazers_count is_template
        """
}

/// Twenty members.
struct TwentyInSnakeCase: SnakeCased {
    let id: Int
    let nodeId, name, fullName, htmlUrl, description, url, archiveUrl, keysUrl, issuesUrl, commentsUrl, defaultBranch,
        createdAt, updatedAt, pushedAt: String
    let stargazersCount, forksCount, openIssuesCount: Int
    let isTemplate, hasIssues: Bool

    static let names = """
        id node_id name full_name html_url description url archive_url keys_url issues_url comments_url default_branch \
        created_at updated_at pushed_at stargazers_count forks_count open_issues_count is_template has_issues
        """
}

/// Forty members.
struct FortyInSnakeCase: SnakeCased {
    let id: Int
    let nodeId, name, fullName, htmlUrl, description, url, archiveUrl, assigneesUrl, blobsUrl, branchesUrl,
        collaboratorsUrl, commentsUrl, commitsUrl, compareUrl, contentsUrl, contributorsUrl, deploymentsUrl,
        downloadsUrl, eventsUrl, forksUrl, gitCommitsUrl, gitRefsUrl, gitTagsUrl, gitUrl, issueCommentUrl,
        issueEventsUrl, issuesUrl, keysUrl, labelsUrl, defaultBranch, createdAt, updatedAt, pushedAt: String
    let stargazersCount, forksCount, openIssuesCount: Int
    let isTemplate, hasIssues, hasPages: Bool

    static let names = """
        id node_id name full_name html_url description url archive_url assignees_url blobs_url branches_url \
        collaborators_url comments_url commits_url compare_url contents_url contributors_url deployments_url \
        downloads_url events_url forks_url git_commits_url git_refs_url git_tags_url git_url issue_comment_url \
        issue_events_url issues_url keys_url labels_url default_branch created_at updated_at pushed_at \
        stargazers_count forks_count open_issues_count is_template has_issues has_pages
        """
}

/// All of the 77 members, with strings in place of objects and lists.
struct RepositoryInSnakeCase: SnakeCased {
    let id: Int
    let nodeId, name, fullName, owner, visibility, htmlUrl, description, url, archiveUrl, assigneesUrl, blobsUrl,
        branchesUrl, collaboratorsUrl, commentsUrl, commitsUrl, compareUrl, contentsUrl, contributorsUrl,
        deploymentsUrl, downloadsUrl, eventsUrl, forksUrl, gitCommitsUrl, gitRefsUrl, gitTagsUrl, gitUrl,
        issueCommentUrl, issueEventsUrl, issuesUrl, keysUrl, labelsUrl, languagesUrl, mergesUrl, milestonesUrl,
        notificationsUrl, pullsUrl, releasesUrl, sshUrl, stargazersUrl, statusesUrl, subscribersUrl, subscriptionUrl,
        tagsUrl, teamsUrl, treesUrl, cloneUrl, mirrorUrl, hooksUrl, svnUrl, homepage, language, license, size, topics,
        defaultBranch, pushedAt, createdAt, updatedAt: String
    let forksCount, stargazersCount, watchersCount, openIssuesCount, networkCount, subscribersCount: Int
    let isTemplate, hasIssues, hasProjects, hasWiki, hasPages, hasDownloads, hasDiscussions, hasSignoff, allowForking,
        allowRebaseMerge, allowSquashMerge, allowMergeCommit: Bool

    static let names = """
        id node_id name full_name owner html_url description url archive_url assignees_url blobs_url branches_url \
        collaborators_url comments_url commits_url compare_url contents_url contributors_url deployments_url \
        downloads_url events_url forks_url git_commits_url git_refs_url git_tags_url git_url issue_comment_url \
        issue_events_url issues_url keys_url labels_url languages_url merges_url milestones_url notifications_url \
        pulls_url releases_url ssh_url stargazers_url statuses_url subscribers_url subscription_url tags_url teams_url \
        trees_url clone_url mirror_url hooks_url svn_url homepage language license forks_count stargazers_count \
        watchers_count size default_branch open_issues_count is_template topics has_issues has_projects has_wiki \
        has_pages has_downloads has_discussions visibility pushed_at created_at updated_at allow_rebase_merge \
        allow_squash_merge allow_merge_commit allow_forking has_signoff subscribers_count network_count
        """
}

/// Eleven of the 77 members, with acronyms in capitals, which `JSONDecoder` does not find.
struct AcronymsOfRepository: SnakeCased {
    let id: Int
    let nodeID, name, fullName, htmlURL, description, createdAt, updatedAt: String?
    let stargazersCount: Int
    let isTemplate, allowForking: Bool

    static let names = RepositoryInSnakeCase.names
}
