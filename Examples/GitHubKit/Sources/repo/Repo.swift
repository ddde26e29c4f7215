// Shows a repository and its issues, creates an issue, or downloads all files, with the endpoints of GitHubKit.
//
//     swift run --package-path Examples/GitHubKit repo
//     swift run --package-path Examples/GitHubKit repo new mojombo/grit 'Crash at startup'
//     swift run --package-path Examples/GitHubKit repo archive mojombo/grit grit.tar.gz
//     swift run --package-path Examples/GitHubKit repo show apple/swift-log --live
//
// Without --live, it uses a server of its own that imitates GitHub's and has one repository. With it, it uses the token
// in GITHUB_TOKEN, if there is one.

import EmbeddedServer
import ExampleSupport
import GitHubKit

@main
struct Repo {
    let client: any APIClient
    let owner: String
    let name: String

    static func main() async {
        let words = CommandLine.arguments.dropFirst().filter { $0 != "--live" }
        let (command, repository, value) = (words.first ?? "show", words.dropFirst().first, words.dropFirst(2).first)
        do {
            if CommandLine.arguments.contains("--live") {
                let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
                let client = token.map {
                    URLSession.api.authorized(by: .gitHub(token: $0), for: .gitHub) as any APIClient
                }
                try await run(command, repository, value, on: client ?? URLSession.api)
            } else {
                try await EmbeddedServer.run(.gitHub) { server in
                    try await run(command, repository, value, on: URLSession.api.based(at: APIBase(server)))
                }
            }
        } catch APIError<GitHubError>.rejected(let error?, let response) {
            printError("GitHub says: \(error.message) (\(response.head.status))")
            for mistake in error.errors ?? [] { printError("  \(mistake.field ?? "request"): \(mistake.code)") }
            exit(1)
        } catch {
            printError("failed: \(error.localizedDescription)")
            exit(1)
        }
    }

    static func run(_ command: String, _ repository: String?, _ value: String?, on client: any APIClient) async throws {
        let parts = (repository ?? "mojombo/grit").split(separator: "/").map(String.init)
        guard parts.count == 2, ["show", "new", "archive"].contains(command) else {
            printError("usage: repo [show | new | archive] [OWNER/NAME] [TITLE | FILE] [--live]")
            exit(64)
        }
        let repo = Repo(client: client.retrying(), owner: parts[0], name: parts[1])
        switch command {
        case "new": try await repo.createIssue(value ?? "")
        case "archive": try await repo.download(to: URL(filePath: value ?? "\(repo.name).tar.gz"))
        default: try await repo.show()
        }
    }

    /// Lists the newest open issues: two pages at most, since each page counts against the rate limit.
    func show() async throws {
        let repository = try await client.send(RepositoryRequest(owner: owner, repo: name))
        print("\(repository.fullName): \(repository.description ?? "no description")")
        print("\(repository.stargazersCount ?? 0) stars, \(repository.openIssuesCount ?? 0) open issues")
        let issues = IssuesRequest(owner: owner, repo: name, perPage: 20)
        for try await issue in client.items(of: issues, pageLimit: 2) where issue.pullRequest == nil {
            let labels = issue.labels.map { " [\($0.name)]" }.joined()
            print("#\(issue.number)  \(issue.title)\(labels)  \(issue.user?.login ?? "ghost")")
        }
    }

    func createIssue(_ title: String) async throws {
        let issue = try await client.send(CreateIssueRequest(owner: owner, repo: name, title: title))
        print("created #\(issue.number): \(issue.htmlURL)")
    }

    func download(to destination: URL) async throws {
        let file = try await downloadedArchive()
        try file.move(to: destination)
        print("\(file.size) bytes in \(destination.lastPathComponent)")
    }

    /// GitHub redirects to another host, which gets no credentials. It does not say how large an archive is.
    private func downloadedArchive() async throws -> DownloadedFile {
        let bar = ProgressBar()
        defer { bar.end(name) }
        let showing = TransferProgress.Handler.anywhere { [name] in
            bar.show(name, $0.bytesReceived, of: $0.totalBytesToReceive)
        }
        return try await client.send(DownloadArchiveRequest(owner: owner, repo: name, ref: "HEAD"), progress: showing)
    }
}
