// Measures what a typed `send` adds to code written by hand: over a stub, and over URLSession to a server of its own.
//
//     swift run -c release --package-path Benchmarks send-cost
//
// Every line compares the two in one run, in turns, by their medians. "by hand again" compares the handwritten code
// with itself: what lies within that is noise. Over a stub, which waits for nothing, the processor's time is compared.

import APIKit
import APIKitTestServer
import APIKitTesting
import ArgumentParser
import BenchmarkSupport

@main
struct SendCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-cost",
        abstract: "Measures what a typed send adds to code written by hand."
    )

    @Option(help: "Measure only what has this in its name, such as \"281 B, 32\".")
    var only = ""

    @Option(help: "How many rounds to take the median of.")
    var rounds = 15

    @Flag(help: "Print ratios with quartiles as tab-separated values.")
    var tsv = false

    func run() async throws {
        try await measureAll()
    }

    // Not on the main actor, where the hop back would dominate.
    @concurrent
    private func measureAll() async throws {
        try await measureStub()
        let bodies = Dictionary(uniqueKeysWithValues: [3, 400, 10_500].map { ($0, Item.list($0)) })
        let server = try LoopbackServer { request in
            let count = request.query.flatMap { Int($0.dropFirst("count=".count)) } ?? 0
            return .status(200, headers: [("Content-Type", "application/json")], body: bodies[count] ?? Data())
        }
        for (count, size) in [(3, "281 B"), (400, "40 KB"), (10_500, "1 MB")] {
            for width in [1, 32] {
                try await measureSession(server.url, count: count, size: size, width: width)
            }
        }
    }

    private func measureStub() async throws {
        let base = "https://api.example.com/v1"
        let body = Item.list(3)
        let stub = ImmediateClient(body: body)
        let items = ItemsRequest(base: APIBase(base), count: 3)
        try await report("stub, 281 B", calls: 2_000, time: \.cpu) {
            _ = try await Handwritten.items(base: base, count: 3) { stub.answer($0) }
        } typed: {
            _ = try await stub.send(items)
        }
        // Nothing is decoded. A thousand times, since a test has a stub of its own, which keeps its requests.
        let bytes = BytesRequest(base: APIBase(base), count: 3)
        let clients: [(String, @Sendable () -> any APIClient)] = [
            ("stub, Data", { stub }),
            ("stub, .json, Data", { StubClient().answering(BytesRequest.self, with: .json(body)) }),
        ]
        for (name, client) in clients {
            try await report("1,000 of \(name)", calls: 4, time: \.cpu) {
                for _ in 0..<1_000 { _ = try await Handwritten.data(base: base, count: 3) { stub.answer($0) } }
            } typed: {
                let client = client()
                for _ in 0..<1_000 { _ = try await client.send(bytes) }
            }
        }
    }

    private func measureSession(_ server: URL, count: Int, size: String, width: Int) async throws {
        let session = URLSession(configuration: .api)
        let request = ItemsRequest(base: APIBase(server), count: count)
        let base = server.absoluteString
        // Enough calls that starting 32 tasks is not what is measured.
        let calls = [3: 20 * width, 400: 4 * width][count] ?? width
        try await report("\(size), \(width) at once", calls: max(8, calls), width: width) {
            _ = try await Handwritten.items(base: base, count: count, load: session.loadByHand)
        } typed: {
            _ = try await URLSession.api.send(request)
        }
    }

    private func report(
        _ name: String, calls: Int, width: Int = 1, time: KeyPath<Cost, Double> = \.seconds,
        byHand: @escaping @Sendable () async throws -> Void, typed: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard only.isEmpty || name.contains(only) else { return }
        var times: [[Double]] = [[], [], []]
        for round in -2..<rounds {
            // The order changes, so that none of them always comes after another.
            for turn in 0..<3 {
                let which = (turn + max(0, round)) % 3
                let cost = try await cost(calls: calls, width: width, which == 1 ? typed : byHand)
                if round >= 0 { times[which].append(cost[keyPath: time] / Double(max(calls, width)) * 1e6) }
            }
        }
        if tsv {
            TabSeparated.print(name, "send", zip(times[1], times[0]).map { $0 / $1 })
            TabSeparated.print(name, "by hand again", zip(times[2], times[0]).map { $0 / $1 })
            return
        }
        let (byHand, typed, again) = (times[0].median ?? 0, times[1].median ?? 0, times[2].median ?? 0)
        let numbers = String(
            format: "by hand %9.2f µs   send %9.2f µs   added %6.2f µs   ratio %.3f   by hand again %.3f",
            byHand, typed, typed - byHand, typed / byHand, again / byHand)
        // Written at once, also into a pipe.
        FileHandle.standardOutput.write(
            Data("\(name.padding(toLength: 26, withPad: " ", startingAt: 0)) \(numbers)\n".utf8))
    }

    private func cost(
        calls: Int, width: Int, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Cost {
        let start = Cost.now
        if width == 1 {
            for _ in 0..<calls { try await call() }
        } else {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<width {
                    group.addTask {
                        for _ in 0..<max(1, calls / width) { try await call() }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Cost.now - start
    }
}
