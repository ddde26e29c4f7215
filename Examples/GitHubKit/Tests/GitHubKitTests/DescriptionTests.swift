import APIDescription
import APIKit
import Testing

@testable import GitHubKit

/// Every endpoint, edited or not, is as the description says.
struct DescriptionTests {
    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../github.json")

    /// One request for each endpoint, with a value for each parameter.
    static let endpoints: [any APIRequest] = [
        CommentsRequest(owner: "o", repo: "r", issueNumber: 1, since: .distantPast, perPage: 10),
        CommitsRequest(
            owner: "o", repo: "r", sha: "main", commitPath: "notes", since: .distantPast, until: .now, perPage: 10),
        ContentRequest(owner: "o", repo: "r", contentPath: "notes/hello.txt", ref: "main"),
        CreateCommentRequest(owner: "o", repo: "r", issueNumber: 1, commentBody: "Thanks!"),
        CreateIssueRequest(
            owner: "o", repo: "r", title: "Crash", issueBody: "At startup.", milestone: 2, assignees: ["a"],
            labels: ["bug"]),
        DownloadArchiveRequest(owner: "o", repo: "r", ref: "release/2.0"),
        IssueRequest(owner: "o", repo: "r", number: 1),
        IssuesRequest(
            owner: "o", repo: "r", state: .all, assignee: "*", labels: ["bug", "docs"], since: .distantPast,
            sort: .comments, direction: .asc, perPage: 10),
        LatestReleaseRequest(owner: "o", repo: "r"),
        MergePullRequest(
            owner: "o", repo: "r", pullNumber: 1, sha: "a1", commitMessage: "m", commitTitle: "t",
            mergeMethod: .squash),
        PullRequestsRequest(
            owner: "o", repo: "r", state: .all, pullRequestBase: "main", head: "o:fix", direction: .asc, perPage: 10),
        PutContentRequest(
            owner: "o", repo: "r", contentPath: "notes/hello.txt", message: "Greet", content: Data("Hello\n".utf8),
            sha: "a1", branch: "main"),
        RateLimitRequest(),
        ReleasesRequest(owner: "o", repo: "r", perPage: 10),
        RenderMarkdownRequest(text: "#1", context: "o/r", mode: .gfm),
        RepositoriesRequest(username: "u", type: .owner, sort: .fullName, direction: .desc, perPage: 10),
        RepositoryRequest(owner: "o", repo: "r"),
        SearchRepositoriesRequest(q: "language:swift", sort: .stars, order: .desc, perPage: 10),
        StarRepositoryRequest(owner: "o", repo: "r"),
        UnstarRepositoryRequest(owner: "o", repo: "r"),
        UpdateIssueRequest(
            owner: "o", repo: "r", number: 1, title: "Crash", state: .closed, issueBody: .clear,
            milestone: .clear, stateReason: .set(.notPlanned), assignees: [], labels: []),
        UploadReleaseAssetRequest(owner: "o", repo: "r", releaseID: 1, name: "a.bin", content: .file(file), label: "A"),
        UserRequest(username: "u"),
        UsersRequest(since: 46, perPage: 10),
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
