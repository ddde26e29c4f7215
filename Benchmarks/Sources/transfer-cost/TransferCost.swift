// Measures time and memory of large bodies next to bare URLSession tasks, and how fast streams are read and written.
// Linux alone, where it reads a process's memory from /proc.
//
//     swift run -c release --package-path Benchmarks transfer-cost
//     swift run -c release --package-path Benchmarks transfer-cost --size 64 --rounds 1
//
// Every transfer runs in a process of its own, in turns, against a server in this one; its bytes are compared by
// SHA-256. Ratios are those of medians to the bare task's.

import APIKit
import APIKitTestServer
import ArgumentParser
import BenchmarkSupport

@main
struct TransferCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer-cost",
        abstract: "Measures what large bodies cost."
    )

    @Option(help: "How many MiB a body has.")
    var size = 1024

    @Option(help: "How many rounds to take the median of.")
    var rounds = 5

    @Option(help: "Measure only what has this in its name.")
    var only = ""

    @Option(help: .hidden)
    var run: Contestant?

    @Option(help: .hidden)
    var server = ""

    @Option(help: .hidden)
    var folder = ""

    func run() async throws {
        if let run, let server = URL(string: server) {
            let folder = URL(fileURLWithPath: folder)
            try await run.run(
                server: server, file: folder.appendingPathComponent("big.bin"),
                place: folder.appendingPathComponent("place.bin")
            ).print()
        } else {
            try await measureTransfers()
            try await StreamCost(only: only).measure()
        }
    }

    @concurrent
    private func measureTransfers() async throws {
        let contestants = Contestant.allCases.filter { only.isEmpty || $0.rawValue.contains(only) }
        guard !contestants.isEmpty else { return }
        let folder = try Folder(mebibytes: size)
        defer { folder.remove() }
        let server = try makeServer(in: folder)
        var measurements: [Contestant: [ProcessCost]] = [:]
        for _ in 0..<rounds {
            for contestant in contestants {
                measurements[contestant, default: []].append(try await measure(contestant, server, folder))
            }
        }
        for contestant in contestants { report(contestant, measurements) }
    }

    private func makeServer(in folder: Folder) throws -> LoopbackServer {
        let content = try Data(contentsOf: folder.file, options: .alwaysMapped)
        return try LoopbackServer(savingBodiesIn: folder.url) { request in
            guard request.method == "GET" else { return .status(204) }
            var answer = ServerAnswer.status(200, headers: [("Content-Length", "\(content.count)")])
            answer.steps.append(.send(content))
            return answer
        }
    }

    private func measure(
        _ contestant: Contestant, _ server: LoopbackServer, _ folder: Folder
    ) async throws -> ProcessCost {
        let measurement = try ProcessCost.ofProcess(
            ["--run", contestant.rawValue, "--server", server.url.absoluteString, "--folder", folder.url.path])
        if contestant.isUpload {
            guard let request = server.requests.last, let body = request.bodyFile,
                request.values(of: "Content-Length") == ["\(request.bodyLength)"],
                request.values(of: "Transfer-Encoding").isEmpty
            else { throw ValidationError("\(contestant.rawValue): not one Content-Length") }
            try folder.check(body, contestant.rawValue)
        } else {
            try folder.check(folder.place, contestant.rawValue)
        }
        return measurement
    }

    private func report(_ contestant: Contestant, _ measurements: [Contestant: [ProcessCost]]) {
        func median(_ contestant: Contestant, _ value: (ProcessCost) -> Double) -> Double {
            (measurements[contestant] ?? []).map(value).median ?? .nan
        }
        let seconds = median(contestant, \.seconds)
        let name = contestant.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0)
        print(
            String(
                format: "\(size) MiB  \(name) %7.2f s   ratio %.2f   peak %7.1f MiB", seconds,
                seconds / median(contestant.baseline, \.seconds), median(contestant, \.peak)))
    }
}
