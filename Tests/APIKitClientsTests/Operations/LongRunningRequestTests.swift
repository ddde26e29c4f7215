import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// An operation that the API names, and whose state is a member of the body, as at Google.
private struct StartRender: DirectoryRequest, LongRunningRequest {
    let film: String
    typealias Response = Operation
    var path: URLPath { "films/\(film):render" }
    var method: HTTPMethod { .post }

    func status(of reply: APIReply<Operation>) throws -> OperationStatus<GetRender> {
        try reply.model.status(asking: GetRender(name: reply.model.name))
    }
}

private struct GetRender: DirectoryRequest, LongRunningRequest, Codable, Hashable {
    let name: String
    typealias Response = Operation
    typealias Output = String
    var path: URLPath { "v1/\(segments: name)" }

    func status(of reply: APIReply<Operation>) throws -> OperationStatus<Self> {
        try reply.model.status(asking: self)
    }
}

private struct Operation: JSONResponse {
    let name: String
    let done: Bool?
    let error: DirectoryError?
    let response: String?

    func status(asking poll: GetRender) throws -> OperationStatus<GetRender> {
        guard done == true else { return .pending(poll) }
        if let error { throw error }
        return .done(response ?? "")
    }
}

/// An operation whose URL is in a header, as at Azure.
private struct StartExport: DirectoryRequest, LongRunningRequest {
    typealias Response = NoContent
    var path: URLPath { "exports" }
    var method: HTTPMethod { .post }

    func status(of reply: APIReply<NoContent>) -> OperationStatus<GetExport> {
        .pending(GetExport(requestLink: reply.operationLink))
    }
}

private struct GetExport: DirectoryRequest, LinkedRequest, LongRunningRequest {
    struct Status: JSONResponse {
        let status: String
        let result: Account?
    }

    var requestLink: URL?
    typealias Response = Status
    typealias Output = Account
    var path: URLPath { "" }

    func status(of reply: APIReply<Status>) throws -> OperationStatus<Self> {
        if let result = reply.model.result { return .done(result) }
        if reply.model.status == "Failed" { throw DirectoryError(message: "failed") }
        return .pending(self)
    }
}

/// A request that is answered with 202 until there is a result.
private struct Report: DirectoryRequest, LongRunningRequest {
    var pause: Duration?
    typealias Response = NilIfAccepted<Account>
    typealias Output = Account
    var path: URLPath { "report" }

    func status(of reply: APIReply<Account?>) -> OperationStatus<Self> {
        if let account = reply.model { return .done(account) }
        return .pending(self, after: pause)
    }
}

