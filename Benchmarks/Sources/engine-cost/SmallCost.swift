import APIKit
import BenchmarkSupport

/// What small requests cost, one at a time and many at once.
struct SmallCost {
    let clients: [Client]
    let rounds: Int
    let calls: Int
    let server: Nginx
    /// Whether the ratios are printed as tab-separated values.
    let printsTSV: Bool

    func measure() async throws {
        let contestants = Contestants(roots: server.certificate)
        if !printsTSV {
            print(CurlByHand.version)
            print("requests/s, microseconds of CPU per request, both to libcurl by hand; medians of \(rounds) rounds")
        }
        for (scheme, url) in [("http", server.url), ("https", server.secureURL)] {
            for (name, request, calls) in try [
                ("GET, 281 B", SmallRequest(url: url, count: 3), calls),
                ("GET, 38 KB", SmallRequest(url: url, count: 400), max(1, calls / 10)),
                ("POST of 281 B", SmallRequest(url: url, body: Item.list(3)), calls),
            ] {
                for width in [1, 32] {
                    let row = "\(scheme), \(name), \(width == 1 ? "one at a time" : "\(width) at once")"
                    let clients = clients.filter { scheme == "http" || $0 != .urlSession }
                    let costs = try await costs(clients) { client in
                        try await repeated(max(1, calls / width), width) {
                            try await contestants.perform(request, client)
                        }
                    }
                    report(row, clients, costs, calls: max(1, calls / width) * width)
                }
            }
        }
        try await contestants.shutdown()
    }

    /// Has the clients take turns, and returns what each took in each round.
    private func costs(_ clients: [Client], _ work: (Client) async throws -> Void) async throws -> [[Cost]] {
        var costs = clients.map { _ in [Cost]() }
        for round in -2..<rounds {
            // The order changes, so that none of them always comes after another.
            for turn in costs.indices {
                let which = (turn + max(0, round)) % costs.count
                let start = Cost.now
                try await work(clients[which])
                if round >= 0 { costs[which].append(Cost.now - start) }
            }
        }
        return costs
    }

    private func repeated(
        _ count: Int, _ width: Int, _ call: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    for _ in 0..<count { try await call() }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Ratios are those of single rounds, whose turns follow each other closely.
    private func report(_ row: String, _ clients: [Client], _ costs: [[Cost]], calls: Int) {
        if printsTSV {
            for (client, cost) in zip(clients, costs).dropFirst() {
                TabSeparated.print(row, client.rawValue, zip(cost, costs[0]).map { $0.seconds / $1.seconds })
            }
            return
        }
        print(row)
        for (client, cost) in zip(clients, costs) {
            func median(_ value: (Cost) -> Double) -> Double { cost.map(value).median ?? .nan }
            func ratio(_ value: (Cost) -> Double) -> Double {
                zip(cost, costs[0]).map { value($0) / value($1) }.median ?? .nan
            }
            print(
                "  \(client.column)",
                String(format: "%7.0f %6.1f", Double(calls) / median(\.seconds), median(\.cpu) / Double(calls) * 1e6),
                String(format: "  time %.3f, CPU %.3f", ratio(\.seconds), ratio(\.cpu)))
        }
    }
}
