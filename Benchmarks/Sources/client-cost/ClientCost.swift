// Measures what each client around another client adds to a request that it has nothing to do for.
//
//     swift run -c release --package-path Benchmarks client-cost
//
// Medians over rounds in which all of them are measured in turns, over an engine whose response is there already.

import APIKit
import ArgumentParser
import BenchmarkSupport

@main
struct ClientCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-cost",
        abstract: "Measures what each client around another client adds to a request."
    )

    @Option(help: "How many rounds to take the median of.")
    var rounds = 15

    @Option(help: "How many requests a round sends.")
    var calls = 20_000

    @Flag(help: "Print ratios with quartiles as tab-separated values.")
    var tsv = false

    func run() async throws {
        try await measure()
    }

    // Not on the main actor, where the hop back would dominate.
    @concurrent
    private func measure() async throws {
        let base = ImmediateClient(body: Item.list(3))
        let api = "https://api.example.com/v1"
        let clients: [(String, any APIClient)] = [
            ("none", base),
            ("none, again", base),
            ("a client of your own", Passing(base: base)),
            (
                "based, another API",
                base.based(at: "https://staging.example.com", insteadOf: "https://other.example.com")
            ),
            ("adding, nothing", base.adding()),
            ("authorized, another API", base.authorized(by: .bearer("token"), for: "https://other.example.com")),
            ("authorized", base.authorized(by: .bearer("token"), for: APIBase(api))),
            ("retrying", base.retrying()),
            ("limited", base.limited(concurrent: 8)),
            ("cached, stored each time", base.cached(in: ResponseCache(bytes: 1 << 20))),
            ("coalesced", base.coalesced()),
            ("tracked", base.tracked(by: RequestTracker())),
            ("observed", base.observed { _ in }),
            ("intercepted", base.intercepted { request, _, next in try await next(request) }),
        ]
        let request = try ItemsRequest(base: APIBase(URL(string: api)!), count: 3).httpRequest()
        var times = [[Double]](repeating: [], count: clients.count)
        for round in -1..<rounds {
            for (index, (_, client)) in clients.enumerated() {
                let start = ContinuousClock.now
                for _ in 0..<calls { _ = try await client.perform(request) }
                if round >= 0 { times[index].append(start.duration(to: .now) / .seconds(1) / Double(calls) * 1e6) }
            }
        }
        if tsv {
            for (index, (name, _)) in clients.enumerated().dropFirst() {
                TabSeparated.print(name, "ratio to the engine alone", zip(times[index], times[0]).map { $0 / $1 })
            }
            return
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        for (index, (name, _)) in clients.enumerated() {
            print(
                name.padding(toLength: 26, withPad: " ", startingAt: 0),
                String(format: "%7.3f µs   added %6.3f µs", medians[index], medians[index] - medians[0]))
        }
    }
}

/// Passes every request on.
private struct Passing: WrappingClient {
    let base: any APIClient

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try await base.perform(request, in: call)
    }
}
