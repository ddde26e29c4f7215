import APIKit
import APIKitTesting
import Testing

// The code of the README, unchanged, and an API that other snippets share. Scripts/texts compares the two.

nonisolated extension APIBase {
    static let gitHub = APIBase(
        "https://api.github.com", headers: ["X-GitHub-Api-Version": "2022-11-28"])
}
nonisolated protocol GitHubRequest: APIRequest { associatedtype Failure = GitHubError }
nonisolated extension GitHubRequest { var base: APIBase { .gitHub } }

@Suite struct ReadmeSnippets {
    @Test func errorLine() async {
        let stub = StubClient(.json(#"{"message":"Not Found","status":"404"}"#, status: 404))
        let error = await #expect(throws: APIError<GitHubError>.self) {
            try await stub.send(UserRequest(login: "nobody"))
        }
        let line = #"GET https://api.github.com/users/nobody: 404: {"message":"Not Found","status":"404"}"#
        #expect(error?.localizedDescription == line)
    }

    @Test func modelIsTheBody() throws {
        let repository = Repository(name: "notes", description: nil)
        let request = try CreateRepositoryRequest(repository: repository).httpRequest()
        #expect(request.method == .post)
        #expect(request.body?.data == Data(#"{"name":"notes"}"#.utf8))
        #expect(request.headers[.contentType] == "application/json")
    }

    /// Compiled, not run, since it needs the internet.
    func sending() async throws {
        let users = try await URLSession.api.send(UsersRequest(since: 46))
        print(users)
    }

    func wrapping(token: String) async throws {
        let client = URLSession.api
            .logged { print($0) }
            .authorized(by: .bearer(token), for: "https://api.github.com")
            .retrying()
        print(try await client.send(UserRequest(login: "mojombo")))
    }

    func failing() async {
        do {
            print(try await URLSession.api.send(UserRequest(login: "nobody")).id)
        } catch APIError<GitHubError>.rejected(let error?, let response) {
            print(error.message, response.head.status)
        } catch {
            print(error.localizedDescription)
        }
    }
}
