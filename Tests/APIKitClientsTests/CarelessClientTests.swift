import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// Clients that implement `perform` and nothing else, and are not careful with the request: whatever they do, the call
/// keeps its clock, deadline, progress, attempts and the protection of redirects.
@Suite struct CarelessClientTests {
    /// A client that only passes the request on.
    private struct Passing: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            try await base.perform(request, in: call)
        }
    }

    /// Builds a request of its own, with a token.
    private struct Rebuilding: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            var headers = request.headers
            headers[.authorization] = "Bearer secret-token-1234"
            let rebuilt = HTTPRequest(
                method: request.method, url: request.url, headers: headers, body: request.body,
                delivery: request.delivery)
            return try await base.perform(rebuilt, in: call)
        }
    }

    /// Sends each request twice, at the same time, and takes the first response.
    private struct Doubling: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            async let first = base.perform(request, in: call)
            async let second = base.perform(request, in: call)
            _ = try await second
            return try await first
        }
    }

    /// Answers the first request without its base.
    private final class Answering: WrappingClient {
        let base: any APIClient
        private let isFirst = Locked(true)

        init(base: any APIClient) {
            self.base = base
        }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return try await base.perform(request, in: call) }
            return .status(503)
        }
    }

    /// Stores requests, and performs them from there.
    private final class Storing: WrappingClient {
        let base: any APIClient
        private let stored = Locked<[(HTTPRequest, Call)]>([])

        init(base: any APIClient) {
            self.base = base
        }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            stored.withLock { $0.append((request, call)) }
            let (request, call) = try #require(stored.withLock { $0.popLast() })
            return try await base.perform(request, in: call)
        }
    }

    /// Works in a task that knows nothing of the caller's.
    private struct Detaching: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let task = Task.detached { [base] in try await base.perform(request, in: call) }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Wraps the one that it gets anew for each request.
    private struct Wrapping: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            try await Passing(base: base).adding(headers: ["X-Shop": "1"]).perform(request, in: call)
        }
    }

    /// Forgets the options of the API.
    private struct Forgetting: WrappingClient {
        let base: any APIClient

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            var request = request
            request.options = RequestOptions()
            return try await base.perform(request, in: call)
        }
    }

    enum Careless: CaseIterable {
        case passing, rebuilding, doubling, answering, storing, detaching, wrapping, forgetting

        func around(_ base: any APIClient) -> any APIClient {
            switch self {
            case .passing: Passing(base: base)
            case .rebuilding: Rebuilding(base: base)
            case .doubling: Doubling(base: base)
            case .answering: Answering(base: base)
            case .storing: Storing(base: base)
            case .detaching: Detaching(base: base)
            case .wrapping: Wrapping(base: base)
            case .forgetting: Forgetting(base: base)
            }
        }
    }

    private struct ItemsRequest: APIRequest {
        typealias Response = Data
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "items" }
    }

    private struct UploadRequest: APIRequest {
        typealias Response = Data
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "items" }
        var method: HTTPMethod { .put }
        var body: RequestBody? { .data(Data(count: 1000), contentType: .octetStream) }
    }

    @Test(arguments: Careless.allCases)
    func keepTheClock(of careless: Careless) async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(.status(503), clock: clock)
        let start = clock.now
        await #expect(throws: APIError<Data>.self) {
            try await careless.around(stub).retrying(.backoff(attempts: 3)).send(ItemsRequest())
        }
        #expect(start.duration(to: clock.now) > .zero)
    }

    @Test(.timeLimit(.minutes(10)), arguments: Careless.allCases)
    func keepTheDeadline(of careless: Careless) async throws {
        let clock = ManualClock()
        let stub = StubClient(clock: clock)
            .answering(.get, "/items", with: .status(200).delayed(by: .seconds(50)))
        let client = careless == .answering ? careless.around(stub).retrying() : careless.around(stub)
        let sending = Task {
            try await client.send(ItemsRequest(), options: RequestOptions(deadline: .seconds(5)))
        }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: APIError<Data>.self) { try await sending.value }
        #expect(error?.transportCode == .timedOut)
    }

    @Test(arguments: Careless.allCases)
    func keepTheProgress(of careless: Careless) async throws {
        let stub = StubClient().answering(.put, "/items", with: .status(200))
        let last = Locked(TransferProgress())
        let client = careless == .answering ? careless.around(stub).retrying() : careless.around(stub)
        _ = try await client.timed(by: ManualClock(skippingSleep: true))
            .send(UploadRequest(), progress: .anywhere { progress in last.withLock { $0 = progress } })
        #expect(last.withLock { $0 }.bytesSent == 1000)
    }

    @Test(arguments: Careless.allCases)
    func keepTheAttempts(of careless: Careless) async throws {
        let stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(ItemsRequest.self, once: .status(503), .status(503), .status(200), .status(200))
        let attempts = Locked([Int]())
        let client = stub.observed { event in attempts.withLock { $0.append(event.attempt) } }
        _ = try await careless.around(client).retrying(.backoff(attempts: 4)).send(ItemsRequest())
        let counted = attempts.withLock { $0 }
        #expect(counted.sorted() == counted)
        #expect(counted.last.map { $0 >= 2 } == true)
    }

    @Test(arguments: Careless.allCases)
    func keepTheProtectionOfRedirects(of careless: Careless) async throws {
        let stub = StubClient { request in
            request.url.host == "api.example.com"
                ? HTTPResponse(
                    head: .init(status: 302, headers: [.location: "https://evil.example/x"], url: request.url))
                : HTTPResponse(head: .init(status: 200, url: request.url))
        }
        let client = careless.around(
            stub.intercepted { request, _, next in
                var request = request
                request.headers[.authorization] = "Bearer secret-token-1234"
                return try await next(request)
            })
        _ = try? await client.send(ItemsRequest())
        let elsewhere = stub.requests.filter { $0.url.host == "evil.example" }
        #expect(careless == .answering || !elsewhere.isEmpty)
        #expect(elsewhere.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test func masksAKeyThatAClientHasSetAndTheServerRepeats() async throws {
        let stub = StubClient { request in
            .status(403, body: Data("bad key: \(request.headers[.authorization]?.dropFirst(7) ?? "")".utf8))
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await Rebuilding(base: stub).send(ItemsRequest())
        }
        #expect(error?.localizedDescription.contains("secret-token-1234") == false)
        #expect(error?.localizedDescription.contains("bad key: ***") == true)
    }

    @Test func redirectsThatAClientRefusesAreNotFollowed() async throws {
        let stub = StubClient(.status(302, headers: [.location: "/next"]))
        let client = stub.intercepted { request, _, next in
            var request = request
            request.options.redirects = .refuse
            return try await next(request)
        }
        let error = await #expect(throws: APIError<Data>.self) { try await client.send(ItemsRequest()) }
        #expect(error?.status == 302)
        #expect(stub.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(10))) func aDeadlineThatAClientSetsCounts() async throws {
        let clock = ManualClock()
        let stub = StubClient(clock: clock).answering(.get, "/items", with: .status(200).delayed(by: .seconds(50)))
        let client = stub.intercepted { request, _, next in
            var request = request
            request.options.deadline = .seconds(1)
            return try await next(request)
        }
        let sending = Task { try await client.send(ItemsRequest()) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: APIError<Data>.self) { try await sending.value }
        #expect(error?.transportCode == .timedOut)
    }
}
