import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct BasedTests {
    private static func client(
        _ base: some APIClient, to target: String, from source: String? = nil
    ) throws -> any APIClient {
        base.based(at: APIBase(target), insteadOf: source.map { APIBase($0) })
    }

    // The base URLs of the endpoint and of the client, and the result.
    private static let moves: [(String, String, String)] = [
        ("https://a.example/v1", "http://b.example", "http://b.example/things?q=1"),
        ("https://a.example/v1/", "http://b.example/s/", "http://b.example/s/things?q=1"),
        ("https://a.example", "http://[::1]:80", "http://[::1]:80/things?q=1"),
        ("https://a.example?v=3", "http://b.example/y?k=2", "http://b.example/y/things?k=2&q=1"),
    ]

    @Test(arguments: moves)
    func requestsAreBuiltForIt(own: String, target: String, result: String) async throws {
        for source in [nil, own] {
            let stub = StubClient(.json("[]"))
            let endpoint = Endpoint<[Account], NoContent>(base: APIBase(own), parameters: ["q": 1])
            let reply = try await Self.client(stub, to: target, from: source).reply(to: endpoint)
            #expect(stub.requests.map(\.url.absoluteString) == [result])
            #expect(reply.head.url.absoluteString == result)
        }
    }

    @Test func otherAPIsKeepTheirs() async throws {
        let stub = StubClient(.json("[]"))
        let client = try Self.client(stub, to: "http://b.example", from: "https://other.example")
        try await client.send(AccountsRequest())
        #expect(stub.requests.map(\.url.absoluteString) == ["https://api.example.com/accounts"])
    }

    @Test func aClientThatDoesNotForwardItFailsInsteadOfAskingTheWrongServer() async throws {
        struct Careless: APIClient {
            let inner: any APIClient
            var clock: any Clock<Duration> { ContinuousClock() }
            func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
                try await inner.perform(request, in: call)
            }
        }
        let stub = StubClient(.json("[]"))
        let error = try await Careless(inner: Self.client(stub, to: "http://b.example")).failure(of: AccountsRequest())
        #expect(error.invalidRequest?.code == .baseURL)
        #expect(error.invalidRequest?.message.contains("WrappingClient") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [nil, "https://api.example.com"]) func theOuterOneOfTwoCounts(source: String?) async throws {
        let stub = StubClient(.json("[]"))
        let inner = try Self.client(stub, to: "http://inner.example", from: "https://api.example.com")
        try await Self.client(inner, to: "http://outer.example", from: source).send(AccountsRequest())
        #expect(stub.requests.map(\.url.absoluteString) == ["http://outer.example/accounts"])
    }

    @Test func aCredentialForTheAPIGoesThere() async throws {
        let stub = StubClient(.json("[]"))
        let client = try Self.client(stub, to: "http://b.example").authorized(
            by: .bearer("t"), for: "https://api.example.com")
        try await client.send(AccountsRequest())
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t"])
    }

    @Test func replacesTheBaseURLOfEachEndpoint() async throws {
        let stub = StubClient(.json("[]"))
        let client = try Self.client(stub, to: "http://localhost:8080/dir")
        let reply = try await client.reply(to: AccountsRequest(since: 46))
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: "https://api.example.com/by-hand"))))
        let urls = stub.requests.map(\.url.absoluteString)
        #expect(urls == ["http://localhost:8080/dir/accounts?since=46", "https://api.example.com/by-hand"])
        #expect(reply.head.url.absoluteString == urls[0])
    }

    @Test(arguments: ["next", "/dir/next", "//staging.example/dir/next", "http://STAGING.example/elsewhere"])
    func redirectsWithinItsOriginKeepCredentials(location: String) async throws {
        let script = ScriptedClient(.status(307, headers: [.location: location]), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir")
        let request = Endpoint<[Account], NoContent>(headers: [.authorization: "Bearer t", "X-Key": "k"])
        let reply = try await client.reply(to: request)
        #expect(script.requests.last?.headers["X-Key"] == "k")
        #expect(reply.head.url == script.requests.last?.url)
    }

    @Test func redirectsElsewhereAreJudgedByTheURLThatWasSent() async throws {
        let script = ScriptedClient(.status(307, headers: [.location: "http://c.example/x"]), .json("[]"))
        try await Self.client(script, to: "http://staging.example/dir")
            .send(Endpoint<[Account], NoContent>(headers: ["X-Key": "k"]))
        #expect(
            script.requests.map(\.url.absoluteString) == ["http://staging.example/dir/things", "http://c.example/x"])
        #expect(script.requests.last?.headers["X-Key"] == nil)
    }

    private struct LinkedRequest: DirectoryRequest, PagedRequest {
        typealias Response = [Account]
        var pageLink: URL?
        var path: URLPath { "accounts" }
        func next(after reply: APIReply<[Account]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
    }

    @Test(arguments: [
        "http://staging.example/dir/next?page=2", "/dir/next?page=2", "next?page=2",
        "//staging.example/dir/next?page=2",
    ]) func linksStayInside(link: String) async throws {
        let script = ScriptedClient(.json("[]", headers: [.link: "<\(link)>; rel=\"next\""]), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir")
        let pages = try await client.pages(of: LinkedRequest()).collected()
        let urls = ["http://staging.example/dir/accounts", "http://staging.example/dir/next?page=2"]
        #expect(script.requests.map(\.url.absoluteString) == urls)
        #expect(pages.map(\.reply.head.url.absoluteString) == urls)
    }

    @Test(arguments: ["http://other.example/elsewhere", "https://api.example.com/next"])
    func linksToAnotherOriginAreNotFollowed(link: String) async throws {
        let script = ScriptedClient(.json("[]", headers: [.link: "<\(link)>; rel=next"]))
        let client = try Self.client(script, to: "http://staging.example/dir")
        let error = await #expect(throws: DirectoryFailure.self) {
            try await client.pages(of: LinkedRequest()).collected()
        }
        #expect(error?.invalidRequest?.code == .link)
        #expect(script.requests.count == 1)
    }

    @Test func errorsNameTheURLThatWasRequested() async throws {
        let url = "http://localhost:1/accounts"
        let stub = ImmediateClient { _ in throw TransportError(.cannotConnect) }
        let error = try await Self.client(stub, to: "http://localhost:1").failure(of: AccountsRequest())
        #expect(error.transport?.url?.absoluteString == url)
        let refusing = ImmediateClient { _ in throw RequestError(.body, "no") }
        let refusal = try await Self.client(refusing, to: "http://localhost:1").failure(of: AccountsRequest())
        #expect(refusal.invalidRequest?.url?.absoluteString == url)
    }

    @Test(arguments: [
        "localhost:8080", "/v1", "ftp://b.example", "http://u:secret@b.example", "http://b.example/#x",
        "http://b.example:99999",
    ]) func invalidBaseURLsSendNothing(text: String) async throws {
        let stub = StubClient(.json("[]"))
        do {
            let error = try await Self.client(stub, to: text).failure(of: AccountsRequest())
            #expect(error.invalidRequest?.code == .baseURL)
            #expect(!"\(error)".contains("secret"))
        }
        #expect(stub.requests.isEmpty)
    }

    // MARK: - Variables

    private static let camp = APIBase("https://camp.example/{account}", headers: ["X-Version": "1"])

    private func campEndpoint() -> Endpoint<[Account], NoContent> { Endpoint(base: Self.camp) }

    @Test(arguments: [nil, Self.camp]) func aVariableIsSetForEachEndpoint(source: APIBase?) async throws {
        let stub = StubClient(.json("[]"))
        let client = stub.based(at: Self.camp.setting("account", to: 7), insteadOf: source)
        try await client.send(campEndpoint())
        #expect(stub.requests.map(\.url.absoluteString) == ["https://camp.example/7/things"])
        #expect(stub.requests.map { $0.headers["X-Version"] } == ["1"])
    }

    @Test func withoutAValueNothingIsSent() async throws {
        let stub = StubClient(.json("[]"))
        for client in [stub, stub.authorized(by: .bearer("t"), for: Self.camp)] as [any APIClient] {
            let error = try await client.failure(of: campEndpoint())
            #expect(error.invalidRequest?.code == .baseURL)
            #expect(error.invalidRequest?.message.contains(#""account""#) == true)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func aCredentialIsForTheAccount() async throws {
        let stub = StubClient(.json("[]"))
        let set = Self.camp.setting("account", to: 7)
        for base in [set, Self.camp] {
            let client = stub.based(at: set).authorized(by: .bearer("t"), for: base)
            try await client.send(campEndpoint())
            let other = try #require(URL(string: "https://camp.example/8/things"))
            _ = try await client.perform(HTTPRequest(url: other))
        }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", nil, "Bearer t", nil])
    }

    // MARK: - Headers, query and options

    @Test func headersQueryAndOptionsOverrideTheEndpointsBaseOneByOne() async throws {
        let stub = StubClient(.json("[]"))
        let api = APIBase(
            "https://a.example", headers: ["X-Version": "1", "X-App": "app"], query: ["v": 1, "app": "a"],
            parameterStyle: ParameterStyle(lists: .brackets),
            options: RequestOptions(timeout: .seconds(600), deadline: .seconds(3600), retries: .init(statuses: [429])))
        let staging = APIBase(
            "https://b.example?s=1", headers: ["x-version": "2", "X-Stage": "b"], query: ["v": 2, "stage": "b"],
            options: RequestOptions(timeout: .seconds(700), retries: .never))
        let endpoint = Endpoint<[Account], NoContent>(
            base: api, parameters: ["ids": [3, 4]], headers: ["X-App": "own"])
        try await stub.based(at: staging).send(endpoint)
        let request = try #require(stub.requests.first)
        #expect(request.url.absoluteString == "https://b.example/things?s=1&app=a&v=2&stage=b&ids%5B%5D=3&ids%5B%5D=4")
        #expect(request.headers["X-Version"] == "2" && request.headers["X-Stage"] == "b")
        #expect(request.headers["X-App"] == "own")
        #expect(request.options.timeout == .seconds(700) && request.options.deadline == .seconds(3600))
        #expect(request.options.retries == .init(attempts: 1, statuses: [429]))
    }

    @Test func theInnerOneOfTwoOverridesToo() async throws {
        let stub = StubClient(.json("[]"))
        let inner = stub.based(at: APIBase("https://b.example", headers: ["X-Stage": "inner"]))
        let outer = inner.based(at: APIBase("https://c.example", headers: ["X-Stage": "outer", "X-Outer": "1"]))
        try await outer.send(AccountsRequest())
        let request = try #require(stub.requests.first)
        #expect(request.url.host() == "b.example")
        #expect(request.headers["X-Stage"] == "inner" && request.headers["X-Outer"] == "1")
    }
}
