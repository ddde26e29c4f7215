import APIKit
import APIKitCurl
import ArgumentParser
import BenchmarkSupport

/// What a process of its own does, so that its memory and CPU time can be told apart.
enum Job: String, ExpressibleByArgument {
    /// Serves until the standard input ends.
    case serve
    /// Sends many requests at once.
    case many
    /// Waits for responses, or for events.
    case requests, streams
    /// Downloads a large body.
    case data, stream, file

    struct Settings: ParsableArguments {
        @Option var client = Client.perform
        @Option var url = ""
        @Option var count = 1
        @Option var connections = 64
        @Option var delay = 0

        init() {}

        init(_ client: Client, _ url: URL, count: Int, connections: Int = 64, delay: Int = 0) {
            (self.client, self.url, self.count) = (client, url.absoluteString, count)
            (self.connections, self.delay) = (connections, delay)
        }

        fileprivate func makeClient() -> CurlClient {
            var configuration = CurlClient.Configuration()
            configuration.connectionsPerHost = connections
            return CurlClient(configuration)
        }
    }

    /// Does it in a process of its own.
    func measure(_ settings: Settings) throws -> ProcessCost {
        try ProcessCost.ofProcess([
            "--job", rawValue, "--client", settings.client.rawValue, "--url", settings.url,
            "--count", "\(settings.count)", "--connections", "\(settings.connections)", "--delay", "\(settings.delay)",
        ])
    }

    /// Does it here.
    @concurrent
    func run(_ settings: Settings) async throws {
        switch self {
        case .serve: try await SlowServer.serve()
        case .many: try await sendMany(settings).print()
        case .requests, .streams: try await wait(settings).print()
        case .data, .stream, .file: try await download(settings).print()
        }
    }

    private func sendMany(_ settings: Settings) async throws -> ProcessCost {
        let client = settings.makeClient()
        let byHand = CurlByHand(roots: URL(filePath: "/dev/null"), connections: settings.connections)
        let url = "\(settings.url)/wait?ms=\(settings.delay)"
        let request = try HTTPRequest(url: URL(url))
        let start = Cost.now
        let failures = await failures(settings.count) { _ in
            _ = settings.client == .perform ? try await client.perform(request).body.data : try await byHand.data(url)
        }
        return try ProcessCost(Cost.now - start, failures: failures)
    }

    /// Measures while all of them wait, but not how they start and end.
    private func wait(_ settings: Settings) async throws -> ProcessCost {
        let client = settings.makeClient()
        let delay = settings.delay + 3000
        async let failures = failures(settings.count) { index in
            let first = index * 10_000 / settings.count
            let path = self == .requests ? "wait?ms=\(delay)" : "events?ms=\(delay)&first=\(first)"
            let request = try HTTPRequest(
                url: URL("\(settings.url)/\(path)"), delivery: self == .requests ? .data : .stream)
            let response = try await client.perform(request)
            guard self == .streams else { return }
            var count = 0
            for try await _ in ServerSentEvents(bytes: response.body.bytes) { count += 1 }
            guard count > 0 else { throw URLError(.zeroByteResource) }
        }
        try await Task.sleep(for: .seconds(2))
        let start = Cost.now
        try await Task.sleep(for: .milliseconds(settings.delay))
        let cost = Cost.now - start
        return try await ProcessCost(cost, failures: failures)
    }

    /// How many of some concurrent calls fail.
    private func failures(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<count {
                group.addTask { (try? await call(index)) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    private func download(_ settings: Settings) async throws -> ProcessCost {
        let download = LargeDownload(url: try URL(settings.url), client: settings.client)
        let start = Cost.now
        let size =
            switch self {
            case .data: try await download.data()
            case .stream: try await download.stream()
            default: try await download.file()
            }
        guard size == settings.count else { throw URLError(.badServerResponse) }
        return try ProcessCost(Cost.now - start)
    }
}

extension URL {
    fileprivate init(_ text: String) throws {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        self = url
    }
}