@Suite(.timeLimit(.minutes(10))) struct LongRunningRequestTests {
    private let account = Account(id: 7, login: "ada")
    private let clock = ManualClock(skippingSleep: true)

    private typealias Answer = StubClient.Answer<Never>
    private let accountJSON = Answer.json(#"{"id": 7, "login": "ada"}"#)
    private let accepted = Answer.status(202)

    /// A stub that answers a POST, and then each GET in order.
    private func stub(starting start: Answer? = nil, _ answers: [Answer], clock: ManualClock? = nil) -> StubClient {
        var stub = StubClient(clock: clock ?? self.clock)
        if let start { stub = stub.answering(.post, "/**", with: start) }
        for answer in answers.reversed() { stub = stub.answering(.get, "/**", once: answer) }
        return stub
    }

    // MARK: - Kinds of operations

    @Test func namedOperationIsAskedForByItsName() async throws {
        let pending = Answer.json(#"{"name": "operations/1"}"#)
        let done = Answer.json(#"{"name": "operations/1", "done": true, "response": "up.mp4"}"#)
        let stub = stub(starting: pending, [pending, done])
        #expect(try await stub.result(of: StartRender(film: "up")) == "up.mp4")
        let lines = stub.requests.map { "\($0.method) \($0.url.path)" }
        #expect(lines == ["POST /films/up:render", "GET /v1/operations/1", "GET /v1/operations/1"])
    }

    @Test func linkedOperationIsAskedForAtItsURL() async throws {
        let link = "https://api.example.com/operations/7?version=2"
        let start = Answer.status(
            202, headers: ["Operation-Location": link, .location: "/exports/1", .retryAfter: "10"])
        let stub = stub(
            starting: start,
            [
                .json(#"{"status": "Running"}"#, headers: [.retryAfter: "20"]),
                .json(#"{"status": "Succeeded", "result": {"id": 7, "login": "ada"}}"#),
            ])
        #expect(try await stub.result(of: StartExport()) == account)
        #expect(stub.requests.dropFirst().map(\.url.absoluteString) == [link, link])
        #expect(clock.elapsed == .seconds(30))
    }

    @Test func acceptedRequestIsRepeated() async throws {
        let stub = stub([accepted, accepted, accountJSON])
        #expect(try await stub.result(of: Report()) == account)
        #expect(stub.requests.count == 3)
    }

    @Test func resultOfTheFirstResponseNeedsNoPoll() async throws {
        let stub = stub([accountJSON])
        #expect(try await stub.result(of: Report()) == account)
        #expect(clock.elapsed == .zero)
    }

    @Test(
        arguments: [
            (["Operation-Location": "/operations/1"], "https://api.example.com/operations/1"),
            ([.location: "operations/1"], "https://api.example.com/a/operations/1"),
            (["Azure-AsyncOperation": "https://b.example.com/1", .location: "/c"], "https://b.example.com/1"),
            ([.location: "https://[/1"], "about:invalid#https%3A%2F%2F%5B"), ([:], nil),
        ] as [(HTTPHeaders, String?)])
    func operationLinkIsResolved(headers: HTTPHeaders, link: String?) throws {
        let url = try #require(URL(string: "https://api.example.com/a/b"))
        let reply = APIReply(model: 1, head: HTTPResponse.Head(status: 202, headers: headers, url: url))
        #expect(reply.operationLink?.absoluteString == link)
    }

    // MARK: - Failures

    /// Without a link, the poll would be sent to its own path.
    @Test func invalidOperationLinkIsAnError() async throws {
        let start = Answer.status(202, headers: [.location: #"https://api.example.com\@evil.example/1"#])
        let stub = stub(starting: start, [])
        let error = try await #require(throws: DirectoryFailure.self) { try await stub.result(of: StartExport()) }
        #expect(error.requestError?.code == .link)
        #expect(stub.requests.count == 1)
    }

    @Test func operationThatFailsIsRejected() async throws {
        let failed = Answer.json(#"{"name": "1", "done": true, "error": {"message": "full"}}"#)
        let error = try await #require(throws: DirectoryFailure.self) {
            try await stub(starting: failed, []).result(of: StartRender(film: "up"))
        }
        guard case .rejected(let failure, let response) = error else { throw error }
        #expect(failure == DirectoryError(message: "full"))
        #expect(response.head.status == 200)
    }

    @Test func linkToAnotherOriginIsNotRequested() async throws {
        let start = Answer.status(202, headers: ["Operation-Location": "https://evil.example.com/operations/7"])
        let stub = stub(starting: start, [])
        let error = try await #require(throws: DirectoryFailure.self) { try await stub.result(of: StartExport()) }
        guard case .invalidRequest(let problem) = error else { throw error }
        #expect(problem.code == .link)
        #expect(stub.requests.count == 1)
    }

    @Test func pollThatFailsEndsTheCall() async throws {
        let stub = stub([accepted, .status(503), accountJSON])
        let error = try await #require(throws: DirectoryFailure.self) { try await stub.result(of: Report()) }
        #expect(error.status == 503)
        #expect(try await stub.result(of: Report()) == account)
    }

    // MARK: - Storing

    @Test func pollCanBeStoredAndContinued() async throws {
        let pending = Answer.json(#"{"name": "operations/1"}"#)
        let stored = Locked<[GetRender]>([])
        let stub = stub(starting: pending, [pending, .status(500)])
        await #expect(throws: DirectoryFailure.self) {
            try await stub.result(of: StartRender(film: "up")) { poll in stored.withLock { $0.append(poll) } }
        }
        let polls = stored.withLock { $0 }
        #expect(polls == [GetRender(name: "operations/1"), GetRender(name: "operations/1")])

        let data = try JSONEncoder().encode(polls[0])
        let poll = try JSONDecoder().decode(GetRender.self, from: data)
        let done = Answer.json(#"{"name": "operations/1", "done": true, "response": "up.mp4"}"#)
        #expect(try await self.stub([done]).result(of: poll) == "up.mp4")
    }

    // MARK: - Pauses

    @Test func pausesDoubleUpToTheLongest() async throws {
        let clock = clock
        let times = Locked<[Duration]>([])
        let stub = stub(Array(repeating: accepted, count: 7) + [accountJSON])
        _ = try await stub.result(of: Report()) { _ in times.withLock { $0.append(clock.elapsed) } }
        #expect(times.withLock { $0 } == [0, 1, 3, 7, 15, 31, 61].map { .seconds($0) })
        #expect(clock.elapsed == .seconds(91))
    }

    @Test func serverAsksForPauses() async throws {
        let wait = Answer.status(202, headers: [.retryAfter: "3600"])
        _ = try await stub([wait, accepted, accountJSON]).result(of: Report())
        #expect(clock.elapsed == .seconds(3601))
    }

    @Test func endpointAsksForPauses() async throws {
        let wait = Answer.status(202, headers: [.retryAfter: "3600"])
        _ = try await stub([wait, accountJSON]).result(of: Report(pause: .seconds(5)))
        #expect(clock.elapsed == .seconds(5))
    }

    @Test func noPauseIsTooShort() async throws {
        let now = Answer.status(202, headers: [.retryAfter: "0"])
        _ = try await stub([now, now, accountJSON]).result(of: Report())
        _ = try await stub([accepted, accountJSON]).result(of: Report(), pauses: .zero ... .zero)
        #expect(clock.elapsed == .milliseconds(300))
    }

    // MARK: - Ends

    @Test func waitThatExceedsTheLimitFailsAtOnce() async throws {
        let stub = stub(Array(repeating: accepted, count: 9))
        let error = try await #require(throws: DirectoryFailure.self) {
            try await stub.result(of: Report(), within: .seconds(10))
        }
        #expect(error.transportError?.code == .timedOut)
        #expect(error.transportError?.message == "the operation is not done after 10.0 seconds")
        #expect(stub.requests.count == 4)
        #expect(clock.elapsed == .seconds(7))
    }

    @Test func requestsAreLimitedToTheRestOfTheTime() async throws {
        let stub = stub([accepted, accountJSON])
        let options = RequestOptions(deadline: .seconds(9))
        _ = try await stub.result(of: Report(pause: .seconds(4)), options: options, within: .seconds(10))
        #expect(stub.requests.map(\.options.deadline) == [.seconds(9), .seconds(6)])
    }

    @Test func cancelEndsThePause() async throws {
        let clock = ManualClock()
        let stub = stub([accepted], clock: clock)
        let task = Task { try await stub.result(of: Report()) }
        await clock.waitForSleepers(1)
        task.cancel()
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        guard case .cancelled = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(stub.requests.count == 1)
    }
}
