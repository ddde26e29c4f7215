import APIKitCore
import Foundation
import Testing

/// Bodies of responses that are followed by another request.
extension ExchangeTests {
    private static let piece = Data(repeating: 0x61, count: 40 << 10)

    @Test(arguments: Kind.allCases, deliveries)
    func bodyOfARedirectIsCutOff(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery))
        engine.receive(302, [.location: "/next", .contentLength: "1000000000000"])
        engine.receive(Self.piece)
        #expect(!engine.isOver)
        engine.receive(Self.piece)
        #expect(engine.isOver)
        #expect(engine.stops == 1)
        engine.receive(Self.piece)
        engine.finish()
        let response = try await task.value
        #expect(response.head.status == 302)
        #expect(response.body.data?.count == 64 << 10)
    }

    @Test(arguments: Kind.allCases, [(302, "/next", "moved"), (302, "http://a b", ""), (307, "/next", "")])
    func shortBodyOfARedirectIsWhole(kind: Kind, _ answer: (status: Int, location: String, body: String)) async throws {
        let (engine, task) = await begin(kind)
        engine.answer(answer.status, [.location: answer.location], body: answer.body)
        #expect(try await task.value.body.data == Data(answer.body.utf8))
        #expect(engine.stops == 0)
    }

    @Test(arguments: Kind.allCases)
    func bodyOfAResponseThatIsNotFollowedIsWhole(kind: Kind) async throws {
        for (status, headers) in [
            (302, [:]), (300, [.location: "/a"]), (302, [.location: "#a"]), (200, [.location: "/a"]),
        ]
            as [(Int, HTTPHeaders)]
        {
            let (engine, task) = await begin(kind)
            engine.receive(status, headers)
            for _ in 0..<3 { engine.receive(Self.piece) }
            engine.finish()
            #expect(try await task.value.body.data?.count == 3 * Self.piece.count)
        }
        var request = ScriptedRequest.scripted()
        request.options.redirects = .refuse
        let (engine, task) = await begin(kind, request)
        engine.receive(302, [.location: "/a"])
        for _ in 0..<3 { engine.receive(Self.piece) }
        engine.finish()
        #expect(try await task.value.body.data?.count == 3 * Self.piece.count)
    }

    @Test(arguments: Kind.allCases)
    func bodyOfAResponseThatAClientReplacesIsCutOff(kind: Kind) async throws {
        for (status, count) in [(401, 64 << 10), (503, 64 << 10), (403, 3 * Self.piece.count)] {
            var request = ScriptedRequest.scripted()
            request.mayReplace = { [401, 503].contains($0.status) }
            let (engine, task) = await begin(kind, request)
            engine.receive(status)
            for _ in 0..<3 { engine.receive(Self.piece) }
            engine.finish()
            #expect(try await task.value.body.data?.count == count)
        }
    }
}
