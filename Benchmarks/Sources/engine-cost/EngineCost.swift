// Measures what a typed `send` over the engine adds to async-http-client used by hand, against a server of its own.
//
//     swift run -c release --package-path Benchmarks engine-cost
//
// Small answers, 32 at once, both with the same configuration, in turns; "by hand again" compares the handwritten code
// with itself: what lies within that is noise.

import APIKitFoundation
import APIKitTestServer
import ArgumentParser
import AsyncHTTPClient
import AsyncHTTPClientEngine
import BenchmarkSupport
import NIOCore
import NIOHTTP1

@main
struct EngineCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine-cost",
        abstract: "Measures what the engine adds to async-http-client used by hand."
    )

    @Option(help: "How many rounds to take the median of.")
    var rounds = 15

    @Option(help: "How many requests a round sends; the first hundreds are slower.")
    var calls = 8_000

    @Option(help: "How many of them are under way at once.")
    var width = 32

    func run() async throws {
        try await measure()
    }

    // Not on the main actor, where the hop back would dominate.
    @concurrent
    private func measure() async throws {
        let body = Item.list(3)
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Type", "application/json")], body: body)
        }
        let request = ItemsRequest(baseURL: server.url, count: 3)
        let engine = AsyncHTTPClientEngine()
        var configuration = HTTPClient.Configuration.api
        configuration.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: configuration)
        let base = server.url.absoluteString
        let byHand: Contestant = { _ = try await itemsByHand(base: base, count: 3, client: client) }
        let names = ["by hand", "engine", "by hand again", "URLSession.api"]
        let contestants: [Contestant] = [
            byHand, { _ = try await engine.send(request) }, byHand, { _ = try await URLSession.api.send(request) },
        ]
        var times = contestants.map { _ in [Double]() }
        for round in -2..<rounds {
            // The order changes, so that none of them always comes after another.
            for turn in contestants.indices {
                let which = (turn + max(0, round)) % contestants.count
                let time = try await seconds(contestants[which])
                if round >= 0 { times[which].append(time) }
            }
        }
        try await client.shutdown()
        let medians = times.map { $0.sorted()[$0.count / 2] }
        print("\(body.count) B, \(width) at once, medians of \(rounds) rounds of \(calls)")
        for (name, median) in zip(names, medians) {
            let numbers = String(
                format: "%8.0f requests/s   throughput to by hand %.3f", Double(calls) / median, medians[0] / median)
            print("\(name.padding(toLength: 16, withPad: " ", startingAt: 0))\(numbers)")
        }
    }

    private func seconds(_ call: @escaping Contestant) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask { [calls, width] in
                    for _ in 0..<max(1, calls / width) { try await call() }
                }
            }
            try await group.waitForAll()
        }
        return start.duration(to: .now) / .seconds(1)
    }
}

private typealias Contestant = @Sendable () async throws -> Void

private let decoder = JSONDecoder()

/// What one would write without this package.
private func itemsByHand(base: String, count: Int, client: HTTPClient) async throws -> [Item] {
    var request = HTTPClientRequest(url: "\(base)/items?count=\(count)")
    request.headers.add(name: "Accept", value: "application/json")
    let response = try await client.execute(request, timeout: .seconds(60))
    guard 200..<300 ~= response.status.code else { throw URLError(.badServerResponse) }
    let body = try await response.body.collect(upTo: 64 << 20)
    return try decoder.decode([Item].self, from: Data(body.readableBytesView))
}
