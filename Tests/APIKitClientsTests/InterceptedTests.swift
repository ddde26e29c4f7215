import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct InterceptedTests {
    @Test func changesRequestAndResponse() async throws {
        let base = ScriptedClient(.json("[]"))
        let client = base.intercepted { request, _, next in
            var request = request
            request.headers["X-Request-Id"] = "7"
            var response = try await next(request)
            response.head.headers["X-Seen"] = "yes"
            return response
        }
        let reply = try await client.reply(to: AccountsRequest())
        #expect(base.requests.map { $0.headers["X-Request-Id"] } == ["7"])
        #expect(reply.head.headers["X-Seen"] == "yes")
    }

    @Test func mayAnswerByItself() async throws {
        let client = StubClient().intercepted { request, _, _ in
            HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(Data("[]".utf8)))
        }
        #expect(try await client.send(AccountsRequest()).isEmpty)
    }

    @Test func mayCallNextTwice() async throws {
        let base = ScriptedClient(.status(500), .json("[]"))
        let client: any APIClient = base.intercepted { request, _, next in
            let response = try await next(request)
            return response.head.status == 500 ? try await next(request) : response
        }
        #expect(try await client.send(AccountsRequest()).isEmpty)
        #expect(base.requests.count == 2)
    }

    @Test func errorThrownReachesTheCaller() async throws {
        let client = StubClient(.json("[]")).intercepted { _, _, _ in throw TransportError(.timedOut) }
        #expect(try await client.failure(of: AccountsRequest()).transportCode == .timedOut)
    }
}
