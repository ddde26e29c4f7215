import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

@Suite struct ReroutedTests {
    private static func client(
        _ base: some APIClient, to target: String, from source: String? = nil
    ) throws -> any APIClient {
        base.rerouted(to: try #require(URL(string: target)), from: source.flatMap(URL.init(string:)))
    }

    struct Move: Sendable, CustomTestStringConvertible {
        let url: String
        let source: String
        let target: String
        let result: String
        var testDescription: String { "\(url) from \(source) to \(target)" }
    }

    static let moves = [
        Move(
            url: "https://a.example/v1/x?q=1", source: "https://a.example/v1", target: "http://b.example",
            result: "http://b.example/x?q=1"),
        Move(
            url: "https://a.example/v1", source: "https://a.example/v1/", target: "http://b.example/s/",
            result: "http://b.example/s"),
        Move(
            url: "https://a.example/v1/", source: "https://a.example/v1", target: "http://b.example/s",
            result: "http://b.example/s/"),
        Move(
            url: "https://a.example", source: "https://a.example/", target: "http://b.example:81/",
            result: "http://b.example:81"),
        Move(
            url: "HTTPS://A.example:443/x", source: "https://a.EXAMPLE", target: "http://[::1]:80",
            result: "http://[::1]:80/x"),
        Move(
            url: "https://a.example/x?q=1", source: "https://a.example?v=3", target: "http://b.example/y?k=2",
            result: "http://b.example/y/x?k=2&q=1"),
        Move(
            url: "https://a.example/x", source: "https://a.example", target: "http://b.example?k=2",
            result: "http://b.example/x?k=2"),
        Move(
            url: "https://a.example/%2F%20x", source: "https://a.example", target: "http://b.example",
            result: "http://b.example/%2F%20x"),
        // Below no base.
        Move(
            url: "https://a.example/v10", source: "https://a.example/v1", target: "http://b.example",
            result: "https://a.example/v10"),
        Move(
            url: "https://a.example:8443/x", source: "https://a.example", target: "http://b.example",
            result: "https://a.example:8443/x"),
        Move(
            url: "http://a.example/x", source: "https://a.example", target: "http://b.example",
            result: "http://a.example/x"),
        Move(
            url: "https://a.example.org/x", source: "https://a.example", target: "http://b.example",
            result: "https://a.example.org/x"),
        Move(
            url: "https://u:p@a.example/x", source: "https://a.example", target: "http://b.example",
            result: "https://u:p@a.example/x"),
        Move(
            url: "https://a.example/v1/%2e%2E/x", source: "https://a.example/v1", target: "http://b.example",
            result: "https://a.example/v1/%2e%2E/x"),
        Move(
            url: "https://a.example/%2e%2E/x", source: "https://a.example", target: "http://b.example/v1",
            result: "https://a.example/%2e%2E/x"),
    ]

    @Test(arguments: moves) func movesRequestsBelowTheBase(move: Move) async throws {
        let stub = StubClient(.json("{}"))
        let request = HTTPRequest(url: try #require(URL(string: move.url)))
        let response = try await Self.client(stub, to: move.target, from: move.source).perform(request)
        #expect(await stub.requests.map(\.url.absoluteString) == [move.result])
        #expect(response.head.url == request.url)
    }

    @Test func replacesTheBaseURLOfEachEndpoint() async throws {
        let stub = StubClient(.json("[]"))
        let client = try Self.client(stub, to: "http://localhost:8080/dir")
        let reply = try await client.reply(to: AccountsRequest(since: 46))
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: "https://api.example.com/by-hand"))))
        let urls = await stub.requests.map(\.url.absoluteString)
        #expect(urls == ["http://localhost:8080/dir/accounts?since=46", "https://api.example.com/by-hand"])
        #expect(reply.head.url.absoluteString == "https://api.example.com/accounts?since=46")
    }

    @Test(arguments: ["next", "/dir/next", "//staging.example/dir/next", "http://STAGING.example/dir/next", "next?k=1"])
    func redirectsStayInsideWithTheirCredentials(location: String) async throws {
        let script = ScriptedClient(.status(307, headers: [.location: location]), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir?k=1")
        let request = Endpoint<[Account], NoContent>(headers: [.authorization: "Bearer t", "X-Key": "k"])
        let reply = try await client.reply(to: request)
        #expect(
            script.requests.map(\.url.absoluteString) == [
                "http://staging.example/dir/things?k=1", "http://staging.example/dir/next?k=1",
            ])
        #expect(script.requests.last?.headers["X-Key"] == "k")
        #expect(reply.head.url.absoluteString == "https://api.example.com/next")
    }

    @Test(arguments: [
        ("/elsewhere", "http://staging.example/elsewhere"), ("https://c.example/x", "https://c.example/x"),
    ])
    func redirectsOutOfTheBaseDropCredentials(location: String, target: String) async throws {
        let script = ScriptedClient(.status(307, headers: [.location: location]), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir", from: "http://api.example.com")
        var request = Endpoint<[Account], NoContent>(headers: ["X-Key": "k"])
        request.baseURL = try #require(URL(string: "http://api.example.com"))
        try await client.send(request)
        #expect(script.requests.map(\.url.absoluteString) == ["http://staging.example/dir/things", target])
        #expect(script.requests.last?.headers["X-Key"] == nil)
    }

    @Test(arguments: ["", "#part", "http://[", "/a, /b"]) func otherLocationsStay(location: String) async throws {
        let stub = StubClient(.status(201, headers: [.location: location]))
        let response = try await Self.client(stub, to: "http://staging.example/dir").perform(
            AccountsRequest().httpRequest())
        #expect(response.head.headers[.location] == location)
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
        "http://staging.example/dir/next?k=1&page=2", "https://api.example.com/next?page=2",
    ])
    func linksStayInside(link: String) async throws {
        let links = HTTPHeaders([
            .init(name: .link, value: "<\(link)>; rel=\"next\"; title=\"a, b\", <http://c.example/x>; rel=last")
        ])
        let script = ScriptedClient(.json("[]", headers: links), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir?k=1")
        let pages = try await client.pages(of: LinkedRequest()).collected()
        #expect(
            script.requests.map(\.url.absoluteString) == [
                "http://staging.example/dir/accounts?k=1", "http://staging.example/dir/next?k=1&page=2",
            ])
        #expect(pages.map(\.reply.head.url.path) == ["/accounts", "/next"])
        let found = try #require(pages.first).reply.links
        #expect(found[.next]?.absoluteString == "https://api.example.com/next?page=2")
        #expect(found[.last]?.absoluteString == "http://c.example/x")
        #expect(found.map(\.title) == ["a, b", nil])
    }

    @Test(arguments: ["http://staging.example/elsewhere", "/elsewhere", "https://c.example/x"])
    func linksOutOfTheBaseAreNotFollowed(link: String) async throws {
        let script = ScriptedClient(.json("[]", headers: [.link: "<\(link)>; rel=next"]))
        let client = try Self.client(script, to: "http://staging.example/dir")
        let error = await #expect(throws: DirectoryFailure.self) {
            try await client.pages(of: LinkedRequest()).collected()
        }
        #expect(error?.invalidRequest?.code == .link)
        #expect(script.requests.count == 1)
    }

    @Test func errorsNameTheURLThatWasRequested() async throws {
        let stub = ImmediateClient { _ in throw TransportError(.cannotConnect) }
        let error = try await Self.client(stub, to: "http://localhost:1").failure(of: AccountsRequest())
        #expect(error.transport?.url?.absoluteString == "http://localhost:1/accounts")
        let refusing = ImmediateClient { _ in throw RequestError(.body, "no") }
        let refusal = try await Self.client(refusing, to: "http://localhost:1").failure(of: AccountsRequest())
        #expect(refusal.invalidRequest?.url?.absoluteString == "http://localhost:1/accounts")
    }

    @Test(arguments: [
        "localhost:8080", "/v1", "ftp://b.example", "http://u:secret@b.example", "http://b.example/#x",
        "http://b.example:99999",
    ])
    func invalidBaseURLsSendNothing(text: String) async throws {
        let stub = StubClient(.json("[]"))
        let target = try await Self.client(stub, to: text).failure(of: AccountsRequest())
        let source = try await Self.client(stub, to: "http://b.example", from: text).failure(of: AccountsRequest())
        #expect(target.invalidRequest?.code == .baseURL)
        #expect(source.invalidRequest?.code == .baseURL)
        #expect(!"\(target) \(source)".contains("secret"))
        #expect(await stub.requests.isEmpty)
    }
}
