// Lists users of GitHub, or shows one of them: one struct per endpoint, typed responses and typed failures.
//
//     swift run --package-path Examples github-users
//     swift run --package-path Examples github-users --since 46 --verbose
//     swift run --package-path Examples github-users --user mojombo
//     swift run --package-path Examples github-users --live
//     swift run --package-path Examples github-users --record users.har
//     swift run --package-path Examples github-users --replay users.har
//
// Without --live, it uses a server of its own that imitates GitHub's. The endpoints are in Sources/GitHub.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport
import GitHub

@main
struct GitHubUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-users",
        abstract: "Lists users of GitHub, or shows one of them."
    )

    @Option(help: "List the users after this id.")
    var since: Int?

    @Option(help: "Show the user with this login instead.")
    var user: String?

    @Flag(help: "Use api.github.com instead of a server inside this program.")
    var live = false

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    @OptionGroup var recordable: Recordable

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        guard !live else { return try await show(on: session) }
        try await recordable.run(.gitHub, over: session, show)
    }

    private func show(on client: any APIClient) async throws {
        do {
            if let user {
                show(try await client.user(user))
            } else {
                show(try await client.users(since: since))
            }
        } catch GitHubFailure.rejected(let error?, let response) {
            print("GitHub says: \(error.message) (\(response.head.status))")
            throw ExitCode.failure
        }
    }

    private func show(_ users: [User]) {
        let width = users.map(\.login.count).max() ?? 0
        for user in users {
            let id = String(user.id)
            let spaces = String(repeating: " ", count: max(0, 8 - id.count))
            let login = user.login.padding(toLength: width, withPad: " ", startingAt: 0)
            print("\(spaces)\(id)  \(login)  \(user.type.lowercased())  \(user.htmlURL)")
        }
    }

    private func show(_ user: User) {
        print("\(user.login) (\(user.name ?? "no name"))")
        print("  id         \(user.id)")
        print("  followers  \(user.followers ?? 0)")
        print("  page       \(user.htmlURL)")
    }
}
