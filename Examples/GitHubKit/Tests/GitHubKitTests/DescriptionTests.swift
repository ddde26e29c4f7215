import APIDescription
import APIKit
import Testing

@testable import GitHubKit

/// Every endpoint, edited or not, is as the description says.
struct DescriptionTests {
    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../github.json")

    /// One request for each endpoint, with a value for each parameter.
    static let endpoints: [any APIRequest] = [
        CreateCommentRequest(owner: "o", repo: "r", issueNumber: 1, commentBody: "Thanks!"),
        CreateIssueRequest(
            owner: "o", repo: "r", title: "Crash", assignees: ["a"], issueBody: "At startup.", labels: ["bug"],
            milestone: 2),
        DownloadArchiveRequest(owner: "o", repo: "r", ref: "release/2.0"),
        GetContentRequest(owner: "o", repo: "r", contentPath: "notes/hello.txt", ref: "main"),
        GetIssueRequest(owner: "o", repo: "r", issueNumber: 1),
        GetLatestReleaseRequest(owner: "o", repo: "r"),
        GetRateLimitRequest(),
        GetRepositoryRequest(owner: "o", repo: "r"),
        GetUserRequest(username: "u"),
        ListCommentsRequest(owner: "o", repo: "r", issueNumber: 1, perPage: 10, since: .distantPast),
        ListCommitsRequest(
            owner: "o", repo: "r", commitPath: "notes", perPage: 10, sha: "main", since: .distantPast, until: .now),
        ListIssuesRequest(
            owner: "o", repo: "r", assignee: "*", direction: .asc, labels: ["bug", "docs"], perPage: 10,
            since: .distantPast, sort: .comments, state: .all),
        ListPullRequestsRequest(
            owner: "o", repo: "r", pullRequestBase: "main", direction: .asc, head: "o:fix", perPage: 10, state: .all),
        ListReleasesRequest(owner: "o", repo: "r", perPage: 10),
        ListRepositoriesRequest(username: "u", direction: .desc, perPage: 10, sort: .fullName, type: .owner),
        ListUsersRequest(perPage: 10, since: 46),
        MergePullRequest(
            owner: "o", repo: "r", pullNumber: 1, commitMessage: "m", commitTitle: "t", mergeMethod: .squash, sha: "a1"),
        PutContentRequest(
            owner: "o", repo: "r", contentPath: "notes/hello.txt", content: Data("Hello\n".utf8), message: "Greet",
            branch: "main", sha: "a1"),
        RenderMarkdownRequest(text: "#1", context: "o/r", mode: .gfm),
        SearchRepositoriesRequest(q: "language:swift", order: .desc, perPage: 10, sort: .stars),
        StarRepositoryRequest(owner: "o", repo: "r"),
        UnstarRepositoryRequest(owner: "o", repo: "r"),
        UpdateIssueRequest(
            owner: "o", repo: "r", issueNumber: 1, assignees: [], issueBody: .clear, labels: [], milestone: .clear,
            state: .closed,
            stateReason: .set(.notPlanned), title: "Crash"),
        UploadReleaseAssetRequest(owner: "o", repo: "r", releaseID: 1, name: "a.bin", content: .file(file), label: "A"),
    ]

    @Test(arguments: endpoints.indices)
    func isAsDescribed(index: Int) throws {
        let description = try APIDescription(contentsOf: Self.file)
        #expect(description.problems(with: Self.endpoints[index]) == [])
    }

    @Test func everyOperationHasAnEndpoint() throws {
        let description = try APIDescription(contentsOf: Self.file)
        #expect(description.coverageProblems(of: Self.endpoints) == [])
        #expect(description.invalidExamples == [])
    }
}
