import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct StubClientTests {
    private struct Trouble: Error {}
    private static let line = "GET https://api.example.com/accounts/1"
    private static let ada = Account(id: 1, login: "ada")
    private let typed = StubClient().answering(AccountRequest.self) { Account(id: $0.id, login: "ada") }

    // MARK: - One answer for all

    @Test func answersWithClosure() async throws {
        let stub = StubClient { request in .json(#"[{"id":\#(request.url.query?.count ?? 0),"login":"ada"}]"#) }
        #expect(try await stub.send(AccountsRequest(since: 46)).first?.id == 8)
        #expect(try await stub.send(AccountsRequest()).first?.id == 0)
    }

    // MARK: - Typed answers

    @Test func answersTypeWithModel() async throws {
        let stub = StubClient().answering(AccountRequest.self, status: 201, headers: ["X-Total": "7"]) { request in
            Account(id: request.id, login: "ada")
        }
        let reply = try await stub.reply(to: AccountRequest(id: 8))
        #expect(reply.model == Account(id: 8, login: "ada"))
        #expect(reply.head.status == 201)
        #expect(reply.head.headers["X-Total"] == "7")
        #expect(reply.head.url.absoluteString == "https://api.example.com/accounts/8")
    }

    @Test func nilIsAnswer() async throws {
        let stub = StubClient().answering(FindAccountRequest.self) { $0.id == 1 ? Self.ada : nil }
        #expect(try await stub.send(FindAccountRequest(id: 2)) == nil)
        #expect(try await stub.send(FindAccountRequest(id: 1)) == Self.ada)
        let found = StubClient().answering(Endpoint<NilIfNotFound<Account>, Data>.self) { _ in nil }
        #expect(try await found.send(Endpoint<NilIfNotFound<Account>, Data>()) == nil)
        let nested = StubClient().answering(Endpoint<NilIfNotFound<Account?>, Data>.self) { _ in .some(nil) }
        #expect(try await nested.send(Endpoint<NilIfNotFound<Account?>, Data>()) == .some(nil))
        let model = StubClient().answering(FindAccountRequest.self, with: .model(nil))
        #expect(try await model.send(FindAccountRequest()) == nil)
    }

    @Test func typedAnswerSkipsMapping() async throws {
        enum Unread: APIResponse {
            typealias Model = Account
            static func isSuccess(_ head: HTTPResponse.Head) -> Bool { false }
            static func process(data: Data) throws -> Account { throw CocoaError(.featureUnsupported) }
        }
        struct Unmapped: APIRequest {
            typealias Response = Unread
            var base: APIBase { "https://api.example.com" }
            var path: URLPath { "unmapped" }
            func process(_ response: HTTPResponse) async throws -> Account { throw CocoaError(.featureUnsupported) }
        }
        #expect(try await StubClient().answering(Unmapped.self) { _ in Self.ada }.send(Unmapped()) == Self.ada)
    }

    @Test func otherRequestsFallThrough() async throws {
        let stub = StubClient(.text("text", status: 203))
            .answering(AccountRequest.self) { _ in Self.ada }
            .answering(Endpoint<Data, Data>.self) { _ in Data([1]) }
        #expect(try await stub.send(AccountRequest()) == Self.ada)
        #expect(try await stub.send(Endpoint<Data, Data>()) == Data([1]))
        #expect(try await stub.send(Endpoint<String, Data>()) == "text")
        #expect(try await stub.perform(HTTPRequest("https://api.example.com/accounts/1")).head.status == 203)
        #expect(try await stub.reply(to: AccountRequest()).head.status == 200)
        #expect(try await typed.failure(of: AccountsRequest()).transportCode == .unsupported)
    }

    // MARK: - Failures

    private typealias Outcome = (error: any Error, isExpected: @Sendable (DirectoryFailure) -> Bool)

    private static let outcomes: [Outcome] = [
        (TransportError(.timedOut), { $0.transportCode == .timedOut && $0.description == "\(line): timedOut" }),
        (DirectoryFailure.transport(TransportError(.connectionLost)), { $0.transportCode == .connectionLost }),
        (RequestError(.body, "no"), { $0.invalidRequest?.code == .body }),
        (DirectoryFailure.invalidRequest(RequestError(.body, "no")), { $0.invalidRequest?.code == .body }),
        (DirectoryFailure.cancelled, { $0.transportCode == .other }),
        (Trouble(), { $0.transport?.underlying is Trouble }),
    ]

    @Test(arguments: outcomes, [true, false])
    private func failsWithAnyError(outcome: Outcome, byClosure: Bool) async throws {
        let stub =
            byClosure
            ? StubClient().answering(AccountRequest.self) { _ in throw outcome.error }
            : StubClient().answering(AccountRequest.self, with: .failure(outcome.error))
        let error = try await stub.failure(of: AccountRequest())
        #expect(outcome.isExpected(error), "\(error)")
    }

    // As over a network, so that a client that retries a 503 can be tested with typed answers too.
    @Test(
        arguments: [
            (.rejected(DirectoryError(message: "no"), .status(503)), 503), (.unreadable(Trouble(), .status(200)), 200),
        ] as [(DirectoryFailure, Int)], [true, false])
    func clientsSeeThrownRejectionAsResponse(thrown: (failure: DirectoryFailure, status: Int), once: Bool) async throws
    {
        let (failure, status) = thrown
        let stub =
            once
            ? StubClient().answering(AccountRequest.self, once: .failure(failure))
            : StubClient().answering(AccountRequest.self) { _ in throw failure }
        let seen = Recorder<HTTPResponse.Head>()
        let error = try await Rewriting(base: stub) { seen.append($0.head) }.failure(of: AccountRequest())
        #expect(seen.values.map(\.status) == [status])
        #expect(error.status == status)
        #expect(error.rejection?.failure == failure.rejection?.failure)
        #expect((error.unreadable?.error is Trouble) == (failure.unreadable != nil))
        #expect(error.description.hasPrefix("\(Self.line): \(status)"), "\(error)")
    }

    // MARK: - Recorded requests

    @Test func recordsRequestsInOrder() async throws {
        let stub = StubClient(.json("[]"))
        _ = try await stub.send(AccountsRequest(since: 1))
        _ = try? await stub.send(AccountRequest(id: 2))
        _ = try await stub.send(AccountsRequest(since: 3))
        let urls = ["accounts?since=1", "accounts/2", "accounts?since=3"].map { "https://api.example.com/\($0)" }
        #expect(stub.requests.map(\.url.absoluteString) == urls)
        #expect(stub.requests(of: AccountsRequest.self).map(\.since) == [1, 3])
        #expect(stub.requests(of: AccountRequest.self).map(\.id) == [2])
        #expect(stub.requests(of: FindAccountRequest.self).isEmpty)
    }

    // MARK: - Typed answers and the clients around a stub

    private struct Rewriting: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        let base: StubClient
        let change: @Sendable (inout HTTPResponse) -> Void
        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            var response = try await base.perform(request, in: call)
            change(&response)
            return response
        }
    }

    @Test func clientsChangeTypedAnswers() async throws {
        let replacing = Rewriting(base: typed) { $0.body = ResponseBody(Data(#"{"id":2,"login":"bea"}"#.utf8)) }
        #expect(try await replacing.send(AccountRequest()) == Account(id: 2, login: "bea"))
        // As a cache or a recorder does.
        let rebuilding = Rewriting(base: typed) { response in
            response = HTTPResponse(head: response.head, body: response.body, timing: response.timing)
            response.head.headers["X-Cache"] = "hit"
        }
        let reply = try await rebuilding.reply(to: AccountRequest())
        #expect(reply.model == Self.ada)
        #expect(reply.head.headers["X-Cache"] == "hit")
    }

    @Test func typedAnswerHasNoBytes() async throws {
        let body = try await typed.perform(
            try AccountRequest().httpRequest(), in: Call(endpoint: AccountRequest())
        ).body
        #expect(body.data == nil)
        #expect(body.file == nil)
        let error = await #expect(throws: TransportError.self) { try await body.bytes.data(upTo: 10) }
        #expect(error?.code == .unsupported)
    }

    @Test func modelOfAnotherTypeIsError() async throws {
        let client = ImmediateClient { request in
            let answer = TypedAnswer(.success(DirectoryError(message: "not an account")))
            return HTTPResponse(head: HTTPResponse.Head(status: 200, url: request.url), body: ResponseBody(answer))
        }
        let error = try await client.failure(of: AccountRequest())
        #expect(error.transportCode == .unsupported)
        #expect(error.description.contains("has no bytes"))
    }
}
