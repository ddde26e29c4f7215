#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import EngineConformance
import Foundation
import TestTraits
import Testing

/// Each in a process of its own, whose descriptors no other test uses.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct DescriptorTests {
    @Test func lackOfDescriptorsIsSaid() async {
        await #expect(processExitsWith: .success) {
            let client = CurlClient()
            let server = try LoopbackServer { _ in .text("ok") }
            let other = try LoopbackServer { _ in .text("ok") }
            _ = try await client.perform(HTTPRequest(url: server.url))
            var taken: [Int32] = []
            while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
            let error = await #expect(throws: TransportError.self) {
                try await client.perform(HTTPRequest(url: other.url))
            }
            for descriptor in taken { close(descriptor) }
            #expect(error?.code == .cannotConnect)
            #expect(error?.message?.contains("no file descriptor is left") == true)
            #expect(try await client.perform(HTTPRequest(url: other.url)).head.status == 200)
            exit(0)
        }
    }

    @Test func engineThatIsNotInUseHasNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .text("ok") }
            var configuration = CurlClient.Configuration()
            configuration.idleTimeout = .milliseconds(1)
            var clients: [CurlClient] = []
            func performAnother() async throws {
                let client = CurlClient(configuration)
                clients.append(client)
                _ = try await client.perform(HTTPRequest(url: server.url))
            }
            try await performAnother()
            let start = try descriptors()
            for _ in 0..<20 { try await performAnother() }
            while try descriptors() > start { await Task.yield() }
            exit(clients.count == 21 ? 0 : 1)
        }
    }
}

/// How many descriptors the process has open.
private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
#endif
