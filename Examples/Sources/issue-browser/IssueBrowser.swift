// Lists the issues of a repository page by page, records them, replays them without a server, and shows what a bad
// network does.
//
//     swift run --package-path Examples issue-browser
//     swift run --package-path Examples issue-browser --state closed --label docs
//     swift run --package-path Examples issue-browser --record issues.har
//     swift run --package-path Examples issue-browser --replay issues.har
//     swift run --package-path Examples issue-browser --faults 7
//
// The endpoint is in Sources/GitHub. Without --replay, the server is one in this program that imitates GitHub's.

import APIKit
import APIKitRecording
import APIKitTesting
import ArgumentParser
import EmbeddedServer
import ExampleSupport
import GitHub

@main
struct IssueBrowser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue-browser",
        abstract: "Lists the issues of a repository."
    )

    @Option(help: "Which issues: open, closed or all.")
    var state = "all"

    @Option(help: "List only the issues with this label.")
    var label: String?

    @Option(help: "Inject faults into the network. The same seed injects the same faults.")
    var faults: UInt64?

    @OptionGroup var recordable: Recordable

    func run() async throws {
        try await recordable.run(.gitHub, over: URLSession.api) { client in
            guard let seed = faults else { return try await show(on: client) }
            var faults = FaultInjection.seed(seed)
            faults.delay = .milliseconds(1)...(.milliseconds(20))
            faults.serverErrors = 0.3
            let network = client.injectingFaults(faults)
            do {
                try await show(on: network.retrying(.backoff(attempts: 4, initialDelay: .milliseconds(10))))
            } catch {
                printError("failed: \(error.localizedDescription)")
            }
            print("\n\(network)")
        }
    }

    private func show(on client: any APIClient) async throws {
        let request = IssuesRequest(repository: "mojombo/grit", state: state, label: label)
        var count = 0
        for try await page in client.pages(of: request) {
            for issue in page.model {
                let labels = issue.labels.map { " [\($0.name)]" }.joined()
                print("#\(issue.number)  \(issue.state)  \(issue.title)\(labels)")
            }
            count += page.model.count
            print("-- \(count) issues\(page.next == nil ? "" : " so far")")
        }
    }
}
