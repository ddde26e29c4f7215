#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import EngineConformance
import Foundation
import TestTraits
import Testing

/// The thread of a client, which ends if nothing uses it.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlThreadTests {
    /// 100,000 zeros as a member of gzip.
    private static let zeros = """
        H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA
        """

    /// Another thread then decodes the bytes that the first one has received.
    @Test func compressedBodyIsReadToItsEndAfterTheThreadHasEnded() async throws {
        let member = try #require(Data(base64Encoded: Self.zeros, options: .ignoreUnknownCharacters))
        let body = Data([[UInt8]](repeating: Array(member), count: 40).joined())
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Encoding", "gzip")], body: body)
        }
        var configuration = CurlClient.Configuration()
        configuration.idleTimeout = .milliseconds(1)
        let client = CurlClient(configuration)
        let response = try await client.perform(HTTPRequest(url: server.url, delivery: .stream))
        // At its end, the thread closes its connections.
        await server.waitUntilIdle()
        let decoded = try await response.body.bytes.data(upTo: 10_000_000)
        #expect(decoded.count == 4_000_000)
        withExtendedLifetime(client) {}
    }
}
#endif
