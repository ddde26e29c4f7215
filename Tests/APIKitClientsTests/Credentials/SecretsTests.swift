import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// Whatever a credential is called, its value stands in no log, event, error text or line for curl.
@Suite struct SecretsTests {
    // No part of a credential may be visible, wherever the body is truncated, whether the status is rejected or not.
    @Test(arguments: [
        Credential.bearer("hunter2hunter2hunter2"), .basic(user: "hunter2", password: "hunter2"),
        .header("X-Shop", "hunter2hunter2hunter2"), .query("shop", "hunter2 hunter2 hunter2"),
    ])
    func masksCredentialsThatABodyRepeats(credential: Credential) async throws {
        for padding in 150..<250 {
            let status = padding.isMultiple(of: 2) ? 200 : 403
            let echo = ImmediateClient { request in
                let values = request.headers.map(\.value) + (request.url.query.map { [$0] } ?? [])
                let words = values.flatMap { $0.split { " =".contains($0) } }.filter { $0.contains { $0.isNumber } }
                let text = String(repeating: "x", count: padding) + words.joined(separator: " ")
                return HTTPResponse(
                    head: HTTPResponse.Head(status: status, url: request.url), body: ResponseBody(Data(text.utf8)))
            }
            let client = echo.authorized(by: credential, for: "https://api.example.com")
            let error = try await client.failure(of: Endpoint<Account, DirectoryError>())
            var response = try #require(error.response)
            for text in [error.description, "\(response)"] {
                #expect(text.contains("xxx") && !text.contains("hunt") && !text.contains("aHVu"), "\(text)")
            }
            response.body = ResponseBody()
            var dumped = ""
            dump(response, to: &dumped)
            #expect(!dumped.contains("hunt") && !dumped.contains("aHVu"))
        }
    }

    private static let secret = "s3cr3t/+ü"
    private static let spellings = ["s3cr3t", Data("ada:\(secret)".utf8).base64EncodedString()]

    private static let credentials: [Credential] = [
        .bearer("s3cr3t"), .basic(user: "ada", password: secret), .header("X-Shop-Id", "s3cr3t-1"),
        .header("X-API-Key", "s3cr3t-2"), .query("api_key", secret), .query("appid", secret), .query("q", "s3cr3t"),
    ]

    private static let responses: [@Sendable (HTTPRequest) throws -> HTTPResponse] = [
        { request in
            .status(
                200, headers: [.contentType: "text/plain"],
                body: Data("\(request.url) \(request.headers.map(\.value))".utf8))
        }, { _ in .status(404, body: Data("no".utf8)) },
        // As Characters, values with an accent after them do not equal the values.
        { request in
            let values = request.headers.map(\.value) + [request.url.absoluteString]
            return .status(403, body: Data("\(values.joined(separator: "\u{301} "))\u{301}".utf8))
        }, { request in .status(500, headers: [.location: request.url.absoluteString]) },
        { request in throw TransportError(.connectionLost, "lost \(request.url)\u{301}", request: request) },
        { request in throw RequestError(.header, "refused", method: request.method, url: request.url) },
        { request in throw URLError(.badURL, userInfo: [NSURLErrorFailingURLErrorKey: request.url]) },
    ]

    @Test(arguments: credentials) func credentialIsNowhere(credential: Credential) async throws {
        let texts = Recorder<String>()
        for response in Self.responses {
            let engine = ImmediateClient { request in
                var answer = try response(request)
                answer.head.url = request.url
                return answer
            }
            let client =
                engine
                .observed { event in
                    texts.append(event.description)
                    texts.append(event.request.description)
                    texts.append(event.request.curlCommand)
                }
                .logged(headers: true, bodies: true) { texts.append($0) }
                .authorized(by: credential, for: "https://api.example.com")
                .logged(headers: true) { texts.append($0) }
                .observed { texts.append("\($0) \($0.request)") }
            do {
                let reply = try await client.reply(to: Endpoint<NoContent, Data>())
                texts.append(reply.head.url.absoluteString)
            } catch {
                texts.append("\(error)")
                texts.append(error.localizedDescription)
            }
        }
        var dumped = "\(credential) \(String(reflecting: credential)) \([credential])"
        dump(credential, to: &dumped)
        #expect(dumped.contains("***"))
        texts.append(dumped)
        #expect(texts.values.count > 40)
        for text in texts.values { for spelling in Self.spellings { #expect(!text.contains(spelling), "\(text)") } }
    }

    /// A server that repeats in its response what a form contained, under a name that is not that of a secret.
    @Test(arguments: ["refresh_token", "client_secret", "own"]) func secretOfAFormIsNotInALogOfItsResponse(
        name: String
    ) async throws {
        let texts = Recorder<String>()
        let engine = ImmediateClient { _ in .json(#"{"error": "hunter two", "detail": "hunter+two"}"#, status: 400) }
        let client = engine.logged(bodies: true) { texts.append($0) }
        let request = HTTPRequest(
            method: .post, url: try #require(URL(string: "https://api.example.com/token")),
            body: .form([name: "hunter two", "grant_type": "refresh_token"]),
            options: RequestOptions(secretNames: ["own"]))
        _ = try await client.perform(request)
        #expect(texts.values.count == 1)
        for text in texts.values { #expect(!text.contains("hunter") && text.contains("grant_type"), "\(text)") }
    }

    @Test func passwordIsNotInALogOfAResponseThatRepeatsIt() async throws {
        let texts = Recorder<String>()
        let engine = ImmediateClient { _ in .json(#"{"error": "no hunter%2Ftwo for ada, or hunter/two"}"#, status: 401)
        }
        let client = engine.logged(bodies: true) { texts.append($0) }
            .authorized(by: .basic(user: "ada", password: "hunter%2Ftwo"), for: "https://api.example.com")
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: "https://api.example.com/token"))))
        #expect(texts.values.count == 1)
        for text in texts.values { #expect(!text.contains("hunter") && text.contains("for ada"), "\(text)") }
    }
}
