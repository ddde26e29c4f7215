import APIKitClients
import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// Requests for a URL that the API gave out.
@Suite struct LinkTests {
    private struct Linked: PagedRequest {
        typealias Response = Data
        var pageLink: URL?
        var base: APIBase = "https://api.example.com/v1"
        var path: URLPath = "things"
        var method = HTTPMethod.get
        var parameters: Parameters = ["q": "own"]
        var headers: HTTPHeaders { ["X-Own": "1"] }
        func next(after reply: APIReply<Data>) -> Linked? { nil }
    }

    struct Vector: Sendable, CustomTestStringConvertible {
        let link: String
        var base = "https://api.example.com/v1"
        let url: String
        var testDescription: String { "\(link) at \(base)" }
    }

    static let allowed: [Vector] = [
        Vector(link: "https://api.example.com/other?page=2", url: "https://api.example.com/other?page=2"),
        Vector(link: "HTTPS://API.Example.com:443/a", url: "https://API.Example.com:443/a"),
        Vector(link: "https://api.example.com", url: "https://api.example.com"),
        Vector(link: "https://api.example.com/a?b#part", url: "https://api.example.com/a?b"),
        Vector(link: "https://api.example.com/a/../b/%2F?x=%20", url: "https://api.example.com/b/%2F?x=%20"),
        Vector(link: "http://[::1]:8080/a", base: "http://[::1]:8080", url: "http://[::1]:8080/a"),
        Vector(link: "https://api.example.com/a/%2E%2e/b", url: "https://api.example.com/b"),
        // Relative to the endpoint.
        Vector(link: "/a?page=2", url: "https://api.example.com/a?page=2"),
        Vector(link: "?page=2", url: "https://api.example.com/v1/things?page=2"),
        Vector(link: "others", url: "https://api.example.com/v1/others"),
        Vector(link: "//api.example.com/a", url: "https://api.example.com/a"),
        // The query of the base URL belongs to every request.
        Vector(
            link: "https://api.example.com/a?page=2", base: "https://api.example.com/v1?tenant=7&page=1",
            url: "https://api.example.com/a?page=2&tenant=7"),
    ]

    @Test(arguments: allowed) func isRequestedInsteadOfTheEndpointsURL(vector: Vector) throws {
        let request = Linked(pageLink: URL(string: vector.link), base: try APIBase(#require(URL(string: vector.base))))
        #expect(try request.httpRequest().url.absoluteString == vector.url)
    }

    @Test func everythingElseIsTheEndpoints() throws {
        let link = URL(string: "https://api.example.com/search/7")
        let wire = try Linked(pageLink: link, method: .post, parameters: ["text": "a b"]).httpRequest()
        #expect(wire.method == .post)
        #expect(wire.url == link)
        #expect(wire.headers["X-Own"] == "1")
        #expect(wire.body?.data == Data("text=a+b".utf8))
        #expect(try Linked().httpRequest().url.absoluteString == "https://api.example.com/v1/things?q=own")
    }

    @Test func refusalNamesTheOriginAndTheProblem() throws {
        #expect(
            try Linked(pageLink: URL(string: "https://evil.example/a")).fault().description
                == "GET https://api.example.com/v1/things (Linked) was not sent: "
                + #"the link to "https://evil.example" leads to another origin than the base URL"#)
        let base = URL(string: "https://user:pass@api.example.com")!
        try Linked(pageLink: URL(string: "https://api.example.com/a"), base: APIBase(base)).expectFault(.baseURL)
    }

    @Test func linkOfAnEndpointWithoutPagesIsAParameter() throws {
        struct SaveBookmark: APIRequest {
            typealias Response = Data
            var link: URL?
            var pageLink: URL?
            var base: APIBase { "https://api.example.com" }
            var path: URLPath { "bookmarks" }
            var parameters: Parameters { ["link": link] }
        }
        let link = URL(string: "https://api.example.com/evil")
        let wire = try SaveBookmark(link: link, pageLink: link).httpRequest()
        #expect(
            wire.url.absoluteString == "https://api.example.com/bookmarks?link=https%3A%2F%2Fapi.example.com%2Fevil")
    }

    @Test func queryItemsOfTheAPIAreAddedIfTheirNamesAreMissing() throws {
        var request = Linked(pageLink: URL(string: "https://api.example.com/a?%76ersion=2&x&tags%5B%5D=1"))
        request.base.query = ["version": "1", "client": "a b", "x": "y", "tags[]": "2"]
        #expect(
            try request.httpRequest().url.absoluteString
                == "https://api.example.com/a?%76ersion=2&x&tags%5B%5D=1&client=a%20b")
    }

    @Test func absoluteLinkNeedsNoValidPath() throws {
        var request = Linked(pageLink: URL(string: "https://api.example.com/a"))
        request.path = "things/\("")"
        #expect(try request.httpRequest().url.absoluteString == "https://api.example.com/a")
        request.pageLink = URL(string: "?page=2")
        _ = try request.fault()
    }

    @Test(arguments: [
        "https://evil.example/a?token=s3cret", "https://api.example.com.evil.example/s3cret",
        "http://api.example.com/s3cret", "https://api.example.com:444/s3cret", "//evil.example/s3cret",
        "https://s3cret:s3cret@api.example.com/", "https://api.example.com:s3cret@evil.example/",
        "//s3cret@api.example.com/", "ftp://api.example.com/s3cret", "javascript:s3cret",
        "mailto:s3cret@api.example.com", "https:/s3cret", "https:///s3cret", "file:///s3cret",
        "https://api.example.com:99999999999999999999/s3cret",
    ]) func linkToAnotherOriginIsRefused(link: String) async throws {
        // What cannot be a URL cannot be a link either.
        guard let url = URL(string: link) else { return }
        let stub = StubClient(.status(200))
        let client = stub.authorized(by: .bearer("t0ken"), for: "https://api.example.com")
        let error = try await client.failure(of: Linked(pageLink: url))
        #expect(error.invalidRequest?.code == .link)
        #expect(stub.requests.isEmpty)
        let texts = ["\(error)", error.localizedDescription, error.invalidRequest?.message ?? ""]
        #expect(!texts.contains { $0.contains("s3cret") || $0.contains("t0ken") }, "\(texts)")
        #expect(isOneLine("\(error)"))
    }

    // Such a link is shown, kept and sent again, and the credential may have been replaced by then.
    @Test func credentialOfTheQueryIsTakenOutOfLinks() async throws {
        let link = "<https://api.example.com/v1/things?appid=schl%C3%BCssel&page=2>; rel=next"
        let stub = StubClient(.status(200, headers: [.link: link]))
        let client = stub.authorized(by: .query("appid", "schlüssel"), for: "https://api.example.com")
        let reply = try await client.reply(to: Linked())
        #expect(reply.links[.next]?.absoluteString == "https://api.example.com/v1/things?page=2")
        // A credential is sent with a link within its scope.
        _ = try await client.send(Linked(pageLink: reply.links[.next]))
        #expect(stub.requests.last?.url.query == "page=2&appid=schl%C3%BCssel")
    }
}
