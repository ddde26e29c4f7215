import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct StubClientAnsweringTests {
    private struct PasswordRequest: DirectoryRequest {
        typealias Response = Data
        var path: URLPath { "password" }
    }
    private let ada = Account(id: 1, login: "ada")
    private let bea = Account(id: 2, login: "bea")
    private static let json = #"{"id":1,"login":"ada"}"#

    // MARK: - By type

    @Test func givesTypeItsAnswer() async throws {
        let url = try #require(URL(string: "https://mirror.example.com/"))
        let response = HTTPResponse(
            head: HTTPResponse.Head(status: 410, url: url), body: ResponseBody(Data(#"{"message":"gone"}"#.utf8)))
        let stub = StubClient()
            .answering(AccountRequest.self, with: .model(bea, status: 203, headers: ["X-A": "1"]))
            .answering(AccountsRequest.self, with: .response(response))
            .answering(FindAccountRequest.self, once: .status(200, body: Data(Self.json.utf8)))
            .answering(FindAccountRequest.self, once: .json(Self.json, headers: ["X-A": "2"]))
        let reply = try await stub.reply(to: AccountRequest())
        #expect(reply.model == bea)
        #expect(reply.head.status == 203)
        #expect(reply.head.headers["X-A"] == "1")
        let error = try await stub.failure(of: AccountsRequest())
        #expect(error.rejection?.failure?.message == "gone")
        #expect(error.response?.head.url == url)
        let canned = try await stub.reply(to: FindAccountRequest(id: 7))
        #expect(canned.model == ada)
        #expect(canned.head.headers["X-A"] == "2")
        #expect(canned.head.url.absoluteString == "https://api.example.com/find/7")
        #expect(try await stub.send(FindAccountRequest()) == ada)
    }

    @Test func errorOfTheFailureTypeIsARejection() async throws {
        let failure = DirectoryError(message: "gone")
        let model: @Sendable (AccountRequest) async throws -> Account = { _ in throw failure }
        let stub = StubClient()
            .answering(AccountRequest.self, status: 410, headers: ["X-A": "1"], with: model)
            .answering(AccountsRequest.self, with: .failure(failure))
            .answering(FindAccountRequest.self, with: .failure(CancellationError()))
        let error = try await stub.failure(of: AccountRequest())
        #expect(error.rejection?.failure?.message == "gone")
        #expect(error.status == 410)
        #expect(error.response?.head.headers["X-A"] == "1")
        #expect(error.response?.head.url.path() == "/accounts/1")
        let other = try await stub.failure(of: AccountsRequest())
        #expect(other.rejection?.failure?.message == "gone")
    }

    // MARK: - By method and path

    @Test func answersMethodAndPath() async throws {
        let stub = StubClient()
            .answering(.get, "/accounts/*", with: .json(Self.json))
            .answering(.delete, "/accounts/*", with: .status(204))
            .answering(.get, "/find/**", with: .failure(TransportError(.timedOut)))
        #expect(try await stub.failure(of: FindAccountRequest()).transportCode == .timedOut)
        #expect(try await stub.send(AccountRequest(id: 5)) == ada)
        let url = "https://other.example/accounts/1?a=b"
        #expect(try await stub.perform(HTTPRequest(url)).head.status == 200)
        #expect(try await stub.perform(HTTPRequest(.delete, url)).head.status == 204)
        #expect(try await stub.failure(of: AccountsRequest()).transportCode == .unsupported)
        await #expect(throws: TransportError.self) { try await stub.perform(HTTPRequest(.put, url)) }
    }

    // MARK: - Order

    @Test func givesEachAnswerOnceAndLaterAnswersFirst() async throws {
        let stub = StubClient()
            .answering(.get, "/accounts/*", with: .status(404))
            .answering(AccountRequest.self, once: .status(503), .model(ada), .json(Self.json))
            .answering(AccountRequest.self, once: .model(bea))
            .answering(.get, "/accounts/2", with: .status(410))
        #expect(try await stub.send(AccountRequest()) == bea)
        #expect(try await stub.failure(of: AccountRequest()).status == 503)
        #expect(try await stub.failure(of: AccountRequest(id: 2)).status == 410)
        #expect(try await stub.send(AccountRequest()) == ada)
        #expect(try await stub.send(AccountRequest()) == ada)
        #expect(try await stub.failure(of: AccountRequest()).status == 404)
        #expect(try await stub.failure(of: AccountRequest()).status == 404)
    }

    @Test func copySharesRecordAndDerivedStubHasAllAnswersAgain() async throws {
        let stub = StubClient().answering(AccountRequest.self, once: .model(ada))
        let copy = stub
        _ = try await stub.send(AccountRequest())
        let derived = stub.answering(AccountsRequest.self, with: .model([]))
        #expect(try await derived.send(AccountRequest()) == ada)
        #expect(try await copy.failure(of: AccountRequest()).transportCode == .unsupported)
        #expect(stub.requests.count == 2)
        #expect(derived.requests.count == 1)
    }

    @Test func usesEachAnswerOnceHoweverManyAsk() async throws {
        var stub = StubClient(.status(404))
        for id in 0..<250 {
            let accounts = [2 * id, 2 * id + 1].map { Account(id: $0, login: "") }
            stub = stub.answering(AccountRequest.self, once: .model(accounts[0]), .model(accounts[1]))
        }
        let all = stub
        let ids = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<1_000 { group.addTask { try? await all.send(AccountRequest(id: number)).id } }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(ids.compactMap(\.self).sorted() == Array(0..<500))
        #expect(ids.count { $0 == nil } == 500)
        #expect(stub.unusedAnswers.isEmpty)
        #expect(stub.requests(of: AccountRequest.self).map(\.id).sorted() == Array(0..<1_000))
    }

    // MARK: - What is missing and what is left

    @Test func unexpectedRequestListsWhatIsStubbed() async throws {
        let stub = StubClient()
            .answering(AccountRequest.self, once: .model(ada), .status(503))
            .answering(.get, "/token/*", with: .status(200))
            .answering(PasswordRequest.self, with: .status(200))
        _ = try await stub.send(AccountRequest())
        let error = try await stub.failure(of: AccountsRequest(since: 3))
        #expect(error.transportCode == .unsupported)
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/accounts?since=3")
        #expect(stub.requests.count == 2)
        #expect(
            error.transport?.message == """
                the stub has no answer for AccountsRequest; it has answers for:
                - PasswordRequest (always)
                - GET /token/* (always)
                - AccountRequest (1 of 2 left)
                """)
    }

    @Test func unexpectedRequestShowsNoSecret() async throws {
        let request = HTTPRequest("https://u:pass-word@api.example.com/x?access_token=s3cret")
        let error = await #expect(throws: TransportError.self) { try await StubClient().perform(request) }
        let text = try #require(error?.description)
        #expect(text.hasSuffix("the stub has no answer for a request without an endpoint; it has no answers"))
        #expect(!text.contains("s3cret") && !text.contains("pass-word"))
    }

    @Test func listsUnusedAnswers() async throws {
        let stub = StubClient(.json("[]"))
            .answering(AccountRequest.self, once: .model(ada), .status(503), .stream("a", "b"))
            .answering(.get, "/never", with: .failure(TransportError(.timedOut)))
            .answering(AccountsRequest.self, with: .model([]))
            .answering(FindAccountRequest.self) { _ in nil }
        #expect(stub.unusedAnswers.count == 6)
        _ = try await stub.send(AccountRequest())
        _ = try await stub.send(AccountsRequest())
        #expect(
            stub.unusedAnswers == [
                "AccountRequest, once: status 503", "AccountRequest, once: a stream of 2 pieces",
                "GET /never: the error timedOut", "FindAccountRequest: a closure",
            ])
        _ = try await stub.send(FindAccountRequest())
        _ = try? await stub.send(AccountRequest())
        _ = try? await stub.send(AccountRequest())
        #expect(stub.unusedAnswers == ["GET /never: the error timedOut"])
    }

    // MARK: - Requests that cannot be sent

    @Test func refusesWhatNoEngineSends() async throws {
        let stub = StubClient(.json("[]")).answering(AccountsRequest.self, with: .model([]))
        let missing = RequestBody.file(URL(fileURLWithPath: "/missing/file"))
        let invalid = [HTTPRequest("A B", "https://a.example"), HTTPRequest(.post, "https://a.example", body: missing)]
        for request in invalid {
            await #expect(throws: RequestError.self, "\(request)") { try await stub.perform(request) }
        }
        #expect(stub.requests.isEmpty)
        #expect(stub.unusedAnswers.count == 1)
    }

    @Test func cancelledTaskSendsNothing() async throws {
        let stub = StubClient(.json("[]"))
        let request = try AccountsRequest().httpRequest()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stub.perform(request)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stub.requests.isEmpty)
    }
}
