import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let origins: [EngineCheck] = [
        EngineCheck("headers and query items that clients add after a redirect do not reach another origin") { engine in
            let other = try LoopbackServer { _ in .text("arrived") }
            let home = try LoopbackServer { request in
                request.path == "/start"
                    ? .status(307, headers: [("Location", "\(other.url)/there?token=theirs")]) : .text("")
            }
            let client = NaiveTokenClient(base: engine.client)
            #expect(try await client.send(RedirectedRequest(base: APIBase(home.url))) == "arrived")

            let first = try #require(home.requests.first)
            #expect(first.values(of: "Authorization") == ["Bearer hunter2"])
            #expect(first.values(of: "X-Custom") == ["hunter2"])
            let arrived = try #require(other.requests.first)
            #expect(arrived.values(of: "Authorization") == [])
            #expect(arrived.values(of: "X-Custom") == [])
            #expect(arrived.values(of: "Accept-Language") == ["eo"])
            #expect(arrived.target == "/there?token=theirs")
            #expect(!arrived.head.contains("hunter2"))
        }
    ]
}

/// Adds its token to every request, whatever its origin.
private struct NaiveTokenClient: WrappingClient {
    let base: any APIClient

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        request.headers[.authorization] = "Bearer hunter2"
        request.headers["X-Custom"] = "hunter2"
        request.headers[.acceptLanguage] = "eo"
        return try await base.perform(request, in: call)
    }
}

struct RedirectedRequest: APIRequest {
    typealias Response = String
    typealias Failure = String
    var base: APIBase
    var options = RequestOptions()
    var path: URLPath { "start" }
}
