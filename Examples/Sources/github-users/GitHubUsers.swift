// Lists users of GitHub, or shows one of them: one struct per endpoint, typed responses and typed failures.
//
//     swift run --package-path Examples github-users
//     swift run --package-path Examples github-users mojombo
//     swift run --package-path Examples github-users mojombo --live
//
// Without --live, it uses a server of its own that imitates GitHub's. The endpoints are in Sources/GitHub.

import APIKit
import EmbeddedServer
import GitHub

@main
struct GitHubUsers {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let login = arguments.first { !$0.hasPrefix("-") }
        guard !arguments.contains("--live") else { return await show(login, on: URLSession.api) }
        try await EmbeddedServer.run(.gitHub) { server in
            await show(login, on: URLSession.api.based(at: APIBase(server)))
        }
    }

    private static func show(_ login: String?, on client: some APIClient) async {
        do {
            guard let login else { return list(try await client.users()) }
            let user = try await client.user(login)
            print("\(user.login) (\(user.name ?? "no name"))")
            print("  id         \(user.id)")
            print("  followers  \(user.followers ?? 0)")
            print("  page       \(user.htmlURL)")
        } catch GitHubFailure.rejected(let error?, let response) {
            fail("GitHub says: \(error.message) (\(response.head.status))")
        } catch {
            fail("failed: \(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }

    private static func list(_ users: [User]) {
        let width = users.map(\.login.count).max() ?? 0
        for user in users {
            let id = String(user.id)
            let spaces = String(repeating: " ", count: max(0, 8 - id.count))
            let login = user.login.padding(toLength: width, withPad: " ", startingAt: 0)
            print("\(spaces)\(id)  \(login)  \(user.type.lowercased())  \(user.htmlURL)")
        }
    }
}
