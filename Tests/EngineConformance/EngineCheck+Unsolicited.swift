import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    /// What arrives on a connection without a request belongs to no request (RFC 9112, section 9.2).
    static let unsolicited: [EngineCheck] = [
        EngineCheck("a response that waits on an idle connection is not taken for the next one") { engine in
            try await expectOwnResponses(engine, after: .text("own"), .text("somebody else's"))
        },
        EngineCheck("a late body after HEAD or 204 does not disturb the next request") { engine in
            let late = ServerAnswer(steps: [.send(Data("late".utf8))])
            try await expectOwnResponses(engine, .head, after: .text("own"), late)
            try await expectOwnResponses(engine, after: .status(204), late)
        },
    ]

    /// Expects that each request gets its own response, whatever the server sends after an earlier one.
    private static func expectOwnResponses(
        _ engine: Engine, _ method: HTTPMethod = .get, after answer: ServerAnswer, _ late: ServerAnswer
    ) async throws {
        for ending in [[], [ServerAnswer.Step.close]] {
            for round in 1...20 {
                let gate = Gate()
                let server = try LoopbackServer { request in
                    let isFirst = request.path == "/first"
                    guard isFirst else { return .text(request.values(of: "Authorization").joined()) }
                    return ServerAnswer(
                        steps: answer.steps(for: request.method) + [.waitFor(gate)] + late.steps + ending)
                }
                _ = try await engine.perform("/first", on: server, method: method)
                gate.open()
                if ending.isEmpty { await server.waitForAnswers(1) } else { await server.waitUntilIdle() }
                for user in ["Basic ada", "Basic bea"] {
                    // A POST too, since no engine may send it twice.
                    let method: HTTPMethod = round % 2 == 0 ? .get : .post
                    let response = try await engine.perform(
                        "/", on: server, method: method, headers: [.authorization: user])
                    #expect(response.text == user, "\(method), round \(round)")
                }
            }
        }
    }
}
