import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) @OneAtATime struct LimitedTests {
    /// Holds each request until it is released, and counts.
    private final class Server: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        private struct State {
            var held: [Int: CheckedContinuation<Void, Never>] = [:]
            var started: [Int] = []
            var most = 0
        }

        private let state = Locked(State())
        private let starts = AsyncStream<Void>.makeStream()

        var started: [Int] { state.withLock { $0.started } }
        var held: [Int] { state.withLock { $0.held.keys.sorted() } }
        /// The most requests that were held at a time.
        var most: Int { state.withLock { $0.most } }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let number = Int(request.url.lastPathComponent) ?? -1
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.started.append(number)
                    state.held[number] = continuation
                    state.most = max(state.most, state.held.count)
                }
                starts.continuation.yield()
            }
            // The first response of this origin says that its limit is used up.
            let isUsedUp = request.url.host == "busy.example.com" && number == 0
            return .status(204, headers: isUsedUp ? ["RateLimit": #""hour";r=0;t=30"#] : [:])
        }

        func release(_ number: Int) { state.withLock { $0.held.removeValue(forKey: number) }?.resume() }

        /// Waits for starts of requests until a condition holds.
        func wait(until condition: () -> Bool) async {
            var iterator = starts.stream.makeAsyncIterator()
            while !condition() { guard await iterator.next() != nil else { return } }
        }
    }

    private let server = Server()

    private func request(_ number: Int) -> HTTPRequest {
        HTTPRequest(url: URL(string: "https://api.example.com/\(number)")!)
    }

    private func send(_ number: Int, through client: any APIClient) -> Task<Int, any Error> {
        Task { try await client.perform(request(number)).head.status }
    }

    // MARK: - At a time

    @Test(arguments: [(1, 1), (3, 3), (0, 1), (-5, 1), (Int.min, 1), (nil, 9), (Int.max, 9)] as [(Int?, Int)])
    func runsSoManyAtATime(limit: Int?, running: Int) async throws {
        let client = server.limited(concurrent: limit)
        let tasks = (0..<9).map { send($0, through: client) }
        await server.wait { server.held.count == running }
        await OneAtATime.settle()
        #expect(server.held == Array(0..<running))
        for number in 0..<9 {
            server.release(number)
            #expect(try await tasks[number].value == 204)
            await server.wait { server.started.count == min(9, running + number + 1) }
        }
        #expect(server.started == Array(0..<9))
        #expect(server.most == running)
    }

    @Test func failureFreesPlace() async throws {
        let client = ImmediateClient { _ in throw TransportError(.connectionLost) }.limited(concurrent: 1)
        for _ in 0..<3 { await #expect(throws: TransportError.self) { try await client.perform(request(0)) } }
    }

    @Test func cancelledWaiterLeavesQueue() async throws {
        let client = server.limited(concurrent: 1)
        let tasks = (0..<4).map { send($0, through: client) }
        await OneAtATime.settle()
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        for number in [0, 2, 3] {
            await server.wait { !server.held.isEmpty }
            #expect(server.held == [number])
            server.release(number)
            #expect(try await tasks[number].value == 204)
        }
        #expect(server.started == [0, 2, 3])
    }

    @Test func cancelledTaskStartsNothing() async throws {
        let client = server.limited(concurrent: 1)
        let task = send(0, through: client)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.started.isEmpty)
        let next = send(1, through: client)
        await server.wait { !server.held.isEmpty }
        server.release(1)
        #expect(try await next.value == 204)
    }

    /// How a stream gives its place back.
    enum End: CaseIterable { case end, failure, leaving, release, cancel }

    @Test(arguments: End.allCases) func streamKeepsPlaceUntilItsEnd(end: End) async throws {
        let pieces = AsyncThrowingStream<Data, any Error>.makeStream()
        let streaming = ImmediateClient { request in
            let body = request.delivery == .stream ? ResponseBody(ByteStream(pieces.stream)) : ResponseBody()
            return HTTPResponse(head: HTTPResponse.status(200).head, body: body)
        }
        let client = streaming.limited(concurrent: 1)
        var first = request(0)
        first.delivery = .stream
        var response: HTTPResponse? = try await client.perform(first)
        let isStarted = Locked(false)
        let waiting = Task {
            _ = try await client.perform(request(1))
            isStarted.withLock { $0 = true }
        }
        pieces.continuation.yield(Data("abc".utf8))
        await OneAtATime.settle()
        #expect(!isStarted.withLock { $0 })
        if end == .release {
            response = nil
        } else {
            let bytes = try #require(response?.body.bytes)
            response = nil
            let reader = Task { for try await _ in bytes where end == .leaving { break } }
            await OneAtATime.settle()
            switch end {
            case .end: pieces.continuation.finish()
            case .failure: pieces.continuation.finish(throwing: TransportError(.connectionLost))
            case .cancel: reader.cancel()
            case .leaving, .release: break
            }
            _ = await reader.result
        }
        try await waiting.value
        #expect(isStarted.withLock { $0 })
    }

    @Test func otherBodiesFreePlaceAtOnce() async throws {
        let client = StubClient(.status(200, body: Data("abc".utf8))).limited(concurrent: 1)
        for number in 0..<2 { #expect(try await client.perform(request(number)).body.data == Data("abc".utf8)) }
    }

    // MARK: - Per second

    @Test func spacesStarts() async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(perSecond: 4)
        let tasks = (0..<4).map { send($0, through: client) }
        for count in 1...3 {
            await clock.waitForSleepers(1)
            #expect(server.started == Array(0..<count))
            clock.advance(by: .milliseconds(249))
            await clock.waitForSleepers(1)
            #expect(server.started.count == count)
            clock.advance(by: .milliseconds(1))
            await server.wait { server.started.count > count }
        }
        for number in 0..<4 { server.release(number) }
        for task in tasks { _ = try await task.value }
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func unusedTimeIsNotSaved() async throws {
        let clock = ManualClock(skippingSleep: true)
        let starts = Recorder<Duration>()
        let client = ImmediateClient { _ in
            starts.append(clock.elapsed)
            return .status(204)
        }.timed(by: clock).limited(perSecond: 0.5)
        _ = try await client.perform(request(0))
        clock.advance(by: .seconds(60))
        for number in 1...3 { _ = try await client.perform(request(number)) }
        #expect(starts.values == [0, 60, 62, 64].map { .seconds($0) })
    }

    @Test(
        arguments: [(#""hour";r=0;t=5"#, 5), (#""hour";r=0;t=500"#, 60), (#""hour";r=1;t=5"#, 0), ("?", 0)]
            as [(String, Int)])
    func waitsForTheEndOfAUsedUpRateLimit(text: String, seconds: Int) async throws {
        let clock = ManualClock(skippingSleep: true)
        let start = clock.now
        let client = StubClient(.status(200, headers: ["RateLimit": text])).timed(by: clock).limited(concurrent: 2)
        for number in 0..<2 { _ = try await client.perform(request(number)) }
        #expect(start.duration(to: clock.now) == .seconds(seconds))
    }

    private func request(_ host: String, _ number: Int = 0) -> HTTPRequest {
        HTTPRequest(url: URL(string: "https://\(host)/\(number)")!)
    }

    @Test(arguments: [nil, 2] as [Double?]) func usedUpRateLimitDelaysOnlyItsOrigin(rate: Double?) async throws {
        let clock = ManualClock(skippingSleep: true)
        let starts = Recorder<String>()
        let client = ImmediateClient { request in
            starts.append("\(request.url.host ?? "") \(clock.elapsed.components.seconds)")
            let isUsedUp = request.url.host == "busy.example.com"
            return .status(204, headers: isUsedUp ? ["RateLimit": #""hour";r=0;t=30"#] : [:])
        }.timed(by: clock).limited(concurrent: 2, perSecond: rate)
        for host in ["busy", "other", "other", "busy", "other"] {
            _ = try await client.perform(request("\(host).example.com"))
        }
        let end = rate == nil ? 0 : 1
        let beginning = ["busy.example.com 0", "other.example.com 0", "other.example.com \(end)"]
        #expect(starts.values == beginning + ["busy.example.com 30", "other.example.com 30"])
    }

    @Test func requestsWaitForTheirOriginsRateLimitInOrderAndLetOthersPass() async throws {
        let clock = ManualClock()
        let starts = Recorder<Int>()
        let client = ImmediateClient { request in
            let number = Int(request.url.lastPathComponent) ?? -1
            starts.append(number)
            return .status(204, headers: number == 0 ? ["RateLimit": #""hour";r=0;t=30"#] : [:])
        }.timed(by: clock).limited(concurrent: 1)
        _ = try await client.perform(request("busy.example.com", 0))
        var waiting: [Task<HTTPResponse, any Error>] = []
        for number in 1...4 {
            waiting.append(Task { try await client.perform(request("busy.example.com", number)) })
            await OneAtATime.settle()
        }
        for number in 5...6 { _ = try await client.perform(request("other.example.com", number)) }
        #expect(starts.values == [0, 5, 6])
        // A cancelled one leaves the line, wherever it is.
        waiting[1].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[1].value }
        clock.advance(by: .seconds(30))
        for task in [waiting[0], waiting[2], waiting[3]] { _ = try await task.value }
        #expect(starts.values == [0, 5, 6, 1, 3, 4])
        _ = try await client.perform(request("busy.example.com", 7))
        #expect(clock.advanceToNextSleeper() == nil)
    }

    /// A request that waits for a place when its origin's limit is used up lets another origin's request start.
    @Test func rateLimitThatIsUsedUpMeanwhileCountsForRequestsThatWaitForAPlace() async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(concurrent: 1)
        let requests = [
            request("busy.example.com", 0), request("busy.example.com", 1), request("other.example.com", 2),
        ]
        var tasks: [Task<HTTPResponse, any Error>] = []
        for request in requests {
            tasks.append(Task { try await client.perform(request) })
            await OneAtATime.settle()
        }
        #expect(server.started == [0])
        server.release(0)
        await server.wait { server.started.count > 1 }
        #expect(server.started == [0, 2])
        server.release(2)
        _ = try await tasks[2].value
        clock.advance(by: .seconds(30))
        await server.wait { server.started.count > 2 }
        #expect(server.started == [0, 2, 1])
        server.release(1)
        for task in tasks { _ = try await task.value }
    }

    /// Those that come later may be so many that there are always some in the queue.
    @Test func requestsThatHaveWaitedForARateLimitStartBeforeThoseThatHaveComeLater() async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(concurrent: 1)
        let hosts = ["busy", "busy", "busy", "other", "other", "other"]
        var tasks: [Task<HTTPResponse, any Error>] = []
        for (number, host) in hosts.enumerated() {
            tasks.append(Task { try await client.perform(request("\(host).example.com", number)) })
            await OneAtATime.settle()
        }
        server.release(0)
        await server.wait { server.started.count > 1 }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(30))
        for index in 1..<hosts.count {
            await server.wait { server.started.count > index }
            // The next one in line now waits for the place.
            await OneAtATime.settle()
            server.release(server.started[index])
        }
        for task in tasks { _ = try await task.value }
        #expect(server.started == [0, 3, 1, 2, 4, 5])
    }

    @Test func cancelledWaiterLeavesNoTimeUnused() async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(perSecond: 1)
        let tasks = (0..<4).map { send($0, through: client) }
        await clock.waitForSleepers(1)
        // The one that waits for its time, and one behind it.
        tasks[1].cancel()
        tasks[2].cancel()
        for task in tasks[1...2] { await #expect(throws: CancellationError.self) { try await task.value } }
        await clock.waitForSleepers(1)
        #expect(server.started == [0])
        clock.advance(by: .seconds(1))
        await server.wait { server.started.count > 1 }
        #expect(server.started == [0, 3])
        for number in server.started { server.release(number) }
        #expect(try await tasks[3].value == 204)
    }

    @Test(
        arguments: [
            (0.0, Duration.zero), (-1, .zero), (-.infinity, .zero), (.nan, .zero), (.infinity, .zero),
            (.greatestFiniteMagnitude, .zero), (.leastNonzeroMagnitude, .seconds(2 << 31)),
        ] as [(Double, Duration)])
    func extremeRateDoesNotTrap(rate: Double, waited: Duration) async throws {
        let clock = ManualClock(skippingSleep: true)
        let client = StubClient(.status(204)).timed(by: clock).limited(perSecond: rate)
        for number in 0..<3 { _ = try await client.perform(request(number)) }
        #expect(clock.elapsed == waited)
    }

    @Test func waitingCountsTowardsDeadline() async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(concurrent: 1)
        let first = send(0, through: client)
        await server.wait { !server.held.isEmpty }
        let endpoint = Endpoint<NoContent, Data>(options: RequestOptions(deadline: .seconds(5)))
        async let error = client.failure(of: endpoint)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        let code = try await error.transportCode
        #expect(code == .timedOut)
        server.release(0)
        #expect(try await first.value == 204)
        #expect(server.started == [0])
    }

    // MARK: - Random cancels

    @Test(arguments: [(1, nil), (3, nil), (3, 100)] as [(Int, Double?)])
    func survivesRandomCancels(limit: Int, rate: Double?) async throws {
        let clock = ManualClock()
        let client = server.timed(by: clock).limited(concurrent: limit, perSecond: rate)
        var generator = SplitMix64(state: UInt64(limit))
        var tasks: [Int: Task<Int, any Error>] = [:]
        var (next, cancels) = (0, 0)
        var cancelled: Set<Int> = []
        while cancels < Effort.rounds(1_000, thorough: 10_000) {
            switch Int.random(in: 0..<9, using: &generator) {
            case 0..<4:
                let request = request(next)
                tasks[next] = Task.startingImmediately { try await client.perform(request).head.status }
                next += 1
            case 4..<8:
                let held = Set(server.held)
                guard let victim = tasks.keys.filter({ !held.contains($0) }).sorted().randomElement(using: &generator)
                else { continue }
                tasks.removeValue(forKey: victim)?.cancel()
                cancelled.insert(victim)
                cancels += 1
            default:
                if let number = server.held.randomElement(using: &generator) {
                    server.release(number)
                    _ = try await tasks.removeValue(forKey: number)?.value
                }
            }
            clock.advance(by: .milliseconds(50))
            // Not always, so that several things happen at once.
            guard Bool.random(using: &generator) else { continue }
            guard rate == nil else {
                await OneAtATime.settle()
                continue
            }
            // No hole: a place is free only if nobody waits.
            await server.wait { server.held.count == min(limit, Set(tasks.keys).union(server.held).count) }
        }
        while !tasks.isEmpty, !Task.isCancelled {
            clock.advance(by: .seconds(1))
            for number in server.held {
                server.release(number)
                _ = try await tasks.removeValue(forKey: number)?.value
            }
            await OneAtATime.settle()
        }
        #expect(server.most == limit)
        #expect(server.started.count > cancels / 20)
        // Tasks that start at the same time can come to the server in another order, which is rare.
        let overtaken = zip(server.started, server.started.dropFirst()).count { $0 > $1 }
        #expect(overtaken < server.started.count / 100)
        // Nobody is forgotten: all have started or were cancelled.
        #expect(Set(server.started).union(cancelled).count == next)
    }
}
