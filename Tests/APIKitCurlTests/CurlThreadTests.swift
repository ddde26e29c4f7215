#if os(Linux)
import APIKitTestServer
import EngineConformance
import Foundation
import TestTraits
import Testing

@testable import APIKitCore
@testable import APIKitCurl

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

    // MARK: - Without a server

    /// Calls a function with a thread that has not begun to run, and then lets it run to its end.
    private func withThread(connectionsPerHost: Int = 64, _ body: (CurlThread) throws -> Void) async throws {
        // The first request opens libcurl.
        let server = try LoopbackServer { _ in .text("ok") }
        _ = try await CurlClient().perform(HTTPRequest(url: server.url))
        var configuration = CurlClient.Configuration()
        configuration.connectionsPerHost = connectionsPerHost
        let loop = CurlLoop(configuration)
        let thread = try #require(CurlThread(of: loop))
        try body(thread)
        loop.close()
        thread.run()
    }

    private func exchange(_ url: String = "https://far.invalid/") throws -> Exchange {
        Exchange(HTTPRequest(url: try #require(URL(string: url))), in: Call())
    }

    private func transfer(on thread: CurlThread) throws -> CurlTransfer {
        let exchange = try exchange()
        let url = exchange.request.lazyURL.text
        let host = thread.loop.hosts.host(of: url, thread.configuration)
        // All transfers share the host.
        thread.loop.hosts.remember(host)
        return CurlTransfer(
            of: exchange, cookies: RequestCookies(), transferTimeout: nil, to: url, on: host, loop: thread.loop)
    }

    /// The head of a stream may come long after its connection, and the stream may then last as long as it wants.
    @Test func responseOverHTTP2LaunchesTheLongestWaitingTransfer() async throws {
        try await withThread(connectionsPerHost: 1) { thread in
            let host = try transfer(on: thread).host
            host.gate.didStart()
            thread.didConnect(to: host)
            let (second, third) = (try exchange(), try exchange())
            thread.start(second, cookies: RequestCookies(), transferTimeout: nil)
            #expect(thread.running.isEmpty)
            thread.didRespond(from: host, overHTTP2: true)
            #expect(thread.postponed.hostsToLaunch.count == 1)
            // A request that arrives just now does not overtake the other one.
            thread.start(third, cookies: RequestCookies(), transferTimeout: nil)
            #expect(thread.running.all.map { $0.exchange === second } == [true])
            for exchange in [third, second] { exchange.fail(CancellationError()) }
        }
    }

    /// The task that reads the body may outlive the transfer, and must not free the handle on another thread.
    @Test func uploadReleasesItsHandleAtTheEnd() async throws {
        try await withThread { thread in
            weak var handle: CurlHandle?
            let upload = try {
                let newHandle = try CurlHandle(of: thread)
                handle = newHandle
                let body = RequestBody.data(Data(), contentType: nil)
                return CurlUpload(body, awaitsContinue: false, of: try transfer(on: thread), on: newHandle)
            }()
            #expect(handle != nil)
            upload.end()
            #expect(handle == nil)
        }
    }

    /// Such a thread would have nothing to do, and would end only after the idle timeout.
    @Test func lateMessagesStartNoThread() async throws {
        try await withThread { thread in
            let transfer = try transfer(on: thread)
            let mailbox = CurlLoop.Mailbox()
            #expect(!mailbox.add(.stop(transfer)))
            #expect(mailbox.removeAll().isEmpty)
            #expect(mailbox.add(.resume(transfer)))
            // The thread is being started, and takes this message too.
            #expect(!mailbox.add(.stop(transfer)))
            #expect(mailbox.removeAll().count == 2)
        }
    }

    /// A stream may be read after its client was deallocated, which needs another thread.
    @Test func closedMailboxStaysClosed() {
        let mailbox = CurlLoop.Mailbox()
        #expect(!mailbox.isClosed)
        mailbox.close()
        #expect(mailbox.isClosed)
        #expect(mailbox.removeAll().isEmpty)
        #expect(mailbox.endThreadIfEmpty())
        #expect(mailbox.isClosed)
    }

    /// Their numbers would otherwise stay in memory until a request to the host may start.
    @Test(arguments: [false, true]) func stoppedTransfersDoNotAddUpWhileOthersWait(isInOrder: Bool) async throws {
        try await withThread { thread in
            var waiting = WaitingTransfers()
            let transfers = try (0..<100).map { _ in try transfer(on: thread) }
            for transfer in transfers { waiting.add(transfer) }
            let host = transfers[0].host
            let others = transfers.dropFirst()
            for transfer in isInOrder ? Array(others) : others.reversed() {
                guard case .waiting(let number) = transfer.stage else { continue }
                waiting.remove(number, for: host)
                #expect(host.waitingNumbers.count <= 2 * waiting.count)
            }
            #expect(waiting.popFirst(for: host) === transfers[0])
            #expect(waiting.popFirst(for: host) == nil)
            #expect(!host.hasWaitingTransfers)
        }
    }
}
#endif
