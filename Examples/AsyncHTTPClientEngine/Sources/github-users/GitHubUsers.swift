// Lists users of GitHub over async-http-client: the endpoints are those of the example of the same name, unchanged.
//
//     swift run --package-path Examples/AsyncHTTPClientEngine github-users
//     swift run --package-path Examples/AsyncHTTPClientEngine github-users --since 46
//     swift run --package-path Examples/AsyncHTTPClientEngine github-users --live
//
// Without --live it asks a server of its own that imitates GitHub's.

import APIKit
import ArgumentParser
import AsyncHTTPClientEngine
import EmbeddedServer
import ExampleSupport
import GitHub

@main
struct GitHubUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-users",
        abstract: "Lists users of GitHub over async-http-client."
    )

    @Option(help: "List the users behind this id.")
    var since: Int?

    @Flag(help: "Ask api.github.com instead of a server of this program's own.")
    var live = false

    func run() async throws {
        let engine = AsyncHTTPClientEngine()
        guard !live else { return try await list(over: engine) }
        try await EmbeddedServer.run(.gitHub) { server in
            try await list(over: engine.based(at: APIBase(server)))
        }
    }

    private func list(over client: any APIClient) async throws {
        do {
            let users = try await client.users(since: since)
            let width = users.map(\.login.count).max() ?? 0
            for user in users {
                let id = String(user.id)
                let spaces = String(repeating: " ", count: max(0, 8 - id.count))
                let login = user.login.padding(toLength: width, withPad: " ", startingAt: 0)
                print("\(spaces)\(id)  \(login)  \(user.type.lowercased())  \(user.htmlURL)")
            }
        } catch GitHubFailure.rejected(let error?, let response) {
            printError("GitHub says: \(error.message) (\(response.head.status))")
            throw ExitCode.failure
        }
    }
}
