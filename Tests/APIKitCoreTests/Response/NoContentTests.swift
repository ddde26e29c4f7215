import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct NoContentTests {
    @Test(arguments: ["", "{\"id\":1}", "<html>", "\u{0}"]) func readsNothing(body: String) async throws {
        #expect(try NoContent.process(data: Data(body.utf8)) == NoContent())
        let client = ImmediateClient(.text(body, type: "text/plain; charset=x-unknown"))
        #expect(try await client.send(Endpoint<NoContent, DirectoryError>()) == NoContent())
    }
}
