import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite struct NoContentTests {
    @Test(arguments: ["", "{\"id\":1}", "<html>", "\u{0}"]) func readsNothing(body: String) async throws {
        #expect(try NoContent.process(data: Data(body.utf8)) == NoContent())
        let client = ImmediateClient(.text(body, type: "text/plain; charset=x-unknown"))
        #expect(try await client.send(Endpoint<NoContent, DirectoryError>()) == NoContent())
    }

    @Test(arguments: [200, 201, 202, 204, 205, 299]) func acceptsEverySuccess(status: Int) async throws {
        let reply = try await ImmediateClient(.status(status)).reply(to: Endpoint<NoContent, Data>())
        #expect(reply.model == NoContent())
        #expect(reply.head.status == status)
    }

    @Test(arguments: [199, 300, 304, 400, 404, 500, 599]) func refusesEveryOtherStatus(status: Int) async throws {
        let error = try await ImmediateClient(.status(status)).failure(of: Endpoint<NoContent, DirectoryError>())
        let rejection = try #require(error.rejection)
        #expect(rejection.failure == nil)
        #expect(rejection.response.head.status == status)
    }

    @Test func asksForNoType() { #expect(NoContent.acceptedTypes.isEmpty) }
}
