// Compares the engines with libcurl, URLSession and async-http-client used by hand, against servers in processes of
// their own. Linux alone.
//
//     swift run -c release --package-path Benchmarks engine-cost
//     swift run -c release --package-path Benchmarks engine-cost --only small --libcurl-only
//     swift run -c release --package-path Benchmarks engine-cost --only small --tsv
//
// Contestants take turns; "libcurl by hand again" compares the handwritten code with itself: a difference of that size
// is noise. CPU times are those of the client's process. libcurl by hand, `send` and `perform` decode with
// `JSONReader`, the others with `JSONDecoder`.

import APIKit
import ArgumentParser
import BenchmarkSupport

@main
struct EngineCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine-cost",
        abstract: "Compares the engines with libcurl, URLSession and async-http-client used by hand."
    )

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case small, many, waiting, large
    }

    @Option(help: "How many rounds to take the median of; of the large bodies, a third of them.")
    var rounds = 15

    @Option(help: "How many small requests a round sends.")
    var calls = 2_000

    @Option(help: "How many requests are under way at once where there are many; a tenth of them where they wait.")
    var many = 10_000

    @Option(help: "How many seconds requests and streams wait.")
    var seconds = 10

    @Option(help: "The size of the large response in MiB.")
    var size = 1_024

    @Flag(help: "Of the small requests, compare CurlClient with libcurl by hand alone.")
    var libcurlOnly = false

    @Option(help: "Measure only these parts.")
    var only: [Part] = Part.allCases

    @Flag(help: "Print ratios of the small requests with quartiles as tab-separated values.")
    var tsv = false

    @Option(help: .hidden)
    var job: Job?

    @OptionGroup(visibility: .hidden)
    var settings: Job.Settings

    func run() async throws {
        if let job {
            try await job.run(settings)
        } else {
            try await measure()
        }
    }

    // Not on the main actor, where the hop back would dominate.
    @concurrent
    private func measure() async throws {
        if only.contains(.small) || only.contains(.large) {
            let server = try await Nginx(counts: [3, 400], largeSize: size << 20)
            if only.contains(.small) {
                let clients = libcurlOnly ? [Client.libcurl, .send, .perform, .again] : Client.allCases
                try await SmallCost(clients: clients, rounds: rounds, calls: calls, server: server, printsTSV: tsv)
                    .measure()
            }
            if only.contains(.large) { try measureLarge(server.url.appending(path: "large")) }
        }
        if only.contains(.many) || only.contains(.waiting) {
            let server = try SlowServer()
            if only.contains(.many) { try measureMany(server.url) }
            if only.contains(.waiting) { try measureWaiting(server.url) }
        }
    }

    private func measureLarge(_ url: URL) throws {
        print("\(size) MiB, medians of \(rounds / 3 + 1) rounds")
        for job in [Job.data, .stream, .file] {
            let clients = [Client.libcurl, .urlSession, .perform]
            var measurements: [Client: [ProcessCost]] = [:]
            for _ in 0...rounds / 3 {
                for client in clients {
                    let settings = Job.Settings(client, url, count: size << 20)
                    measurements[client, default: []].append(try job.measure(settings))
                }
            }
            func median(_ client: Client, _ value: (ProcessCost) -> Double) -> Double {
                (measurements[client] ?? []).map(value).median ?? .nan
            }
            for client in clients {
                let (seconds, cpu) = (median(client, \.seconds), median(client, \.cpu))
                let ratios = [Client.libcurl, .urlSession].map { seconds / median($0, \.seconds) }
                print(
                    "\(client.column) \(job.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0))",
                    String(format: "%6.2f s, %6.2f s of CPU, ", seconds, cpu),
                    String(format: "to libcurl %5.2f, to URLSession %5.2f, ", ratios[0], ratios[1]),
                    String(format: "peak %7.1f MiB", median(client, \.peak)))
            }
        }
    }

    private func measureMany(_ url: URL) throws {
        print("\(many) requests under way")
        let runs = [(Client.libcurl, many, 5000), (.perform, 64, 100), (.perform, many, 5000)]
        for (client, connections, delay) in runs {
            let wait = Double((many + connections - 1) / connections * delay) / 1000
            let measurement = try Job.many.measure(
                Job.Settings(client, url, count: many, connections: connections, delay: delay))
            print(
                "\(client.column) \(connections) connections: \(measurement.failures) failures,",
                String(format: "%5.1f s, of which the server waits %.1f s,", measurement.seconds, wait),
                String(format: "%5.1f s of CPU, peak %.1f MiB", measurement.cpu, measurement.peak))
        }
    }

    private func measureWaiting(_ url: URL) throws {
        print("waiting for \(seconds) s over CurlClient")
        for count in [1, many / 10] {
            for (job, name) in [(Job.requests, "requests"), (.streams, "streams with an event each 10 s")] {
                let measurement = try job.measure(
                    Job.Settings(.perform, url, count: count, connections: count, delay: seconds * 1000))
                let share = measurement.cpu / measurement.seconds * 100
                print(
                    "\(count) \(name): \(measurement.failures) failures,",
                    String(format: "%.3f %% of a core, peak %.1f MiB", share, measurement.peak))
            }
        }
    }
}
