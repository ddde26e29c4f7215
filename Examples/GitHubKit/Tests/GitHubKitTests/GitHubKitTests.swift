import APIKit
import APIKitTesting
import Testing

@testable import GitHubKit

/// What was edited, and what a description does not say.
struct GitHubKitTests {
    private static let issue = #"""
        {"id": 1, "number": 7, "title": "Crash", "state": "open", "html_url": "https://github.com/o/r/issues/7",
        "user": null, "labels": [{"name": "bug"}], "comments": 0, "created_at": "2025-01-02T03:04:05Z"}
        """#

    @Test func pagesFollowTheLinkHeader() async throws {
        let next = #"<https://api.github.com/repositories/1/issues?page=2>; rel="next""#
        let stub = StubClient().answering(
            IssuesRequest.self, once: .json("[\(Self.issue)]", headers: ["Link": next]), .json("[\(Self.issue)]"))
        var numbers: [Int] = []
        for try await issue in stub.items(of: IssuesRequest(owner: "o", repo: "r")) { numbers.append(issue.number) }
        #expect(numbers == [7, 7])
        #expect(stub.requests.last?.url.absoluteString == "https://api.github.com/repositories/1/issues?page=2")
    }

    @Test func failureSaysWhatIsWrongWithTheRequest() async throws {
        let body = #"{"message": "Validation Failed", "errors": [{"code": "missing_field", "field": "title"}]}"#
        let stub = StubClient().answering(CreateIssueRequest.self, with: .json(body, status: 422))
        let error = await #expect(throws: APIError<GitHubError>.self) {
            try await stub.send(CreateIssueRequest(owner: "o", repo: "r", title: ""))
        }
        let failure: GitHubError? = if case .rejected(let failure, _) = error { failure } else { nil }
        #expect(failure?.message == "Validation Failed")
        #expect(failure?.errors?.first?.field == "title")
    }

    @Test func everyRequestHasTheVersionOfTheAPI() throws {
        let headers = try UserRequest(username: "u").httpRequest().headers
        #expect(headers["X-GitHub-Api-Version"] == "2022-11-28")
        #expect(headers[.accept] == "application/vnd.github+json")
    }

    @Test func contentIsDecoded() throws {
        let body = #"""
            {"type": "file", "encoding": "base64", "size": 6, "name": "a", "path": "a", "sha": "1", "content": "SGVs\nbG8K\n"}
            """#
        let response = try ContentRequest.Response.process(data: Data(body.utf8))
        let file: ContentRequest.Response.File? = if case .file(let file) = response { file } else { nil }
        #expect(file?.data == Data("Hello\n".utf8))
    }

    @Test func linksAreEntries() throws {
        let body = #"{"type": "symlink", "size": 4, "name": "a", "path": "a", "sha": "1", "target": "b"}"#
        let response = try ContentRequest.Response.process(data: Data(body.utf8))
        let entry: Entry? = if case .other(let entry) = response { entry } else { nil }
        #expect(entry?.type == .symlink)
    }

    @Test func clearSendsNullAndKeepSendsNothing() throws {
        let request = UpdateIssueRequest(owner: "o", repo: "r", number: 7, milestone: .clear)
        #expect(try request.httpRequest().body?.data == Data(#"{"milestone":null}"#.utf8))
    }
}
