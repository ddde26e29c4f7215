import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct APIClientSendTests {
    private struct Trouble: Error {}

    @Test func returnsModel() async throws {
        let client = ScriptedClient(.json(#"[{"id":1,"login":"ada","extra":null}]"#))
        #expect(try await client.send(AccountsRequest(since: 46)) == [Account(id: 1, login: "ada")])
        #expect(client.requests.map(\.url.absoluteString) == ["https://api.example.com/accounts?since=46"])
    }

    @Test func replyIncludesHeadAndTiming() async throws {
        var response = HTTPResponse.json("[]", status: 206, headers: ["Link": "</2>; rel=next"])
        response.timing = HTTPResponse.Timing(finished: .seconds(2))
        let reply = try await ImmediateClient(response).reply(to: AccountsRequest())
        #expect(reply.model.isEmpty)
        #expect(reply.head.status == 206)
        #expect(reply.head.headers[.link] == "</2>; rel=next")
        #expect(reply.timing.finished == .seconds(2))
    }

    @Test(arguments: [300, 304, 400, 401, 404, 422, 500, 599])
    func rejectedStatusCarriesFailure(status: Int) async throws {
        let client = ImmediateClient(.json(#"{"message":"no"}"#, status: status))
        let rejection = try #require(try await client.failure(of: AccountsRequest()).rejection)
        #expect(rejection.failure == DirectoryError(message: "no"))
        #expect(rejection.response.head.status == status)
        #expect(rejection.response.body.data == Data(#"{"message":"no"}"#.utf8))
    }

    @Test(arguments: [HTTPResponse.page, .status(503), .json("{}", status: 503), .status(503, body: Data([0xFF, 0]))])
    func keepsStatusIfFailureIsUnreadable(response: HTTPResponse) async throws {
        let rejection = try #require(try await ImmediateClient(response).failure(of: AccountsRequest()).rejection)
        #expect(rejection.failure == nil)
        #expect(rejection.response.head.status == 503)
        #expect(rejection.response.body.data == response.body.data)
    }

    @Test func emptyBodyAndWrongModelAreUnreadable() async throws {
        let client = ImmediateClient(.status(204))
        let error = try await client.failure(of: AccountRequest())
        #expect(error.unreadable?.response.head.status == 204)
        #expect(error.description.contains("the body is empty"))
        for response: HTTPResponse in [.json("null"), .json(#"{"message":"x"}"#), .text("<html>", type: "text/html")] {
            #expect(try await ImmediateClient(response).failure(of: AccountRequest()).unreadable != nil)
        }
    }

    @Test(
        arguments: [
            (#"[{"id":1,"login":7}]"#, "[0].login"), (#"[{"id":1,"login":"a"},{"id":2}]"#, "[1].login is missing"),
            (#"[{"id":1,"login":null}]"#, "[0].login"), (#"[{"id":"1","login":"a"}]"#, "[0].id is not an Int"),
            (#"{"message":"x"}"#, "the top level is no"), ("[", "the top level"), ("<html>", "the top level"),
        ] as [(String, String)])
    func namesCodingPathOfMismatchAndKeepsBytes(body: String, place: String) async throws {
        let error = try await ImmediateClient(.json(body)).failure(of: AccountsRequest())
        let unreadable = try #require(error.unreadable)
        #expect(unreadable.error is DecodingError)
        #expect(unreadable.response.body.data == Data(body.utf8))
        #expect(error.description.contains(place), "\(error)")
    }

    /// An endpoint whose mapping is what a closure does.
    private struct Mapping: APIRequest {
        typealias Response = NoContent
        let map: @Sendable () throws -> Void
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "mapping" }
        func process(_ response: HTTPResponse) async throws -> NoContent {
            try map()
            return NoContent()
        }
    }

    @Test(
        arguments: [
            Trouble(), TransportError(.timedOut), RequestError(.body, "no"), CancellationError(),
            APIError<Data>.cancelled,
        ] as [any Error])
    func anyMappingErrorIsUnreadable(error: any Error) async throws {
        #expect(try await ImmediateClient(.status(200)).failure(of: Mapping { throw error }).unreadable != nil)
    }

    @Test func doesNotSendInvalidRequest() async throws {
        let client = ScriptedClient(.status(200))
        let error = try await client.failure(of: Endpoint<NoContent, Data>(path: "a?b", method: .delete))
        let request = try #require(error.invalidRequest)
        #expect(request.code == .path)
        #expect(request.method == .delete)
        #expect(client.requests.isEmpty)
    }

    // MARK: - Errors of clients

    @Test func requestErrorOfClientIsInvalidRequest() async throws {
        let client = ImmediateClient { _ in throw RequestError(.header, "no token") }
        let error = try #require(try await client.failure(of: AccountsRequest(since: 1)).invalidRequest)
        #expect(error.code == .header)
        #expect(error.message == "no token")
        #expect(error.method == .get)
        #expect(error.url?.absoluteString == "https://api.example.com/accounts?since=1")
    }

    @Test(arguments: [TransportError.Code.timedOut, .cannotConnect, .other, .init(rawValue: "mine")])
    func keepsTransportErrorOfClient(code: TransportError.Code) async throws {
        let other = HTTPRequest(method: .post, url: URL(string: "https://login.example.com/token")!)
        for own in [nil, other] {
            let client = ImmediateClient { _ in
                throw TransportError(code, "words", method: own?.method, url: own?.url, underlying: Trouble())
            }
            let error = try #require(try await client.failure(of: AccountsRequest()).transport)
            #expect(error.code == code)
            #expect(error.message == "words")
            #expect(error.underlying is Trouble)
            #expect(error.method == own?.method ?? .get)
            #expect(error.url == own?.url ?? URL(string: "https://api.example.com/accounts"))
        }
    }

    @Test(
        arguments: [CancellationError(), DirectoryFailure.cancelled, Trouble()] as [any Error],
        [nil, RequestOptions.TimeLimit.seconds(3600)])
    func wrapsAnyOtherErrorOfClient(thrown: any Error, deadline: RequestOptions.TimeLimit?) async throws {
        let client = ImmediateClient { _ in throw thrown }
        let endpoint = Endpoint<NoContent, Data>(options: RequestOptions(deadline: deadline))
        let error = try await client.failure(of: endpoint)
        #expect(!error.isCancellation)
        #expect(error.transport?.code == .other)
        #expect(error.transport?.underlying.map { type(of: $0) == type(of: thrown) } ?? (thrown is DirectoryFailure))
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/things")
    }

    // The error of a request that a client sends, such as a token's refresh, is handled alike whatever its type.
    @Test func nestedRequestFailureIsNotRejection() async throws {
        func check<Failure: Sendable>(_ failure: Failure) async throws {
            let refused: APIError<Failure> = .rejected(failure, .status(401))
            let unread: APIError<Failure> = .unreadable(Trouble(), .status(200))
            for (thrown, status) in [(refused, 401), (unread, 200)] {
                let error = try await ImmediateClient { _ in throw thrown }.failure(of: AccountsRequest())
                #expect(error.status == nil)
                #expect(error.rejection == nil)
                let transport = try #require(error.transport)
                #expect(transport.code == .other)
                #expect((transport.underlying as? any APIFailure)?.status == status)
                let line = "GET https://api.example.com/accounts: other: https://canned.invalid/: \(status)"
                #expect(error.description.hasPrefix(line), "\(error)")
            }
        }
        try await check(DirectoryError(message: "no"))
        try await check("no")
    }

    @Test func unwrapsErrorOfNestedRequest() async throws {
        let other = HTTPRequest(method: .post, url: URL(string: "https://login.example.com/token")!)
        let lost = TransportError(.connectionLost, request: other)
        let unsent = RequestError(.body, "no token")
        let thrown: [(any Error, any Error)] = [
            (DirectoryFailure.transport(lost), DirectoryFailure.invalidRequest(unsent)),
            (APIError<String>.transport(lost), APIError<String>.invalidRequest(unsent)),
        ]
        for (transport, request) in thrown {
            let first = try await ImmediateClient { _ in throw transport }.failure(of: AccountsRequest())
            #expect(first.description == "POST https://login.example.com/token: connectionLost")
            let second = try await ImmediateClient { _ in throw request }.failure(of: AccountsRequest())
            #expect(second.invalidRequest?.message == "no token")
        }
    }

    // MARK: - Cancellation by the caller

    enum Ending: CaseIterable {
        case cancellation, transport, request, unknown, endpoint, refused, unreadable, success

        func response() throws -> HTTPResponse {
            switch self {
            case .cancellation: throw CancellationError()
            case .transport: throw TransportError(.connectionLost)
            case .request: throw RequestError(.body, "no")
            case .unknown: throw Trouble()
            case .endpoint: throw DirectoryFailure.transport(TransportError(.timedOut))
            case .refused: .page
            case .unreadable: .json("{")
            case .success: .json("[]")
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: Ending.allCases, [nil, RequestOptions.TimeLimit.seconds(600)])
    func cancelledTaskThrowsCancelledForAnyResult(ending: Ending, deadline: RequestOptions.TimeLimit?) async throws {
        let client = HangingClient { try ending.response() }
        let endpoint = Endpoint<[Account], DirectoryError>(options: RequestOptions(deadline: deadline))
        let task = Task { try await client.failure(of: endpoint) }
        _ = await client.arrival()
        task.cancel()
        let error = try await task.value
        #expect(error.isCancellation, "\(error)")
        #expect(error.description == "the request was cancelled")
    }

    @Test(.timeLimit(.minutes(10)), arguments: [nil, RequestOptions.TimeLimit.seconds(600)])
    func alreadyCancelledTaskSendsNothing(deadline: RequestOptions.TimeLimit?) async throws {
        let client = ScriptedClient(.json("[]"))
        let endpoint = Endpoint<[Account], DirectoryError>(options: RequestOptions(deadline: deadline))
        let error = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.failure(of: endpoint)
        }.value
        #expect(error.isCancellation)
        #expect(client.requests.isEmpty)
    }

    @Test(.timeLimit(.minutes(10))) func cancelBetweenHopsStopsRedirects() async throws {
        let log = Recorder<URL>()
        let client = ImmediateClient { request in
            log.append(request.url)
            withUnsafeCurrentTask { $0?.cancel() }
            return .status(302, headers: [.location: "/next"])
        }
        #expect(try await Task { try await client.failure(of: AccountsRequest()) }.value.isCancellation)
        #expect(log.values.count == 1)
    }

    @Test(.timeLimit(.minutes(10))) func cancelDuringMappingThrowsCancelled() async throws {
        let request = Mapping {
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
        }
        #expect(try await Task { try await ImmediateClient(.status(200)).failure(of: request) }.value.isCancellation)
    }
}
