import APIKitCore
import Dispatch
import Foundation
import Testing

/// Where the steps of a `send` run: each writes down its name and whether the main actor ran it.
private enum Steps {
    struct Step: Hashable {
        let name: String
        let isOnMain: Bool
    }

    @TaskLocal static var log: Recorder<Step>?

    static func mark(_ name: String) {
        log?.append(Step(name: name, isOnMain: MainQueue.isCurrent))
    }
}

private struct Watched: APIResponse {
    static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Steps.mark("Response.isSuccess(_:)")
        return head.status == 200
    }
    static func process(data: Data) throws -> Watched {
        Steps.mark("Response.process(data:)")
        return Watched()
    }
    static func process(response: HTTPResponse) async throws -> Watched {
        Steps.mark("Response.process(response:)")
        return try process(data: Data())
    }
}

private struct WatchedFailure: APIResponse {
    static func process(data: Data) throws -> WatchedFailure {
        Steps.mark("Failure.process(data:)")
        return WatchedFailure()
    }
    static func process(response: HTTPResponse) async throws -> WatchedFailure {
        Steps.mark("Failure.process(response:)")
        return try process(data: Data())
    }
}

private struct WatchedValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        Steps.mark("encode(to:)")
        var container = encoder.singleValueContainer()
        try container.encode(7)
    }
}

private struct WatchedRequest: APIRequest {
    typealias Response = Watched
    typealias Failure = WatchedFailure
    var deadline: Duration?
    var baseURL: URL {
        Steps.mark("baseURL")
        return URL(string: "https://api.example.com")!
    }
    var path: URLPath {
        Steps.mark("path")
        return "watched"
    }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders {
        Steps.mark("headers")
        return [:]
    }
    var body: RequestBody? {
        Steps.mark("body")
        return .json(WatchedValue())
    }
    var options: RequestOptions { RequestOptions(deadline: deadline) }
    func process(_ response: HTTPResponse) async throws -> Watched {
        Steps.mark("process(_:)")
        return try await Watched.process(response: response)
    }
}

/// A client of the main actor, such as one that touches a view.
@MainActor private final class MainClient: APIClient {
    var answers: [HTTPResponse]

    init(_ answers: HTTPResponse...) {
        self.answers = answers
    }

    @MainActor func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        Steps.mark("perform(_:)")
        return answers.removeFirst()
    }
}

