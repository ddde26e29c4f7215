#if os(macOS) || os(Linux)
import APIKit
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import APIKitUploads
import Foundation
import TestSupport
import TestTraits
import Testing

/// Uploads by processes that are killed at random moments, over connections that are cut at random bytes.
///
/// `make nightly` runs 200 of them. The variable `APIKIT_SEED` has the seed of the first; the others follow.
@Suite(.exclusive, .timeLimit(.minutes(60))) struct KilledUploadTests {
    @Test func noByteIsWrongOrSentTwiceBeyondAChunkPerBreak() async throws {
        let environment = ProcessInfo.processInfo.environment
        let firstSeed = environment["APIKIT_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
        let count = Effort.isSoaking ? 200 : Effort.rounds(3, thorough: 10)
        var outcomes: [KilledUpload.Outcome] = []
        let start = ContinuousClock.now
        for seed in firstSeed..<(firstSeed + UInt64(count)) {
            outcomes.append(try await KilledUpload(seed: seed).run())
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        let summary = KilledUpload.summary(of: outcomes)
        print("soak: \(count) uploads from seed \(firstSeed) in \(Int(seconds)) s: \(summary)")
    }
}

/// One upload, the processes that try it, and what happens to them.
private final class KilledUpload: Sendable {
    struct Outcome {
        var kills = 0
        var cuts = 0
        /// The processes that gave up, since too many of their requests had failed in a row.
        var failures = 0
        /// The bytes that arrived at the server beyond the size of the file.
        var repeatedBytes = 0
        var chunkSize = 1

        var breaks: Int { kills + cuts }
        /// What each break cost on average, in chunks.
        var chunksPerBreak: Double { Double(repeatedBytes) / Double(chunkSize * max(breaks, 1)) }
    }

    private let seed: UInt64
    private let kind: NetworkUploadServer.Kind
    private let size: Int
    private let chunkSize: Int
    private let killLimit: Int
    private let folder = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID())")
    private let random: Locked<SplitMix64>
    private let cuts: [FaultyProxy.Fault]

    init(seed: UInt64) {
        var random = SplitMix64(state: seed)
        self.seed = seed
        let kinds = NetworkUploadServer.Kind.allCases
        kind = kinds[Int(seed % UInt64(kinds.count))]
        if kind == .session || kind == .google {
            chunkSize = Int.random(in: 1...2, using: &random) << 18
        } else {
            chunkSize = Int.random(in: 20_000...300_000, using: &random)
        }
        size = Int.random(in: 1...4_000_000, using: &random)
        killLimit = Int.random(in: 1...4, using: &random)
        let longest = 4 * chunkSize
        cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.cut(atMost: longest, using: &random) }
        self.random = Locked(random)
    }

    func run() async throws -> Outcome {
        try FileManager.default.createDirectory(at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = random.withLock { random in
            Data((0..<(size + 7) / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }.prefix(size))
        }
        try bytes.write(to: folder.appending(path: "film.mp4"))

        let killer = Killer()
        let server = try NetworkUploadServer(kind) { killer.note($0, from: $1) }
        let proxy = try FaultyProxy(to: server.port, faults: cuts)
        let process = UploadProcess(folder: folder, port: proxy.port, kind: kind, chunkSize: chunkSize)
        var outcome = Outcome(chunkSize: chunkSize)
        var processCount = 0
        while true {
            processCount += 1
            try #require(processCount < 60, "seed \(seed): the upload does not end")
            let isLast = outcome.kills >= killLimit
            killer.aim(at: isLast ? nil : random.withLock { Killer.Moment(chunkSize, size, using: &$0) })
            await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") { [process = process as UploadProcess] in
                await process.run()
            }
            let word = process.takeResult()
            // A process can be killed after the upload and before it says so.
            let isComplete = !server.completeUploads.isEmpty && process.stateFiles.isEmpty
            switch word {
            case "done": break
            case nil: outcome.kills += 1
            case "stuck": Issue.record("seed \(seed): a process took more than \(UploadProcess.limit) s")
            case let problem?:
                #expect(problem == "broken", "seed \(seed)")
                outcome.failures += 1
            }
            if word == "done" || isComplete { break }
        }
        killer.aim(at: nil)
        outcome.cuts = proxy.faultCount
        outcome.repeatedBytes = server.receivedByteCount - size
        #expect(!server.completeUploads.isEmpty, "seed \(seed)")
        #expect(server.completeUploads.allSatisfy { $0 == bytes }, "seed \(seed)")
        #expect(process.stateFiles == [], "seed \(seed)")
        #expect(process.otherFiles == ["film.mp4", "state", "tmp"], "seed \(seed)")
        #expect(outcome.repeatedBytes <= outcome.breaks * chunkSize, "seed \(seed): \(outcome)")
        return outcome
    }

    /// A cut in either direction, whose distance is as often small as large.
    private static func cut(atMost limit: Int, using random: inout SplitMix64) -> FaultyProxy.Fault {
        if Int.random(in: 0..<3, using: &random) == 0 {
            return .cutResponse(number: 1, after: Int.random(in: 0...300, using: &random))
        }
        return .cutRequest(after: Int(exp(Double.random(in: 0...log(Double(limit)), using: &random))))
    }

    static func summary(of outcomes: [Outcome]) -> String {
        func median<Value: Comparable>(_ values: [Value]) -> Value { values.sorted()[values.count / 2] }
        let repeated = outcomes.map(\.repeatedBytes)
        let perBreak = outcomes.map(\.chunksPerBreak)
        func text(_ number: Double) -> String { String(format: "%.2f", number) }
        return """
            \(outcomes.map(\.kills).reduce(0, +)) kills, \(outcomes.map(\.cuts).reduce(0, +)) cuts, \
            \(outcomes.map(\.failures).reduce(0, +)) processes gave up; bytes that arrived twice: median \
            \(median(repeated)), at most \(repeated.max() ?? 0); chunks per break: median \(text(median(perBreak))), \
            at most \(text(perBreak.max() ?? 0))
            """
    }
}

