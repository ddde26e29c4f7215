// Measures an upload that can continue, over tus, next to a PUT of the same file. Linux alone, where it reads memory
// from /proc.
//
//     swift run -c release --package-path Benchmarks upload-cost
//     swift run -c release --package-path Benchmarks upload-cost --size 64 --rounds 1
//     swift run -c release --package-path Benchmarks upload-cost --chunk 5
//
// Every upload runs in a process of its own, in turns, against a server in this one that discards the bytes. Ratios are
// medians of the ratios of all rounds.

import APIKit
import APIKitUploads
import ArgumentParser
import BenchmarkSupport

@main
struct UploadCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload-cost",
        abstract: "Measures what an upload in chunks costs."
    )

    @Option(help: "How many MiB the file has.")
    var size = 1024

    @Option(help: "How many rounds to take the median of.")
    var rounds = 7

    @Option(help: "How many MiB a chunk has; by default, as many as by default.")
    var chunk: Int?

    @Option(help: .hidden)
    var run: Contestant?

    @Option(help: .hidden)
    var server = ""

    @Option(help: .hidden)
    var folder = ""

    enum Contestant: String, CaseIterable, ExpressibleByArgument {
        case put = "PUT"
        case putAgain = "PUT again"
        case upload = "upload"
        case uploadWithProgress = "upload, with progress"
    }

    func run() async throws {
        if let run, let server = URL(string: server) {
            try await measure(run, server: APIBase(server), folder: URL(fileURLWithPath: folder)).print()
        } else {
            try compare()
        }
    }

    // MARK: - A process

    private func measure(_ contestant: Contestant, server: APIBase, folder: URL) async throws -> ProcessCost {
        let file = folder.appending(path: "big.bin")
        let start = Cost.now
        switch contestant {
        case .put, .putAgain:
            _ = try await URLSession.api.send(Put(base: server, file: file))
        case .upload, .uploadWithProgress:
            let upload = Upload(base: server, file: file, chunkSize: chunk.map { $0 << 20 } ?? Upload.defaultChunkSize)
            let state = folder.appending(path: "state")
            if contestant == .upload {
                _ = try await URLSession.api.upload(upload, keepingStateIn: state)
            } else {
                _ = try await URLSession.api.upload(upload, keepingStateIn: state) { _ in }
            }
        }
        return try ProcessCost(Cost.now - start)
    }

    private struct Put: APIRequest {
        typealias Response = NoContent
        var base: APIBase
        var file: URL
        var path: URLPath { "" }
        var method: HTTPMethod { .put }
        var body: RequestBody? { .file(file) }
    }

    private struct Upload: ResumableUpload {
        typealias Response = UploadedFile
        var base: APIBase
        var file: URL
        var chunkSize: Int
        var path: URLPath { "files" }
        var uploadProtocol: UploadProtocol { .tus }

        static let defaultChunkSize = 25 << 20
    }

    // MARK: - The comparison

    private func compare() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "upload-cost-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try Shell.run("/bin/sh", ["-c", "head -c \(size << 20) /dev/urandom >'\(folder.path)/big.bin'"])
        let server = try DiscardingServer()
        var costs: [Contestant: [ProcessCost]] = [:]
        // A round that is not counted comes first, so that the file is in the system's cache.
        for round in 0...rounds {
            let contestants = round.isMultiple(of: 2) ? Contestant.allCases : Contestant.allCases.reversed()
            for contestant in contestants {
                let chunk = chunk.map { ["--chunk", "\($0)"] } ?? []
                let arguments = ["--run", contestant.rawValue, "--folder", folder.path]
                let cost = try ProcessCost.ofProcess(arguments + ["--server", server.url.absoluteString] + chunk)
                if round > 0 { costs[contestant, default: []].append(cost) }
            }
        }
        for contestant in Contestant.allCases { report(contestant, costs) }
    }

    private func report(_ contestant: Contestant, _ costs: [Contestant: [ProcessCost]]) {
        let (own, put) = (costs[contestant] ?? [], costs[.put] ?? [])
        func median(_ value: (ProcessCost) -> Double) -> Double { own.map(value).median ?? .nan }
        func ratio(_ value: (ProcessCost) -> Double) -> Double {
            zip(own, put).map { value($0) / value($1) }.median ?? .nan
        }
        let more = zip(own, put).map { $0.peak - $1.peak }.median ?? .nan
        let name = contestant.rawValue.padding(toLength: 22, withPad: " ", startingAt: 0)
        print(
            String(
                format: "%@ %6.2f s (%.2f)  CPU %6.2f s (%.2f)  peak %5.1f MiB (%+.1f)", name, median(\.seconds),
                ratio(\.seconds), median(\.cpu), ratio(\.cpu), median(\.peak), more))
    }
}
