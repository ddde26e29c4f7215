import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct CredentialTests {
    private static let api = "https://api.example.com"
    private static let url = URL(string: "\(api)/things?a=1")!
    private static func sent(_ credential: Credential, _ url: URL = url, headers: HTTPHeaders = [:]) async throws
        -> HTTPRequest
    {
        let base = ScriptedClient(.json("{}"))
        _ = try await base.authorized(by: credential, for: APIBase(api)).perform(
            HTTPRequest(url: url, headers: headers))
        return base.requests[0]
    }

    @Test func standsWhereItsKindSays() async throws {
        #expect(try await Self.sent(.bearer("t0k")).headers[.authorization] == "Bearer t0k")
        // RFC 7617, sections 2 and 2.1.
        let aladdin = try await Self.sent(.basic(user: "Aladdin", password: "open sesame"))
        #expect(aladdin.headers[.authorization] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let test = try await Self.sent(.basic(user: "test", password: "123\u{A3}"))
        #expect(test.headers[.authorization] == "Basic dGVzdDoxMjPCow==")
        #expect(try await Self.sent(.header("X-Shop", "s3")).headers["X-Shop"] == "s3")
        #expect(try await Self.sent(.query("app id", "s&3")).url.query == "a=1&app%20id=s%263")
    }

    @Test func ownHeadersAndItemsTakePrecedence() async throws {
        #expect(try await Self.sent(.bearer("t"), headers: ["authorization": "Own"]).headers.map(\.value) == ["Own"])
        #expect(try await Self.sent(.query("a", "2")).url.query == "a=1")
        let encoded = try #require(URL(string: "https://api.example.com/?%61=1"))
        #expect(try await Self.sent(.query("a", "2"), encoded).url.query == "%61=1")
    }

    @Test(arguments: [
        Credential.basic(user: "a:b", password: "s3cret"), .basic(user: "a", password: "s3cret\n"),
        .bearer("s3cret\r\nX: y"), .header("X Y", "s3cret"), .header("X-Y", "s3cret\0"),
        .header(.contentLength, "s3cret"),
    ]) func invalidCredentialsSendNothing(credential: Credential) async throws {
        let stub = StubClient(.json("[]"))
        let error = try await stub.authorized(by: credential, for: APIBase(Self.api)).failure(of: AccountsRequest())
        #expect(error.invalidRequest?.code == .header)
        #expect(!"\(error)".contains("s3cret"))
        #expect(stub.requests.isEmpty)
    }

    @Test func equalityIgnoresTheExpiry() {
        let nan = Date(timeIntervalSince1970: .nan)
        #expect(Credential.bearer("t", expires: .now) == .bearer("t", expires: nan))
        #expect(Credential.bearer("t").hashValue == Credential.bearer("t", expires: nan).hashValue)
        #expect(Credential.header("X-Key", "1") == .header("x-key", "1"))
        #expect(Credential.header("X-Key", "1") != .query("X-Key", "1"))
    }

    @Test func missingCredentialSendsNothing() async throws {
        let missing = Credential.missing(1)
        #expect(try await Self.sent(missing) == HTTPRequest(url: Self.url))
        #expect(missing == .missing(1, expires: .distantPast))
        #expect(missing != .missing(2))
        #expect("\(missing)" == "no credential")
    }

    @Test func missingCredentialLeavesErrorsAndResponsesUnchanged() async throws {
        let failing = ImmediateClient {
            throw TransportError(.other, "no route", request: $0, underlying: CocoaError(.fileNoSuchFile))
        }
        let error = try await failing.authorized(by: Credential.missing(1), for: APIBase(Self.api)).failure(
            of: AccountsRequest())
        #expect(error.transport?.message == "no route")
        #expect(error.transport?.underlying is CocoaError)
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/accounts")
    }

    private static func withKey(_ base: some APIClient, key: String = "s3cret") -> some APIClient {
        base.authorized(by: .query("shop", key), for: APIBase(api))
    }

    @Test func responsesDoNotShowAKeyInTheQuery() async throws {
        let base = ScriptedClient(.status(201, headers: [.location: "/next?shop=s%33cret&page=2#end"]))
        let response = try await Self.withKey(base).perform(HTTPRequest(url: Self.url))
        #expect(response.head.url == Self.url)
        #expect(response.head.headers[.location] == "/next?page=2")
    }

    private struct QuotingError: Error { let url: URL }

    @Test func errorsDoNotShowAKeyInTheQuery() async throws {
        let failing = ImmediateClient { request in
            let underlying = QuotingError(url: request.url)
            throw TransportError(.cannotConnect, "no route to \(request.url)", request: request, underlying: underlying)
        }
        let error = try await Self.withKey(failing, key: "s3 cret").failure(of: AccountsRequest())
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/accounts")
        #expect(error.transport?.message == "no route to https://api.example.com/accounts?shop=***")
        #expect(error.transport?.underlying == nil)
        let refusing = ImmediateClient { throw RequestError(.body, "no", url: $0.url) }
        let refusal = try await Self.withKey(refusing).failure(of: AccountsRequest())
        #expect(refusal.invalidRequest?.url?.absoluteString == "https://api.example.com/accounts")
    }

    @Test func otherUnderlyingErrorsAreKept() async throws {
        let failing = ImmediateClient {
            throw TransportError(.other, request: $0, underlying: CocoaError(.fileNoSuchFile))
        }
        let error = try await Self.withKey(failing).failure(of: AccountsRequest())
        #expect(error.transport?.underlying is CocoaError)
    }

    @Test func errorsOfAStreamDoNotShowAKeyInTheQuery() async throws {
        let broken = ImmediateClient { request in
            let bytes = ByteStream(Chunks("abc", failure: TransportError(.connectionLost, request: request)))
            return HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(bytes))
        }
        let response = try await Self.withKey(broken).perform(HTTPRequest(url: Self.url, delivery: .stream))
        let outcome = await Outcome(of: response.body.bytes)
        #expect(outcome.elements == [Data("abc".utf8)])
        #expect(outcome.failure == "GET https://api.example.com/things?a=1: connectionLost")
    }
}
