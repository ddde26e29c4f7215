import APIKit
import BenchmarkSupport

/// What small requests cost, one at a time and many at once.
struct SmallCost {
    let rounds: Int
    let calls: Int
    let server: Nginx

    func measure() async throws {
        let contestants = Contestants(roots: server.certificate)
        print("requests/s, microseconds of CPU per request; medians of \(rounds) rounds")
        for (scheme, url) in [("http", server.url), ("https", server.secureURL)] {
            for (name, request, calls) in try [
                ("GET, 281 B", SmallRequest(url: url, count: 3), calls),
                ("GET, 38 KB", SmallRequest(url: url, count: 400), max(1, calls / 10)),
                ("POST of 281 B", SmallRequest(url: url, body: Item.list(3)), calls),
            ] where scheme == "http" || request.count == 3 {
                for width in [1, 32] {
                    print("\(scheme), \(name), \(width == 1 ? "one at a time" : "\(width) at once")")
                    let clients = Client.allCases.filter { scheme == "http" || $0 != .urlSession }
                    let costs = try await medians(clients) { client in
                        try await repeated(max(1, calls / width), width) {
                            try await contestants.perform(request, client)
                        }
                    }
                    report(clients, costs, calls: max(1, calls / width) * width)
                }
            }
        }
        try await contestants.shutdown()
    }

    /// Has the clients take turns, and returns the median of what each took.
    private func medians(
        _ clients: [Client], _ work: (Client) async throws -> Void
    ) async throws -> [Cost] {
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
        return costs.map { Cost(seconds: $0.map(\.seconds).median ?? .nan, cpu: $0.map(\.cpu).median ?? .nan) }
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

    private func report(_ clients: [Client], _ costs: [Cost], calls: Int) {
        for (client, cost) in zip(clients, costs) {
            let (time, cpu) = (costs[0].seconds / cost.seconds, cost.cpu / costs[0].cpu)
            print(
                "  \(client.column)",
                String(format: "%7.0f %6.1f", Double(calls) / cost.seconds, cost.cpu / Double(calls) * 1e6),
                String(format: "  speed to libcurl %.3f, CPU %.3f", time, cpu))
        }
    }
}
