import APIDescription
import APIKit
import APIKitRecording
import Testing

// The code of the article about descriptions, and of its doc comments, unchanged. It is compiled and not run, since the
// files are missing.

@Suite(.disabled("needs a description")) struct DescriptionSnippets {
    let file = URL(fileURLWithPath: "Fixtures/github.json")

    @Test func usersAreAsDescribed() throws {
        let gitHub = try APIDescription(contentsOf: file)
        #expect(gitHub.problems(with: UsersRequest(since: 46)) == [])
    }

    @Test func ignore() throws {
        let gitHub = try APIDescription(contentsOf: file)
        #expect(
            gitHub.problems(with: UsersRequest(since: 46), ignoring: [.unreadableValue]) == [])
    }

    @Test func coverage() throws {
        let gitHub = try APIDescription(contentsOf: file)
        let endpoints: [any APIRequest] = [UsersRequest(), UserRequest(login: "octocat")]
        #expect(gitHub.coverageProblems(of: endpoints, tags: ["users"]) == [])
    }

    @Test func recording() throws {
        let gitHub = try APIDescription(contentsOf: file)
        let recording = HARFile(URL(fileURLWithPath: "Fixtures/users.har"))
        #expect(try gitHub.problems(with: recording) == [])
    }
}
