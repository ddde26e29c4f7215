#if os(Linux)
import APIKit
import APIKitCurl
import APIKitTestServer
import EngineConformance
import TestTraits
import Testing

@testable import APIKitFoundation

/// How long the engines of sessions live on Linux.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct SessionEngineTests {
    private func configuration(connectionsPerHost: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        return configuration
    }

    @Test func sessionsThatDifferInTheTimeoutOfATransferShareAnEngine() {
        let (one, other) = (URLSessionConfiguration.ephemeral, URLSessionConfiguration.ephemeral)
        one.timeoutIntervalForResource = 100
        other.timeoutIntervalForResource = 200
        #expect(SessionEngine.shared(for: one) === SessionEngine.shared(for: other))
    }

    @Test func eachSessionLimitsItsTransfers() async throws {
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitForClient]) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 0.2
        let session = URLSession(configuration: configuration)
        let error = await #expect(throws: TransportError.self) {
            try await session.perform(HTTPRequest(url: server.url, options: RequestOptions(timeout: .seconds(600))))
        }
        #expect(error?.code == .timedOut)
    }

    @Test func engineThatOthersHaveFollowedIsReleased() {
        weak let first = SessionEngine.shared(for: configuration(connectionsPerHost: 1000))
        #expect(first != nil)
        for number in 1001..<1020 { _ = SessionEngine.shared(for: configuration(connectionsPerHost: number)) }
        #expect(first == nil)
    }

    @Test func engineThatASessionHoldsIsFoundAgain() {
        let session = URLSession.api(configuration: configuration(connectionsPerHost: 2000))
        for number in 2001..<2020 { _ = SessionEngine.shared(for: configuration(connectionsPerHost: number)) }
        let found = SessionEngine.shared(for: configuration(connectionsPerHost: 2000))
        #expect((session as? APISession)?.engine === found)
    }

    /// In a process of its own, since other tests open descriptors too.
    @Test func descriptorsOfManySessionsComeBack() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .text("ok") }
            func send(_ number: Int) async throws {
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = number
                configuration.timeoutIntervalForResource = Double(100 + number)
                let session = URLSession(configuration: configuration)
                _ = try await session.perform(HTTPRequest(url: server.url))
                session.invalidateAndCancel()
            }
            for number in 1...20 { try await send(number) }
            let start = try descriptors()
            for number in 21...120 { try await send(number) }
            while try descriptors() > start { await Task.yield() }
            exit(0)
        }
    }
}

/// How many descriptors the process has open.
private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
}
#endif
