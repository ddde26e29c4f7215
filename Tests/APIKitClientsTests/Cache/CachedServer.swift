import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport

@testable import APIKitClients

/// A server with a script, a cached client of it, and a time that stands still until a test moves it.
struct CachedServer: Sendable {
    static let start = Date(timeIntervalSince1970: 1_000_000_000)

    let cache: ResponseCache
    let client: any APIClient
    private let server: Server
    private let time: Time

    private final class Time: Sendable {
        private let value = Locked(CachedServer.start)
        func now() -> Date { value.withLock { $0 } }
        func pass(_ seconds: Double) { value.withLock { $0 += seconds } }
    }

    /// Returns its results in order, and repeats the last one.
    private struct Server: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        let results: [Result<HTTPResponse, any Error>]
        let time: Time
        let delay: Double
        let log = Recorder<HTTPRequest>()

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let count = log.append(request)
            time.pass(delay)
            var response = try results[min(count, results.count) - 1].get()
            response.head.url = request.url
            return response
        }
    }

    /// Creates a server each of whose results takes some seconds.
    init(
        _ results: [Result<HTTPResponse, any Error>], cache: ResponseCache = ResponseCache(bytes: 1 << 20),
        delay: Double = 0
    ) {
        let time = Time()
        self.time = time
        self.cache = cache
        server = Server(results: results, time: time, delay: delay)
        client = server.timed(by: DateClock { time.now() }).cached(in: cache)
    }

    init(_ responses: HTTPResponse..., cache: ResponseCache = ResponseCache(bytes: 1 << 20)) {
        self.init(responses.map { .success($0) }, cache: cache)
    }

    /// A server whose cache has its first response.
    static func filled(by responses: HTTPResponse...) async throws -> CachedServer {
        let server = CachedServer(responses.map { .success($0) })
        try await server.get()
        return server
    }

    /// What reached the server.
    var requests: [HTTPRequest] { server.log.values }

    /// Sends a request after a time.
    @discardableResult
    func get(
        _ headers: HTTPHeaders = [:], path: String = "things", method: HTTPMethod = .get, after seconds: Double = 0
    ) async throws -> HTTPResponse {
        time.pass(seconds)
        return try await client.perform(HTTPRequest(method: method, url: url(path), headers: headers))
    }

    func url(_ path: String = "things") -> URL { URL(string: "https://api.example.com/\(path)")! }
    func pass(_ seconds: Double) { time.pass(seconds) }
}

/// A clock of which only the date matters.
struct DateClock: SimulatedClock {
    let read: @Sendable () -> Date
    var date: Date { read() }
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    func pass(_ duration: Duration) async throws {}
}

extension HTTPResponse {
    /// A response of the server with these headers.
    static func of(_ text: String, _ headers: HTTPHeaders = [:], status: Int = 200) -> HTTPResponse {
        .status(status, headers: headers, body: Data(text.utf8))
    }

    var text: String? { body.data.map { String(decoding: $0, as: UTF8.self) } }
}

extension Date {
    /// The date as HTTP writes it, so many seconds after the start of a test.
    static func http(_ seconds: Double = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: CachedServer.start + seconds)
    }
}