@Suite(.timeLimit(.minutes(1))) struct APIClientIsolationTests {
    private static let making = ["baseURL", "body", "encode(to:)", "headers", "path"]
    private static let mapping = [
        "Response.isSuccess(_:)", "Response.process(data:)", "Response.process(response:)", "process(_:)",
    ]
    private static let refusing = ["Failure.process(data:)", "Failure.process(response:)", "Response.isSuccess(_:)"]

    /// Runs an operation and gives what it marked.
    @MainActor private func steps(_ operation: @MainActor () async -> Void) async -> [Steps.Step] {
        let log = Recorder<Steps.Step>()
        await Steps.$log.withValue(log) { await operation() }
        return log.values
    }

    private func names(_ steps: [Steps.Step]) -> [String] {
        Set(steps.map(\.name)).sorted()
    }

    // MARK: - The check itself

    @Test @MainActor func theCheckSeesTheMainActor() async throws {
        #expect(MainQueue.isCurrent)
        let steps = await steps {
            _ = try? Watched.process(data: Data())
            _ = try? await WatchedRequest().process(.status(200))
            _ = try? WatchedRequest().httpRequest()
        }
        #expect(names(steps) == (Self.making + Self.mapping.dropFirst()).sorted())
        #expect(steps.filter { !$0.isOnMain } == [])
        #expect(await !elsewhere())
        #expect(MainQueue.isCurrent)
    }

    @concurrent private func elsewhere() async -> Bool {
        MainQueue.isCurrent
    }

    // MARK: - Never on the main actor

    @Test(arguments: [nil, Duration.seconds(600)])
    @MainActor func nothingOfTheEndpointRunsOnTheMainActor(deadline: Duration?) async {
        let request = WatchedRequest(deadline: deadline)
        for _ in 0..<20 {
            let steps = await steps { _ = try? await ImmediateClient(.status(200)).send(request) }
            #expect(names(steps) == (Self.making + Self.mapping).sorted())
            #expect(steps.filter(\.isOnMain) == [])
        }
    }

    @Test @MainActor func nothingOfReplyAndStartRunsOnTheMainActor() async {
        let client = ImmediateClient(.status(200))
        let reply = await steps { _ = try? await client.reply(to: WatchedRequest()) }
        #expect(names(reply) == (Self.making + Self.mapping).sorted())
        #expect(reply.filter(\.isOnMain) == [])
        let start = await steps { await client.start(WatchedRequest()).value }
        #expect(names(start) == (Self.making + Self.mapping).sorted())
        #expect(start.filter(\.isOnMain) == [])
    }

    @Test @MainActor func noFailureIsReadOnTheMainActor() async {
        let steps = await steps { _ = try? await ImmediateClient(.status(500)).send(WatchedRequest()) }
        #expect(names(steps) == (Self.making + Self.refusing).sorted())
        #expect(steps.filter(\.isOnMain) == [])
    }

    @Test(arguments: [nil, Duration.seconds(600)])
    @MainActor func aClientOfTheMainActorDoesNotPullTheMappingThere(deadline: Duration?) async {
        let client = MainClient(.status(307, headers: [.location: "/next"]), .status(200))
        let steps = await steps { _ = try? await client.send(WatchedRequest(deadline: deadline)) }
        #expect(steps.filter(\.isOnMain).map(\.name) == ["perform(_:)", "perform(_:)"])
        #expect(Set(names(steps)).isSuperset(of: Self.mapping))
    }

    @Test @MainActor func aClientOfTheMainActorDoesNotPullTheFailureThere() async {
        let client = MainClient(.status(500))
        let steps = await steps { _ = try? await client.send(WatchedRequest()) }
        #expect(steps.filter(\.isOnMain).map(\.name) == ["perform(_:)"])
        #expect(Set(names(steps)).isSuperset(of: Self.refusing))
    }

    @Test func anotherActorsCallerDoesNotMatter() async {
        actor Caller {
            func steps() async -> [Steps.Step] {
                let log = Recorder<Steps.Step>()
                await Steps.$log.withValue(log) { _ = try? await ImmediateClient(.status(200)).send(WatchedRequest()) }
                return log.values
            }
        }
        let steps = await Caller().steps()
        #expect(names(steps) == (Self.making + Self.mapping).sorted())
        #expect(steps.filter(\.isOnMain) == [])
    }

    // MARK: - No hops

    @Test func aSendFromATaskOnNoActorEnqueuesItsOwnStartAlone() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(try await enqueues { try await ImmediateClient(.json("[]")).send(AccountsRequest()).isEmpty } == 1)
        #expect(
            try await enqueues { try await ImmediateClient(.json("[]")).reply(to: AccountsRequest()).model.isEmpty }
                == 1)
        let any: any APIClient = ImmediateClient(.json("[]"))
        #expect(try await enqueues { try await any.send(AccountsRequest()).isEmpty } == 1)
    }

    @Test func neitherRedirectsNorFailuresHop() async throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let redirecting = ImmediateClient { request in
            request.url.path == "/next" ? .json("[]") : .status(302, headers: [.location: "/next"])
        }
        #expect(try await enqueues { try await redirecting.send(AccountsRequest()).isEmpty } == 1)
        let refusing = ImmediateClient(.page)
        #expect(try await enqueues { try await refusing.failure(of: AccountsRequest()).status == 503 } == 1)
        let unreadable = ImmediateClient(.json("{"))
        #expect(try await enqueues { try await unreadable.failure(of: AccountsRequest()).unreadable != nil } == 1)
        let throwing = ImmediateClient { _ in throw TransportError(.timedOut) }
        #expect(try await enqueues { try await throwing.failure(of: AccountsRequest()).transport != nil } == 1)
    }

    // The control: a hop is counted.
    @Test func theCountSeesAHop() async throws {
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
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "CountingExecutor")
    private let jobs = Recorder<Void>()

    var count: Int { jobs.values.count }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(())
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
