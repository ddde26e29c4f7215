import APIKit
import APIKitTesting
import InMemoryLogging
import Logging
import ServerClients
import Testing

@Suite struct LoggingTests {
    private let handler = InMemoryLogHandler()

    private var logger: Logger {
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = .debug
        return logger
    }

    /// The values of one key of the metadata, line by line.
    private func values(of key: String) -> [String?] {
        handler.entries.map { $0.metadata[key]?.description }
    }

    @Test func logsLabelsOfAnAttempt() async throws {
        try await StubClient(.json("[]")).logged(to: logger).send(UserRequest())
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1)
        #expect(entry.level == .debug)
        #expect(entry.message.description == "GET /users/{login}: 200")
        #expect(entry.metadata.keys.sorted() == ["attempt", "duration_ms", "endpoint", "method", "status", "template"])
        #expect(values(of: "endpoint") == ["UserRequest"])
        #expect(values(of: "method") == ["GET"])
        #expect(values(of: "template") == ["/users/{login}"])
        #expect(values(of: "status") == ["200"])
    }

    @Test func numbersAttempts() async throws {
        try await StubClient.flaky.logged(to: logger).retrying().send(UserRequest())
        #expect(values(of: "attempt") == ["1", "2", "3"])
        #expect(values(of: "status") == ["503", nil, "200"])
        #expect(values(of: "error") == [nil, "timedOut", nil])
        let levels: [Logger.Level] = [.debug, .warning, .debug]
        #expect(handler.entries.map(\.level) == levels)
    }

    @Test func requestsOfOtherEndpointsAreNotAttempts() async throws {
        let logged = StubClient(.json("[]")).logged(to: logger)
        let refreshing = logged.intercepted { request, _, next in
            try await logged.send(TokenRequest())
            return try await next(request)
        }
        try await refreshing.send(UserRequest())
        #expect(values(of: "endpoint") == ["TokenRequest", "UserRequest"])
        #expect(values(of: "attempt") == ["1", "1"])
    }

    @Test func usesTheLoggerOfTheTask() async throws {
        _ = try await withLogger(logger) { _ in try await StubClient(.json("[]")).logged().send(UserRequest()) }
        #expect(handler.entries.count == 1)
    }

    @Test func logsStreamAtItsEnd() async throws {
        let stub = StubClient().answering(
            StreamRequest.self, with: .stream("ab", "c", failingWith: TransportError(.connectionLost)))
        let stream = try await stub.logged(to: logger).send(StreamRequest())
        #expect(handler.entries.isEmpty)
        await #expect(throws: APIError<Data>.self) { try await stream.data(upTo: 10) }
        #expect(values(of: "status") == ["200"])
        #expect(values(of: "error") == ["connectionLost"])
    }

    @Test func linesHoldNoSecret() async {
        await sendSecrets { $0.logged(to: logger) }
        let lines = handler.entries.map { "\($0)" }
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.contains("/users/{login}/keys/{}") && !$0.contains(secret) })
    }
}
