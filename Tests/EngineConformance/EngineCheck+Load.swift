import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    /// A mixed load that lasts as many seconds as the variable `APIKIT_SOAK` says, at least 3, and after which memory,
    /// descriptors and threads return to where they began.
    ///
    /// Nothing else may run in the process meanwhile.
    public static var load: EngineCheck {
        let time = Duration.seconds(max(3, ProcessInfo.processInfo.environment["APIKIT_SOAK"].flatMap { Int($0) } ?? 0))
        return EngineCheck("a mixed load of \(time) is accounted for and leaves nothing") { engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            var (round, tally) = (0, Tally())
            func run(for time: Duration) async throws {
                let end = ContinuousClock.now + time
                repeat {
                    tally.add(try await runRound(round, engine))
                    round += 1
                } while .now < end
            }
            let resumeBacktraces = suspendBacktraces()
            defer { resumeBacktraces() }
            // The first part creates what an engine, the pool of threads and the allocator keep.
            try await run(for: time / 4)
            let start = try await settledResources(of: engine, atMost: nil)
            try await run(for: time * 3 / 4)
            let rest = try await settledResources(of: engine, atMost: start)
            print("soak: \(engine): \(tally.total) requests: \(tally); \(start) -> \(rest)")
            #expect(rest.descriptors <= start.descriptors, "\(start) -> \(rest)")
            // Swift's pool has up to one thread for each processor, and one more for blocking work.
            #expect(rest.threads <= start.threads + ProcessInfo.processInfo.processorCount, "\(start) -> \(rest)")
            #expect(rest.megabytes <= start.megabytes + 16, "\(start) -> \(rest)")
            await expectNoTemporaryFiles()
        }
    }

    /// A round of the load, in which each request is accounted for.
    static let accounts: [EngineCheck] = [
        EngineCheck("each request of a mixed load with faults and cancels is accounted for") { engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            try await runRound(0, engine)
        }
    ]

    /// The resources once connections and threads have ended that only wait for a timeout: as few as a number of them
    /// or, without one, as few as a second before.
    private static func settledResources(of engine: Engine, atMost goal: Resources?) async throws -> Resources {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        defer { server.stop() }
        var (current, last) = (try Resources(), Resources?.none)
        for _ in 0..<20 where !current.hasSettled(since: last, atMost: goal) {
            // An engine may close what a server has closed only when it sends, and at most once a second.
            _ = try await engine.perform("/", on: server)
            try await Task.sleep(for: .milliseconds(1100))
            (last, current) = (current, try Resources())
        }
        return current
    }

    /// Keeps Swift Testing from storing a backtrace of each error until the test ends, which looks like a leak of 300
    /// bytes a request, and returns what lets it do so again.
    private static func suspendBacktraces() -> () -> Void {
        guard let symbol = dlsym(nil, "_swift_willThrow") else { return {} }
        let hook = symbol.assumingMemoryBound(to: UnsafeRawPointer?.self)
        let original = hook.pointee
        hook.pointee = nil
        return { hook.pointee = original }
    }

    /// Sends the requests of a round, and accounts for each of them. The number of the round decides about each, so
    /// that a failure can be repeated.
    @discardableResult
    private static func runRound(_ round: Int, _ engine: Engine) async throws -> Tally {
        let server = try LoopbackServer { Kind(path: $0.path)?.answer ?? .status(404) }
        let outcomes = Locked(Tally())
        await forEach(0..<roundSize, width: 32) { index in
            var random = Random(round: round, index: index)
            var kind = Kind.allCases[Int(random.next() % UInt64(Kind.allCases.count))]
            // For these an engine needs streams.
            if engine.quirks.contains(.deliversDataAlone), kind.delivery != .data { kind = .text }
            let isCancelled = random.next().isMultiple(of: 4)
            let outcome = await outcome(of: kind, index, isCancelled ? random.next() : nil, engine, server)
            outcomes.withLock { $0.count(outcome) }
            let arrivals = server.requests.count { $0.target == "/\(kind)?\(index)" }
            // What may not be repeated arrives at most once, and nothing is complete that never arrived.
            let isExpected = kind.outcomes.contains(outcome) || isCancelled && outcome == .cancelled
            let most = kind == .upload ? 1 : 2
            guard !isExpected || arrivals > most || arrivals == 0 && outcome == .complete else { return }
            Issue.record("\(kind) of round \(round): \(outcome), arrived \(arrivals) times")
        }
        let tally = outcomes.withLock { $0 }
        #expect(tally.total == roundSize)
        server.stop()
        await server.waitUntilIdle()
        return tally
    }

    private static let roundSize = 400

    /// Sends one request, reads its body as its kind says, and returns how that ended.
    private static func outcome(
        of kind: Kind, _ index: Int, _ cancel: UInt64?, _ engine: Engine, _ server: LoopbackServer
    ) async -> Outcome {
        let task = Task {
            let response = try await engine.perform(
                "/\(kind)?\(index)", on: server, method: kind == .upload ? .post : .get,
                body: kind == .upload ? .data(bytes(50_000), contentType: nil) : nil,
                options: RequestOptions(timeout: kind == .silent ? .milliseconds(300) : .seconds(30)),
                delivery: kind.delivery)
            var count = 0
            for try await piece in response.body.bytes {
                count += piece.count
                if kind == .abandoned { return Outcome.left }
                for _ in 0..<(kind == .slowlyRead ? 100 : 0) { await Task.yield() }
            }
            return kind == .slowlyRead && count != bodySize ? .wrong : .complete
        }
        if let cancel { await cancelAnyTime(task, Int(cancel % 10_000)) }
        switch await task.result {
        case .success(let outcome): return outcome
        case .failure(let error as TransportError): return error.code == .timedOut ? .timedOut : .failed
        case .failure(is CancellationError): return .cancelled
        case .failure: return .wrong
        }
    }

    private static let bodySize = 1 << 20

    private enum Outcome: String { case complete, left, failed, timedOut, cancelled, wrong }

    /// What a request asks for, as its path says.
    private enum Kind: String, CaseIterable {
        case text, json, upload, slowlyRead, file, abandoned, truncated, reset, closed, malformed, silent, redirect

        init?(path: String) { self.init(rawValue: String(path.dropFirst())) }

        var delivery: ResponseBody.Delivery {
            switch self {
            case .slowlyRead, .abandoned: .stream
            case .file: .file
            default: .data
            }
        }

        var answer: ServerAnswer {
            switch self {
            case .text, .upload: .text("ok")
            case .json: .json("[1, 2, 3]", status: 404)
            case .slowlyRead, .file: .chunked(Array(repeating: bytes(bodySize / 16), count: 16))
            case .abandoned: .init(steps: ServerAnswer.short(then: .waitForClient).steps)
            case .truncated: .short(then: .close)
            case .reset: .init(steps: [.reset])
            case .closed: .init(steps: [.close])
            case .malformed: .raw("HTTP/1.1 200 OK\r\nno header\r\n\r\n")
            case .silent: .init(steps: [.waitForClient])
            case .redirect: .status(302, headers: [("Location", "/text")])
            }
        }

        /// How such a request may end if it is not cancelled.
        var outcomes: Set<Outcome> {
            switch self {
            case .text, .json, .upload, .slowlyRead, .file, .redirect: [.complete]
            case .abandoned: [.left]
            case .truncated, .reset, .closed, .malformed: [.failed]
            case .silent: [.timedOut]
            }
        }
    }

    /// How many requests ended in which way.
    private struct Tally: CustomStringConvertible {
        private var counts: [Outcome: Int] = [:]

        var total: Int { counts.values.reduce(0, +) }
        var description: String {
            counts.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        }

        mutating func count(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }
        mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014), begun anew for each request.
    private struct Random: RandomNumberGenerator {
        private var state: UInt64

        init(round: Int, index: Int) { state = UInt64(round) << 32 &+ UInt64(index) }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }
}

/// What the process has of the system; zero where there is no `/proc`.
private struct Resources: CustomStringConvertible {
    var megabytes = 0
    var descriptors = 0
    var threads = 0

    var description: String { "\(megabytes) MiB, \(descriptors) descriptors, \(threads) threads" }

    init() throws {
        #if canImport(Glibc)
        // What the allocator keeps for later is not in use.
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0) }
        #endif
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return }
        let number = { (name: String) in
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        (megabytes, threads) = (number("VmRSS") / 1024, number("Threads"))
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    func hasSettled(since last: Resources?, atMost goal: Resources?) -> Bool {
        guard let limit = goal ?? last else { return false }
        return descriptors <= limit.descriptors && threads <= limit.threads
    }
}
