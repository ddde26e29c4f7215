import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

@Suite struct ReroutedTests {
    private static func client(
        _ base: some APIClient, to target: String, from source: String? = nil
    ) throws -> any APIClient {
        base.rerouted(to: APIBase(target), from: source.map { APIBase($0) })
    }

    // A URL, the base URLs of the endpoint and of the target, and the result.
    private static let moves = [
        ("https://a.example/v1/x?q=1", "https://a.example/v1", "http://b.example", "http://b.example/x?q=1"),
        ("https://a.example/v1", "https://a.example/v1/", "http://b.example/s/", "http://b.example/s"),
        ("https://a.example/v1/", "https://a.example/v1", "http://b.example/s", "http://b.example/s/"),
        ("https://a.example", "https://a.example/", "http://b.example:81/", "http://b.example:81"),
        ("HTTPS://A.example:443/x", "https://a.EXAMPLE", "http://[::1]:80", "http://[::1]:80/x"),
        ("https://a.example/x?q=1", "https://a.example?v=3", "http://b.example/y?k=2", "http://b.example/y/x?k=2&q=1"),
        ("https://a.example/x", "https://a.example", "http://b.example?k=2", "http://b.example/x?k=2"),
        ("https://a.example/%2F%20x", "https://a.example", "http://b.example", "http://b.example/%2F%20x"),
        // Below no base.
        ("https://a.example/v10", "https://a.example/v1", "http://b.example", "https://a.example/v10"),
        ("https://a.example/v1/%2e%2E/x", "https://a.example/v1", "http://b.example", "https://a.example/v1/%2e%2E/x"),
        ("https://a.example/%2e%2E/x", "https://a.example", "http://b.example/v1", "https://a.example/%2e%2E/x"),
    ]

    @Test(arguments: moves)
    func movesRequestsBelowTheBase(text: String, source: String, target: String, result: String) async throws {
        let stub = StubClient(.json("{}"))
        let url = try #require(URL(string: text))
        let response = try await Self.client(stub, to: target, from: source).perform(HTTPRequest(url: url))
        #expect(await stub.requests.map(\.url.absoluteString) == [result])
        #expect(response.head.url == url)
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
        let urls = ["http://staging.example/dir/things?k=1", "http://staging.example/dir/next?k=1"]
        #expect(script.requests.map(\.url.absoluteString) == urls)
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
        request.base = "http://api.example.com"
        try await client.send(request)
        #expect(script.requests.map(\.url.absoluteString) == ["http://staging.example/dir/things", target])
        #expect(script.requests.last?.headers["X-Key"] == nil)
    }

    @Test(arguments: ["", "#part", "http://[", "/a, /b"]) func otherLocationsStay(location: String) async throws {
        let client = try Self.client(
            ScriptedClient(.status(201, headers: [.location: location])), to: "http://b.example/d")
        let response = try await client.perform(AccountsRequest().httpRequest())
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
        "//staging.example/dir/next?page=2", "http://staging.example/dir/next?k=1&page=2",
        "https://api.example.com/next?page=2",
    ]) func linksStayInside(link: String) async throws {
        let field = "<\(link)>; rel=\"next\"; title=\"a, b\", <http://c.example/x>; rel=last"
        let script = ScriptedClient(.json("[]", headers: [.link: field]), .json("[]"))
        let client = try Self.client(script, to: "http://staging.example/dir?k=1")
        let pages = try await client.pages(of: LinkedRequest()).collected()
        let urls = ["http://staging.example/dir/accounts?k=1", "http://staging.example/dir/next?k=1&page=2"]
        #expect(script.requests.map(\.url.absoluteString) == urls)
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
        for client in [try Self.client(stub, to: text), try Self.client(stub, to: "http://b.example", from: text)] {
            let error = try await client.failure(of: AccountsRequest())
            #expect(error.invalidRequest?.code == .baseURL)
            #expect(!"\(error)".contains("secret"))
        }
        #expect(await stub.requests.isEmpty)
    }
}
