import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct AddingTests {
    @Test func requestsTakePrecedence() async throws {
        let stub = StubClient(.json("[]"))
        let client: any APIClient = stub.adding(
            headers: [.userAgent: "App/1.0", .acceptLanguage: "en"],
            query: ["lang": "en", "since": 1, "a b": ["x", "&"]])
        let request = Endpoint<[Account], NoContent>(parameters: ["since": 46], headers: ["user-agent": "Own"])
        try await client.send(request)
        let sent = try #require(stub.requests.first)
        #expect(sent.url.query == "since=46&lang=en&a%20b=x&a%20b=%26")
        #expect(sent.headers.values(for: .userAgent) == ["Own"])
        #expect(sent.headers[.acceptLanguage] == "en")
    }

    @Test(
        arguments: [
            ("https://h.example/", "lang=en"), ("https://h.example/?", "lang=en"),
            ("https://h.example/?l%61ng=de", "l%61ng=de"), ("https://h.example/?lang", "lang"),
            ("https://h.example/?a=%2b&&b", "a=%2b&&b&lang=en"),
        ] as [(String, String)])
    func keepsTheQueryByteForByte(url: String, query: String) async throws {
        let stub = StubClient(.json("[]"))
        _ = try await stub.adding(query: ["lang": "en"]).perform(HTTPRequest(url: try #require(URL(string: url))))
        #expect(stub.requests.first?.url.query == query)
    }

    @Test func bodiesKeepTheirContentType() async throws {
        let stub = StubClient(.json("[]"))
        let body = RequestBody.data(Data("x".utf8), contentType: .plainText)
        let request = HTTPRequest(method: .post, url: try #require(URL(string: "https://h.example/")), body: body)
        _ = try await stub.adding(headers: [.contentType: "text/csv"]).perform(request)
        #expect(stub.requests.first?.headers[.contentType]?.hasPrefix("text/plain") == true)
    }

    @Test func invalidValuesSendNothing() async throws {
        let stub = StubClient(.json("[]"))
        let query = try await stub.adding(query: ["x": Double.nan]).failure(of: AccountsRequest())
        #expect(query.invalidRequest?.code == .parameters)
        let header = try await stub.adding(headers: ["X-Key": "secret\r\n"]).failure(of: AccountsRequest())
        #expect(header.invalidRequest?.code == .header)
        #expect(!"\(header)".contains("secret"))
        #expect(stub.requests.isEmpty)
    }

    @Test func redirectsToAnotherOriginDropTheQuery() async throws {
        let stub = StubClient().answering(.get, "/x", with: .json("[]"))
            .answering(.get, "/accounts", with: .status(302, headers: [.location: "https://other.example/x?page=2"]))
        try await stub.adding(headers: ["X-Key": "k"], query: ["lang": "en"]).send(AccountsRequest())
        let last = try #require(stub.requests.last)
        #expect(last.url.absoluteString == "https://other.example/x?page=2")
        #expect(last.headers["X-Key"] == nil)
    }
}
