import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// What a request sends after a redirect to another origin, whatever clients add to it.
@Suite(.timeLimit(.minutes(10))) struct CrossOriginTests {
    /// Changes every request, wherever that goes.
    private struct Changing: WrappingClient {
        let base: any APIClient
        let change: @Sendable (inout HTTPRequest) throws -> Void

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            var request = request
            try change(&request)
            return try await base.perform(request, in: call)
        }
    }

    /// Sets its credentials on every request.
    private func naive(_ base: some APIClient) -> some APIClient {
        Changing(base: base) { request in
            request.headers[.authorization] = "Bearer hunter2"
            request.headers["X-Unheard-Of"] = "hunter2"
            let separator = request.url.query == nil ? "?" : "&"
            request.url = URL(string: "\(request.url.absoluteString)\(separator)api_key=hunter2&lang=eo")!
        }
    }

    /// Sends every request to another host, as a test against a staging server does.
    private func rerouted(_ base: some APIClient) -> some APIClient {
        Changing(base: base) { $0.url = URL(string: "https://staging.example.com\($0.url.path)")! }
    }

    private let headers: HTTPHeaders = [.authorization: "Bearer hunter2", .acceptLanguage: "eo", "X-Own": "hunter2"]

    /// Performs like an engine, with the validated request.
    private func stub(_ locations: [String: String]) -> StubClient {
        StubClient { request in
            let url = "\(request.url.scheme ?? "")://\(request.url.host ?? "")\(request.url.path)"
            guard let location = locations[url] else { return .status(200) }
            return .status(307, headers: [.location: location])
        }
    }

    // MARK: - Clients that add credentials

    @Test func credentialsThatAClientAddsDoNotReachAnotherOrigin() async throws {
        let target = "https://storage.example.com/a?X-Amz-Signature=1&X-Amz-Credential=2&token=%2F"
        let stub = stub(["https://api.example.com/things": target])
        _ = try await naive(stub).send(Endpoint<Data, Data>(headers: headers))
        let requests = stub.requests
        #expect(requests.count == 2)
        #expect(requests[0].headers[.authorization] == "Bearer hunter2")
        #expect(requests[0].url.query?.contains("api_key=hunter2") == true)
        #expect(requests[1].url.absoluteString == target)
        #expect(requests[1].headers[.acceptLanguage] == "eo")
        #expect(!"\(requests[1].headers.map(\.value))".contains("hunter2"))
    }

    @Test(arguments: [302, 307]) func refusesABodyThatAClientAddsIfTheOptionsForbidIt(status: Int) async throws {
        let client = ScriptedClient(.status(status, headers: [.location: "https://other.example.com/a"]), .status(200))
        let posting = Changing(base: client) { request in
            request.method = .post
            request.body = .data(Data("client_secret=hunter2".utf8), contentType: .formURLEncoded)
        }
        let endpoint = Endpoint<Data, Data>(method: .post, options: RequestOptions(sendsBodyAcrossOrigins: false))
        #expect(try await posting.failure(of: endpoint).requestError?.code == .body)
        #expect(client.requests.count == 1)
    }

    @Test func removesUserInformationThatAClientAdds() async throws {
        let stub = stub(["https://api.example.com/things": "https://other.example.com/a"])
        let basic = Changing(base: stub) {
            $0.url = URL(string: $0.url.absoluteString.replacingOccurrences(of: "//", with: "//ada:hunter2@"))!
        }
        _ = try await basic.send(Endpoint<Data, Data>())
        #expect(stub.requests.last?.url.absoluteString == "https://other.example.com/a")
    }

    @Test func remembersTheOriginOverSeveralHops() async throws {
        let stub = stub([
            "https://api.example.com/things": "/next", "https://api.example.com/next": "https://other.example.com/a",
            "https://other.example.com/a": "/b", "https://other.example.com/b": "https://third.example.com/c",
            "https://third.example.com/c": "https://api.example.com/home",
        ])
        _ = try await naive(stub).send(Endpoint<Data, Data>(headers: headers))
        let requests = stub.requests
        #expect(requests.map(\.url.path) == ["/things", "/next", "/a", "/b", "/c", "/home"])
        let token: String? = "Bearer hunter2"
        #expect(requests.map { $0.headers[.authorization] } == [token, token, nil, nil, nil, token])
        // Back at the first origin, dropped headers are not restored, and clients may add theirs.
        #expect(requests.last?.headers["X-Own"] == nil)
        #expect(requests.last?.headers["X-Unheard-Of"] == "hunter2")
    }

    @Test func reroutedRequestsAndThoseByHandKeepEverything() async throws {
        let stub = stub(["https://staging.example.com/things": "/next"])
        _ = try await rerouted(naive(stub)).send(Endpoint<Data, Data>(headers: headers))
        let requests = stub.requests
        #expect(requests.map(\.url.path) == ["/things", "/next"])
        for request in requests {
            #expect(request.url.host == "staging.example.com")
            #expect(request.headers["X-Own"] == "hunter2")
            #expect(request.headers[.authorization] == "Bearer hunter2")
        }
        let byHand = HTTPRequest(url: requests[0].url, headers: headers)
        #expect(try byHand.prepared(in: Call()) == byHand)
    }

    @Test(
        arguments: [
            ("https://api.example.com", "https://eu.example.com/a", true),
            ("https://api.example.com", "https://EU.example.com:8443/a", true),
            ("http://api.example.com", "https://eu.example.com/a", true),
            ("http://api.example.com", "http://eu.example.com/a", true),
            ("https://api.example.com", "https://x.eu.example.com/a", false),
            ("https://api.example.com", "https://example.com/a", false),
            ("https://api.example.com", "https://eu.example.com.evil.example/a", false),
        ] as [(String, String, Bool)])
    func credentialHostsReceiveCredentials(
        base: String, location: String, isShared: Bool
    ) async throws {
        let stub = stub(["\(base)/things": location])
        let endpoint = Endpoint<Data, Data>(
            base: try APIBase(#require(URL(string: base))), headers: headers,
            options: RequestOptions(credentialHosts: ["Eu.Example.Com"]))
        _ = try await naive(stub).send(endpoint)
        let last = try #require(stub.requests.last)
        #expect(last.headers["X-Own"] == (isShared ? "hunter2" : nil))
        #expect(last.headers[.authorization] == (isShared ? "Bearer hunter2" : nil))
        #expect(last.url.absoluteString.contains("api_key=hunter2") == isShared)
    }

    @Test func credentialHostsDoNotPassCredentialsOn() async throws {
        let stub = stub([
            "https://api.example.com/things": "https://eu.example.com/a",
            "https://eu.example.com/a": "https://other.example.com/b",
        ])
        var headers = headers
        headers[.host] = "api.example.com"
        let options = RequestOptions(credentialHosts: ["eu.example.com"])
        _ = try await naive(stub).send(Endpoint<Data, Data>(headers: headers, options: options))
        let requests = stub.requests
        #expect(requests.map { $0.headers["X-Own"] } == ["hunter2", "hunter2", nil])
        #expect(requests.map { $0.headers[.authorization] == nil } == [false, false, true])
        #expect(requests.map { $0.headers[.host] } == ["api.example.com", nil, nil])
    }

    @Test(arguments: [301, 302, 303, 307, 308]) func refusesABodyThatMustNotCrossOrigins(status: Int) async throws {
        let client = ScriptedClient(.status(status, headers: [.location: "https://other.example.com/a"]), .status(200))
        let endpoint = Endpoint<Data, Data>(
            method: .put, body: .data(Data("hunter2".utf8), contentType: nil),
            options: RequestOptions(sendsBodyAcrossOrigins: false))
        if status == 303 {
            _ = try await client.send(endpoint)
            #expect(client.requests.last?.body == nil)
            return
        }
        let error = try await client.failure(of: endpoint)
        #expect(error.transportCode == .redirectRefused)
        #expect("\(error)".contains("body"))
        #expect(client.requests.count == 1)
    }

    @Test func keepsSuchABodyWithinItsOrigin() async throws {
        let options = RequestOptions(credentialHosts: ["eu.example.com"], sendsBodyAcrossOrigins: false)
        for location in ["/next", "https://eu.example.com/a"] {
            let client = ScriptedClient(.status(308, headers: [.location: location]), .status(200))
            _ = try await client.send(
                Endpoint<Data, Data>(method: .post, body: .data(Data([1]), contentType: nil), options: options))
            #expect(client.requests.last?.body?.data == Data([1]))
        }
    }
}
