import APIKitStreams
import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(3))) struct StubClientTests {
    private struct Trouble: Error {}
    private let ada = Account(id: 1, login: "ada")
    private static let line = "GET https://api.example.com/accounts/1"

    // MARK: - Answers

    @Test func answersWithClosure() async throws {
        let stub = StubClient { request in .json(#"[{"id":\#(request.url.query?.count ?? 0),"login":"ada"}]"#) }
        #expect(try await stub.send(AccountsRequest(since: 46)).first?.id == 8)
        #expect(try await stub.send(AccountsRequest()).first?.id == 0)
    }

    @Test func givesEveryRequestSameCannedAnswer() async throws {
        let stub = StubClient(.json(#"{"id":1,"login":"ada"}"#))
        #expect(try await stub.send(AccountRequest()) == ada)
        #expect(try await stub.send(FindAccountRequest()) == ada)
    }

    @Test func mapsOrRejectsCannedAnswer() async throws {
        let refused = try await StubClient(.json(#"{"message":"no"}"#, status: 404)).failure(of: AccountRequest())
        #expect(refused.rejection?.failure == DirectoryError(message: "no"))
        let unreadable = try await StubClient(.json("[]")).failure(of: AccountRequest())
        #expect(unreadable.unreadable != nil)
    }

    @Test func cannedAnswerHasURLOfRequest() async throws {
        let error = try await StubClient(.status(404)).failure(of: AccountsRequest(since: 1))
        #expect(error.description == "GET https://api.example.com/accounts?since=1: 404")
        let reply = try await StubClient(.json("[]")).reply(to: AccountsRequest())
        #expect(reply.head.url.absoluteString == "https://api.example.com/accounts")
    }

    @Test func keepsURLOfAnswer() async throws {
        let url = try #require(URL(string: "https://mirror.example.com/"))
        let response = HTTPResponse(head: HTTPResponse.Head(status: 404, url: url))
        #expect(try await StubClient(response).failure(of: AccountsRequest()).response?.head.url == url)
    }

    @Test func redirectsAreFollowed() async throws {
        let stub = StubClient { request in
            request.url.path == "/next" ? .json("[]") : .status(301, headers: [.location: "/next"])
        }
        #expect(try await stub.send(AccountsRequest()).isEmpty)
        #expect(await stub.requests.map(\.url.path) == ["/accounts", "/next"])
        #expect(await stub.requests(of: AccountsRequest.self).count == 2)
    }

    @Test func throwsWithoutAnswer() async throws {
        let error = try await StubClient().failure(of: AccountsRequest())
        #expect(error.transportCode == .unsupported)
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/accounts")
        #expect(error.description.contains("no answer"))
    }

    // MARK: - Typed answers

    @Test func answersTypeWithModel() async throws {
        let stub = StubClient().answering(AccountRequest.self) { Account(id: $0.id, login: "ada") }
        #expect(try await stub.send(AccountRequest(id: 7)) == Account(id: 7, login: "ada"))
        let reply = try await stub.reply(to: AccountRequest(id: 8))
        #expect(reply.model.id == 8)
        #expect(reply.head.status == 200)
        #expect(reply.head.url.absoluteString == "https://api.example.com/accounts/8")
    }

    @Test func typedAnswerTakesStatusAndHeaders() async throws {
        let stub = StubClient().answering(AccountRequest.self, status: 201, headers: ["X-Total": "7"]) { _ in
            Account(id: 1, login: "ada")
        }
        let reply = try await stub.reply(to: AccountRequest())
        #expect(reply.model == ada)
        #expect(reply.head.status == 201)
        #expect(reply.head.headers["X-Total"] == "7")
    }

    @Test func nilIsAnswer() async throws {
        let stub = StubClient().answering(FindAccountRequest.self) { $0.id == 1 ? Account(id: 1, login: "ada") : nil }
        #expect(try await stub.send(FindAccountRequest(id: 2)) == nil)
        #expect(try await stub.send(FindAccountRequest(id: 1)) == ada)
        let found = StubClient().answering(Endpoint<Found<Account>, Data>.self) { _ in nil }
        #expect(try await found.send(Endpoint<Found<Account>, Data>()) == nil)
        let nested = StubClient().answering(Endpoint<Found<Account?>, Data>.self) { _ in .some(nil) }
        #expect(try await nested.send(Endpoint<Found<Account?>, Data>()) == .some(nil))
    }

    @Test func typedAnswerSkipsMapping() async throws {
        struct Unmapped: APIRequest {
            typealias Response = Account
            var baseURL: URL { URL(string: "https://api.example.com")! }
            var path: URLPath { "unmapped" }
            func isSuccess(_ head: HTTPResponse.Head) -> Bool { false }
            func process(_ response: HTTPResponse) async throws -> Account { throw CocoaError(.featureUnsupported) }
        }
        let stub = StubClient().answering(Unmapped.self) { _ in Account(id: 1, login: "ada") }
        #expect(try await stub.send(Unmapped()) == ada)
    }

    @Test func otherRequestsFallThrough() async throws {
        let stub = StubClient(.json("[]"))
            .answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
            .answering(FindAccountRequest.self) { _ in nil }
        #expect(try await stub.send(AccountRequest()) == ada)
        #expect(try await stub.send(FindAccountRequest()) == nil)
        #expect(try await stub.send(AccountsRequest()) == [])
        let strict = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        #expect(try await strict.failure(of: AccountsRequest()).transportCode == .unsupported)
    }

    @Test func lastAnswerForTypeWins() async throws {
        let stub = StubClient()
            .answering(AccountRequest.self) { _ in Account(id: 1, login: "first") }
            .answering(AccountRequest.self) { _ in Account(id: 2, login: "second") }
        #expect(try await stub.send(AccountRequest()).login == "second")
    }

    @Test func distinguishesGenericEndpointsByTypeParameters() async throws {
        let stub = StubClient(.text("text")).answering(Endpoint<Data, Data>.self) { _ in Data([1]) }
        #expect(try await stub.send(Endpoint<Data, Data>()) == Data([1]))
        #expect(try await stub.send(Endpoint<String, Data>()) == "text")
    }

    @Test func requestWithoutEndpointFallsThrough() async throws {
        let stub = StubClient(.status(418)).answering(AccountsRequest.self) { _ in [] }
        let url = try #require(URL(string: "https://api.example.com/accounts"))
        #expect(try await stub.perform(HTTPRequest(url: url)).head.status == 418)
        let made = try await stub.perform(try AccountsRequest().httpRequest())
        #expect(made.head.status == 200)
    }

    // MARK: - Failures

    @Test func typedAnswerCanThrowErrorOfEndpoint() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in
            throw DirectoryFailure.rejected(DirectoryError(message: "no"), .status(403))
        }
        let error = try await stub.failure(of: AccountRequest())
        #expect(error.rejection?.failure?.message == "no")
        #expect(error.status == 403)
    }

    // As over a network, so that a client that retries a 503 can be tested with typed answers too.
    @Test func clientsSeeThrownRejectionAsResponse() async throws {
        let thrown: [(DirectoryFailure, Int)] = [
            (.rejected(DirectoryError(message: "no"), .status(503)), 503), (.unreadable(Trouble(), .status(200)), 200),
        ]
        for (failure, status) in thrown {
            let stub = StubClient().answering(AccountRequest.self) { _ in throw failure }
            let seen = Recorder<HTTPResponse.Head>()
            let error = try await Rewriting(base: stub) { seen.append($0.head) }.failure(of: AccountRequest())
            #expect(seen.values.map(\.status) == [status])
            #expect(error.status == status)
            #expect(error.rejection?.failure == failure.rejection?.failure)
            #expect((error.unreadable?.error is Trouble) == (failure.unreadable != nil))
            #expect(error.description.hasPrefix("\(Self.line): \(status)"), "\(error)")
        }
    }

    @Test func typedAnswerCanThrowErrorWithoutResponse() async throws {
        let stub = StubClient()
            .answering(AccountRequest.self) { _ in throw DirectoryFailure.transport(TransportError(.connectionLost)) }
            .answering(AccountsRequest.self) { _ in throw DirectoryFailure.invalidRequest(RequestError(.body, "no")) }
            .answering(FindAccountRequest.self) { _ in throw DirectoryFailure.cancelled }
        #expect(try await stub.failure(of: AccountRequest()).transportCode == .connectionLost)
        #expect(try await stub.failure(of: AccountsRequest()).invalidRequest?.code == .body)
        #expect(try await stub.failure(of: FindAccountRequest()).transportCode == .other)
    }

    @Test func typedAnswerCanThrowTransportError() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in throw TransportError(.timedOut) }
        let error = try await stub.failure(of: AccountRequest(id: 3))
        #expect(error.transportCode == .timedOut)
        #expect(error.description == "GET https://api.example.com/accounts/3: timedOut")
    }

    @Test func otherErrorsAreTransportErrors() async throws {
        let typed = StubClient().answering(AccountRequest.self) { _ in throw Trouble() }
        #expect(try await typed.failure(of: AccountRequest()).transport?.underlying is Trouble)
        let plain = StubClient { _ in throw Trouble() }
        #expect(try await plain.failure(of: AccountRequest()).transportCode == .other)
    }

    // MARK: - Recorded requests

    @Test func recordsRequestsInOrder() async throws {
        let stub = StubClient(.json("[]"))
        _ = try await stub.send(AccountsRequest(since: 1))
        _ = try? await stub.send(AccountRequest(id: 2))
        _ = try await stub.send(AccountsRequest(since: 3))
        #expect(
            await stub.requests.map(\.url.absoluteString) == [
                "https://api.example.com/accounts?since=1", "https://api.example.com/accounts/2",
                "https://api.example.com/accounts?since=3",
            ])
        #expect(await stub.requests(of: AccountsRequest.self).map(\.since) == [1, 3])
        #expect(await stub.requests(of: AccountRequest.self).map(\.id) == [2])
        #expect(await stub.requests(of: FindAccountRequest.self).isEmpty)
    }

    @Test func recordsFailedRequests() async throws {
        let stub = StubClient { _ in throw Trouble() }
        _ = try? await stub.send(AccountsRequest())
        #expect(await stub.requests.count == 1)
        let empty = StubClient()
        _ = try? await empty.send(AccountsRequest())
        #expect(await empty.requests.count == 1)
    }

    @Test func doesNotRecordInvalidRequests() async throws {
        let stub = StubClient(.status(200))
        _ = try await stub.failure(of: Endpoint<Data, Data>(path: "a?b"))
        #expect(await stub.requests.isEmpty)
    }

    @Test func copiesShareRecordAndAnsweringStartsNewOne() async throws {
        let stub = StubClient(.json("[]"))
        let copy = stub
        let other = stub.answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        _ = try await copy.send(AccountsRequest())
        _ = try await other.send(AccountRequest())
        _ = try await other.send(AccountsRequest())
        #expect(await stub.requests.count == 1)
        #expect(await other.requests.count == 2)
    }

    @Test func recordsConcurrentRequests() async throws {
        let stub = StubClient(.json("[]"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { _ = try? await stub.send(AccountsRequest(since: number)) } }
        }
        #expect(Set(await stub.requests(of: AccountsRequest.self).map(\.since)) == Set(0..<200))
    }

    @Test func recordsRequestBeforeAnswering() async throws {
        let arrived = Hold()
        let answered = Hold()
        let stub = StubClient { _ in
            arrived.release()
            await answered.wait()
            return .json("[]")
        }
        let task = Task { try await stub.send(AccountsRequest()) }
        await arrived.wait()
        #expect(await stub.requests.count == 1)
        answered.release()
        #expect(try await task.value.isEmpty)
    }

    // What a request holds is released once it has ended.
    @Test(.timeLimit(.minutes(3))) func releasesProgressClosure() async throws {
        let released = Hold()
        func send(over stub: StubClient) async throws {
            let lease = Lease { released.release() }
            _ = try await stub.send(AccountsRequest()) { _ in withExtendedLifetime(lease) {} }
        }
        let stub = StubClient { request in
            request.progress?(TransferProgress())
            return .json("[]")
        }
        try await send(over: stub)
        await released.wait()
        #expect(await stub.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(3))) func startedStreamWithProgressEnds() async {
        let stub = StubClient(.text("data: 1\n\n", type: "text/event-stream"))
        await stub.start(Endpoint<ServerSentEvents, Data>(), progress: { _ in }).value
        #expect(await stub.requests.count == 1)
    }

    // MARK: - Typed answers and the clients around a stub

    private struct Rewriting: APIClient {
        let base: StubClient
        let change: @Sendable (inout HTTPResponse) -> Void
        func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
            var response = try await base.perform(request)
            change(&response)
            return response
        }
    }

    @Test func bodySetByClientReplacesModel() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        let client = Rewriting(base: stub) { $0.body = ResponseBody(Data(#"{"id":2,"login":"bea"}"#.utf8)) }
        #expect(try await client.send(AccountRequest()) == Account(id: 2, login: "bea"))
    }

    @Test func headersSetByClientKeepModel() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        let client = Rewriting(base: stub) { $0.head.headers["X-Cache"] = "hit" }
        let reply = try await client.reply(to: AccountRequest())
        #expect(reply.model == ada)
        #expect(reply.head.headers["X-Cache"] == "hit")
    }

    // As a cache or a recorder does.
    @Test func responseCreatedWithSameBodyKeepsModel() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        let client = Rewriting(base: stub) {
            $0 = HTTPResponse(head: $0.head, body: $0.body, timing: $0.timing)
        }
        #expect(try await client.send(AccountRequest()) == ada)
    }

    @Test func typedAnswerHasNoBytes() async throws {
        let stub = StubClient().answering(AccountRequest.self) { _ in Account(id: 1, login: "ada") }
        let body = try await stub.perform(try AccountRequest().httpRequest()).body
        #expect(body.data == nil)
        #expect(body.file == nil)
        let error = await #expect(throws: TransportError.self) { try await body.bytes.data(upTo: 10) }
        #expect(error?.code == .unsupported)
    }

    @Test func modelOfAnotherTypeIsError() async throws {
        let client = ImmediateClient { request in
            let answer = FinishedAnswer(result: .success(DirectoryError(message: "not an account")))
            return HTTPResponse(
                head: HTTPResponse.Head(status: 200, url: request.url), body: ResponseBody(answer))
        }
        let error = try await client.failure(of: AccountRequest())
        #expect(error.transportCode == .unsupported)
        #expect(error.description.contains("has no bytes"))
    }
}
