// Measures what a typed `send` adds to code written by hand: over a stub, and over URLSession to a server of its own.
//
//     swift run -c release --package-path Benchmarks send-cost
//
// Every line compares the two in one run, in turns, by their medians. "by hand again" compares the handwritten code
// with itself: what lies within that is noise.

import APIKit
import APIKitTestServer
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
        let stub = ImmediateClient(body: Item.list(3))
        let request = ItemsRequest(base: "https://api.example.com/v1", count: 3)
        try await report("stub, 281 B", calls: 2_000) {
            _ = try await Handwritten.items(base: "https://api.example.com/v1", count: 3) { stub.answer($0) }
        } typed: {
            _ = try await stub.send(request)
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
        _ name: String, calls: Int, width: Int = 1,
        byHand: @escaping @Sendable () async throws -> Void, typed: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard only.isEmpty || name.contains(only) else { return }
        var times: [[Double]] = [[], [], []]
        for round in -2..<rounds {
            // The order changes, so that none of them always comes after another.
            for turn in 0..<3 {
                let which = (turn + max(0, round)) % 3
                let time = try await seconds(calls: calls, width: width, which == 1 ? typed : byHand)
                if round >= 0 { times[which].append(time / Double(max(calls, width)) * 1e6) }
            }
        }
        let (byHand, typed, again) = (times[0].median ?? 0, times[1].median ?? 0, times[2].median ?? 0)
        let numbers = String(
            format: "by hand %9.2f µs   send %9.2f µs   added %6.2f µs   ratio %.3f   by hand again %.3f",
            byHand, typed, typed - byHand, typed / byHand, again / byHand)
        // Written at once, also into a pipe.
        FileHandle.standardOutput.write(
            Data("\(name.padding(toLength: 18, withPad: " ", startingAt: 0)) \(numbers)\n".utf8))
    }

    private func seconds(
        calls: Int, width: Int, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
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
        return start.duration(to: .now) / .seconds(1)
    }
}