/// Kills a process at a moment of its upload.
private final class Killer: Sendable {
    /// After this many bytes and requests, and the time after that.
    struct Moment {
        var bytes: Int
        var requests: Int
        let delay: Duration

        /// A random moment: when bytes arrive, or at one of the first requests, or some milliseconds later.
        init(_ chunkSize: Int, _ size: Int, using random: inout SplitMix64) {
            let isAtRequest = Bool.random(using: &random)
            bytes = isAtRequest ? .max : Int.random(in: 1...max(1, min(size, 3 * chunkSize)), using: &random)
            requests = isAtRequest ? Int.random(in: 1...5, using: &random) : .max
            let isLater = Bool.random(using: &random)
            delay = .microseconds(isLater ? Int.random(in: 0...8000, using: &random) : 0)
        }
    }

    private let moment = Locked<Moment?>(nil)

    /// Kills the next process at this moment; nil for none.
    func aim(at next: Moment?) { moment.withLock { $0 = next } }

    func note(_ event: NetworkUploadServer.Event, from process: Int32) {
        let delay = moment.withLock { moment -> Duration? in
            switch event {
            case .bytes(let count): moment?.bytes -= count
            case .request: moment?.requests -= 1
            }
            guard let current = moment, current.bytes <= 0 || current.requests <= 0 else { return nil }
            moment = nil
            return current.delay
        }
        guard let delay, process > 0 else { return }
        if delay == .zero {
            kill(process, SIGKILL)
        } else {
            // If the process has ended, no other one gets its number within these milliseconds.
            DispatchQueue.global().asyncAfter(deadline: .now() + (delay / .seconds(1))) { kill(process, SIGKILL) }
        }
    }
}

// MARK: - A process

/// A process that uploads the file. It always ends by the signal KILL, which it sends itself once it has written how
/// the upload ended, unless it is killed before.
private struct UploadProcess: Codable, Sendable {
    /// The seconds after which a process counts as stuck.
    static let limit = 60

    let folder: URL
    let port: Int
    let kind: NetworkUploadServer.Kind
    let chunkSize: Int

    private var state: URL { folder.appending(path: "state") }
    private var result: URL { folder.appending(path: "result") }

    func run() async {
        setenv("TMPDIR", folder.appending(path: "tmp").path, 1)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: TimeInterval(Self.limit))
            end("stuck")
        }
        let upload = FileUpload(
            file: folder.appending(path: "film.mp4"), uploadProtocol: kind.uploadProtocol, chunkSize: chunkSize,
            base: APIBase("http://127.0.0.1:\(port)", headers: ["X-Process": "\(getpid())"]))
        do {
            _ = try await Hasty(base: URLSession.api).upload(upload, keepingStateIn: state)
            end("done")
        } catch {
            end(error.transportError?.code == .connectionLost ? "broken" : "\(error)")
        }
    }

    private func end(_ word: String) {
        try? Data(word.utf8).write(to: result)
        kill(getpid(), SIGKILL)
    }

    /// How the upload ended, as the process has written it; nil if it was killed before, or while it opened the file.
    func takeResult() -> String? {
        let word = try? String(contentsOf: result, encoding: .utf8)
        try? FileManager.default.removeItem(at: result)
        return word?.isEmpty == false ? word : nil
    }

    var stateFiles: [String] { (try? FileManager.default.contentsOfDirectory(atPath: state.path)) ?? [] }

    /// All files but those of the state.
    var otherFiles: [String] {
        let files = FileManager.default.subpaths(atPath: folder.path) ?? []
        return files.filter { !$0.hasPrefix("state/") }.sorted()
    }

    /// A client that does not wait between two attempts.
    private struct Hasty: WrappingClient {
        let base: any APIClient
        var clock: any Clock<Duration> { InstantClock() }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            try await base.perform(request, in: call)
        }
    }
}
#endif
