import APIKitCore
import APIKitTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// Records the steps of a `send`: their names, and whether they ran on the main actor.
private enum Steps {
    struct Step: Hashable {
        let name: String
        let isOnMain: Bool
    }

    @TaskLocal static var log: Recorder<Step>?

    static func record(_ name: String) { log?.append(Step(name: name, isOnMain: MainQueue.isCurrent)) }

    /// A value, once the step has been recorded.
    static func recorded<Value>(_ name: String, _ value: Value) -> Value {
        record(name)
        return value
    }
}

/// A model and a failure.
private struct Watched: APIResponse {
    static func isSuccess(_ head: HTTPResponse.Head) -> Bool { Steps.recorded("isSuccess(_:)", head.status == 200) }
    static func process(data: Data) throws -> Watched { Steps.recorded("process(data:)", Watched()) }
    static func process(response: HTTPResponse) async throws -> Watched {
        try Steps.recorded("process(response:)", process(data: Data()))
    }
}

private struct WatchedValue: JSONBody {
    func encode(to encoder: any Encoder) throws {
        Steps.record("encode(to:)")
        var container = encoder.singleValueContainer()
        try container.encode(7)
    }
}

private struct WatchedRequest: APIRequest {
    typealias Response = Watched
    typealias Failure = Watched
    var deadline: RequestOptions.TimeLimit?
    var base: APIBase { Steps.recorded("base", "https://api.example.com") }
    var path: URLPath { Steps.recorded("path", "watched") }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { Steps.recorded("headers", [:]) }
    var body: RequestBody? { Steps.recorded("body", .json(WatchedValue())) }
    var options: RequestOptions { RequestOptions(deadline: deadline) }
    func process(_ response: HTTPResponse) async throws -> Watched {
        Steps.record("process(_:)")
        return try await Watched.process(response: response)
    }
}

/// A client isolated to the main actor, such as one that updates a view.
@MainActor private final class MainClient: APIClient {
    nonisolated var clock: any Clock<Duration> { ContinuousClock() }
    var responses: [HTTPResponse]

    init(_ responses: HTTPResponse...) { self.responses = responses }

    @MainActor func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        Steps.record("perform(_:)")
        return responses.removeFirst()
    }
}

@Suite(.timeLimit(.minutes(10))) struct APIClientIsolationTests {
    private static let building = ["base", "body", "encode(to:)", "headers", "path"]
    private static let rejecting = ["isSuccess(_:)", "process(data:)", "process(response:)"]
    private static let mapping = rejecting + ["process(_:)"]

    /// Runs an operation and returns the steps that it recorded.
    @MainActor private func steps(_ operation: @MainActor () async -> Void) async -> [Steps.Step] {
        let log = Recorder<Steps.Step>()
        await Steps.$log.withValue(log) { await operation() }
        return log.values
    }

    private func names(_ steps: [Steps.Step]) -> [String] { Set(steps.map(\.name)).sorted() }

    @Test @MainActor func detectsMainActor() async throws {
        #expect(MainQueue.isCurrent)
        let steps = await steps {
            _ = try? Watched.process(data: Data())
            _ = try? await WatchedRequest().process(.status(200))
            _ = try? WatchedRequest().httpRequest()
        }
        #expect(names(steps) == (Self.building + Self.mapping.dropFirst()).sorted())
        #expect(steps.filter { !$0.isOnMain } == [])
        #expect(await !elsewhere())
        #expect(MainQueue.isCurrent)
    }

    @concurrent private func elsewhere() async -> Bool { MainQueue.isCurrent }

    @Test(arguments: [nil, RequestOptions.TimeLimit.seconds(600)], [200, 500])
    @MainActor func sendRunsEndpointOffMainActor(deadline: RequestOptions.TimeLimit?, status: Int) async {
        let request = WatchedRequest(deadline: deadline)
        let mapping = status == 200 ? Self.mapping : Self.rejecting
        for _ in 0..<20 {
            let steps = await steps { _ = try? await ImmediateClient(.status(status)).send(request) }
            #expect(names(steps) == (Self.building + mapping).sorted())
            #expect(steps.filter(\.isOnMain) == [])
        }
    }

    @Test @MainActor func replyAndStartRunEndpointOffMainActor() async {
        let client = ImmediateClient(.status(200))
        let reply = await steps { _ = try? await client.reply(to: WatchedRequest()) }
        let start = await steps { await client.start(WatchedRequest()).value }
        for steps in [reply, start] {
            #expect(names(steps) == (Self.building + Self.mapping).sorted())
            #expect(steps.filter(\.isOnMain) == [])
        }
    }

    @Test(arguments: [nil, RequestOptions.TimeLimit.seconds(600)], [200, 500])
    @MainActor func mapsOffMainActorWithMainActorClient(deadline: RequestOptions.TimeLimit?, status: Int) async {
        let client = MainClient(.status(307, headers: [.location: "/next"]), .status(status))
        let steps = await steps { _ = try? await client.send(WatchedRequest(deadline: deadline)) }
        #expect(steps.filter(\.isOnMain).map(\.name) == ["perform(_:)", "perform(_:)"])
        #expect(Set(names(steps)).isSuperset(of: status == 200 ? Self.mapping : Self.rejecting))
    }

    // Redirects and failures do not hop either.
    @Test func nonisolatedSendEnqueuesOnlyItsStart() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let client = ImmediateClient { request in
            request.url.path == "/next" ? .json("[]") : .status(302, headers: [.location: "/next"])
        }
        let any: any APIClient = client
        let throwing = ImmediateClient { _ in throw TransportError(.timedOut) }
        let operations: [@Sendable () async throws -> Bool] = [
            { try await client.send(AccountsRequest()).isEmpty }, { try await any.send(AccountsRequest()).isEmpty },
            { try await client.reply(to: AccountsRequest()).model.isEmpty },
            { try await ImmediateClient(.page).failure(of: AccountsRequest()).status == 503 },
            { try await ImmediateClient(.json("{")).failure(of: AccountsRequest()).unreadable != nil },
            { try await throwing.failure(of: AccountsRequest()).transport != nil },
        ]
        for operation in operations { #expect(try await enqueues(operation) == 1) }
    }

    // The control: hops are counted.
    @Test func countsHops() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let hops = try await enqueues {
            let client = await MainClient(.json("[]"))
            return try await client.send(AccountsRequest()).isEmpty
        }
        #expect(hops == 3)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private func enqueues(_ operation: @escaping @Sendable () async throws -> Bool) async throws -> Int {
        let executor = CountingExecutor()
        let task = Task(executorPreference: executor) { try await operation() }
        #expect(try await task.value)
        return executor.count
    }
}

/// Runs jobs on a queue of its own and counts them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "CountingExecutor")
    private let jobs = Recorder<Void>()

    var count: Int { jobs.values.count }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(())
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
