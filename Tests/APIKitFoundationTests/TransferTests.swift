import APIKitCore
import APIKitTestServer
import APIKitTesting
import Testing

@testable import APIKitFoundation

@Suite struct TransferTests {
    /// The failure of a request whose exchange ends before its transfer starts.
    private func failure(of request: HTTPRequest, over session: URLSession) async -> (any Error)? {
        do {
            _ = try await Exchange.response(to: request) { exchange in
                exchange.fail(CancellationError())
                Transfer(of: exchange).start(over: (session, nil))
            }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [URLSession.api, .shared])
    func exchangeThatEndedSendsNothing(session: URLSession) async throws {
        let server = try LoopbackServer { _ in .text("") }
        #expect(await failure(of: HTTPRequest(url: server.url), over: session) is CancellationError)
        #expect(server.requests.isEmpty)
    }

    @Test func eventsAfterTheEndAreIgnored() async throws {
        let server = try LoopbackServer { _ in .text("whole") }
        let transfers = Transfers()
        let response = try await Exchange.response(to: HTTPRequest(url: server.url)) { exchange in
            let transfer = Transfer(of: exchange)
            transfers.all.withLock { $0.append(transfer) }
            transfer.start(over: (.api, nil))
        }
        let transfer = try #require(transfers.all.withLock { $0.first })
        transfer.exchange.receive(Data("late".utf8))
        transfer.complete(URLError(.timedOut))
        transfer.exchange.fail(CancellationError())
        #expect(response.body.data == Data("whole".utf8))
        #expect(transfer.exchange.isOver)
    }

    @Test func refusedTrustIsASecureConnectionFailure() async throws {
        let url = try #require(URL(string: "https://api.example.com/things"))
        let error = await #expect(throws: TransportError.self) {
            try await Exchange.response(to: HTTPRequest(url: url)) { exchange in
                let transfer = Transfer(of: exchange)
                transfer.refuseTrust()
                // What the session reports of the task that is cancelled then.
                transfer.complete(URLError(.cancelled))
            }
        }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.url == url)
    }

    private final class Transfers: Sendable {
        let all = Locked<[Transfer]>([])
    }
}
