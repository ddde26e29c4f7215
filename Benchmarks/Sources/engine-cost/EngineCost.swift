// Measures what the engine adds to async-http-client used by hand, against an nginx.
//
//     swift run -c release --package-path Benchmarks engine-cost
//
// Small responses, many at once, by `send` and by `perform` alone, and a large one as a stream. Both clients have the
// same configuration and take turns; "by hand again" compares the handwritten code with itself: a difference of that
// size is noise. The CPU time is that of this process, without nginx.

import APIKitFoundation
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

    @Option(help: "How many small requests a round sends; the first hundreds are slower.")
    var calls = 8_000

    @Option(help: "How many of them are under way at once.")
    var width = 32

    @Option(help: "The size of the large response in MiB.")
    var size = 1_024

    @Option(help: "Measure only this: small or large.")
    var only: String?

    func run() async throws {
        try await measure()
    }

    // Not on the main actor, where the hop back would dominate.
    @concurrent
    private func measure() async throws {
        let items = Item.list(3)
        let server = try await Nginx(items: items, largeSize: size << 20)
        let engine = AsyncHTTPClientEngine()
        var configuration = HTTPClient.Configuration.api
        configuration.redirectConfiguration = .disallow
        let byHand = ByHand(client: HTTPClient(configuration: configuration), base: server.url.absoluteString)
        if only != "large" {
            let request = ItemsRequest(baseURL: server.url, count: 3)
            let untyped = try request.httpRequest()
            let medians = try await medians([
                { try await repeated { _ = try await byHand.items(count: 3) } },
                { try await repeated { _ = try await engine.send(request) } },
                { try await repeated { _ = try await byHand.items(over: engine, untyped) } },
                { try await repeated { _ = try await byHand.items(count: 3) } },
            ])
            print("\(items.count) B, \(width) at once, medians of \(rounds) rounds of \(calls)")
            let names = ["by hand", "engine, send", "engine, perform", "by hand again"]
            report(names, medians) { String(format: "%8.0f requests/s", Double(calls) / $0) }
        }
        if only != "small" {
            let request = HTTPRequest(url: server.url.appending(path: "large"), delivery: .stream)
            let expected = size << 20
            let overEngine: Contestant = {
                var count = 0
                for try await piece in try await engine.perform(request).body.bytes { count += piece.count }
                guard count == expected else { throw URLError(.badServerResponse) }
            }
            let overClient: Contestant = {
                guard try await byHand.large() == expected else { throw URLError(.badServerResponse) }
            }
            let medians = try await medians([overClient, overEngine, overClient])
            print("\(size) MiB as a stream, medians of \(rounds) rounds")
            let names = ["by hand", "engine, stream", "by hand again"]
            report(names, medians) { String(format: "%8.0f MiB/s", Double(size) / $0) }
        }
        try await byHand.client.shutdown()
    }

    /// Has contestants take turns, and returns the median of what each took.
    private func medians(_ contestants: [Contestant]) async throws -> [Cost] {
        var costs = contestants.map { _ in [Cost]() }
        for round in -2..<rounds {
            // The order changes, so that none of them always comes after another.
            for turn in contestants.indices {
                let which = (turn + max(0, round)) % contestants.count
                let start = Cost.now
                try await contestants[which]()
                if round >= 0 { costs[which].append(Cost.now - start) }
            }
        }
        return costs.map { Cost(seconds: median($0.map(\.seconds)), cpu: median($0.map(\.cpu))) }
    }

    private func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private func repeated(_ call: @escaping Contestant) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask { [calls, width] in
                    for _ in 0..<max(1, calls / width) { try await call() }
                }
            }
            try await group.waitForAll()
        }
    }

    private func report(_ names: [String], _ costs: [Cost], _ speed: (Double) -> String) {
        for (name, cost) in zip(names, costs) {
            let (time, cpu) = (costs[0].seconds / cost.seconds, costs[0].cpu / cost.cpu)
            let ratios = String(format: "   speed to by hand %.3f, CPU time of by hand to its own %.3f", time, cpu)
            print("\(name.padding(toLength: 16, withPad: " ", startingAt: 0))\(speed(cost.seconds))\(ratios)")
        }
    }
}

private typealias Contestant = @Sendable () async throws -> Void

/// What some work took, in seconds.
private struct Cost {
    var seconds: Double
    var cpu: Double

    /// The clocks now.
    static var now: Cost {
        Cost(seconds: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func - (left: Cost, right: Cost) -> Cost {
        Cost(seconds: left.seconds - right.seconds, cpu: left.cpu - right.cpu)
    }
}

/// What one would write without this package.
private struct ByHand {
    let client: HTTPClient
    let base: String

    func items(count: Int) async throws -> [Item] {
        var request = HTTPClientRequest(url: "\(base)/items?count=\(count)")
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: .seconds(60))
        guard 200..<300 ~= response.status.code else { throw URLError(.badServerResponse) }
        let body = try await response.body.collect(upTo: 64 << 20)
        return try decoder.decode([Item].self, from: Data(body.readableBytesView))
    }

    func items(over engine: AsyncHTTPClientEngine, _ request: HTTPRequest) async throws -> [Item] {
        let response = try await engine.perform(request)
        guard 200..<300 ~= response.head.status else { throw URLError(.badServerResponse) }
        return try decoder.decode([Item].self, from: response.body.data ?? Data())
    }

    func large() async throws -> Int {
        let response = try await client.execute(HTTPClientRequest(url: "\(base)/large"), timeout: .seconds(600))
        guard 200..<300 ~= response.status.code else { throw URLError(.badServerResponse) }
        var count = 0
        for try await part in response.body { count += part.readableBytes }
        return count
    }
}

private let decoder = JSONDecoder()
