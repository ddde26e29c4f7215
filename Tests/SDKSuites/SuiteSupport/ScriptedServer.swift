public import APIKit
import APIKitTestServer
import APIKitTesting
import Foundation

/// A server on loopback that plays the responses of a case, one for each request.
public final class ScriptedServer: Sendable {
    /// A request, and when it arrived.
    struct Arrival: Sendable {
        let request: ReceivedRequest
        /// The time of the client's clock since the case began.
        let time: Duration
    }

    private let server: LoopbackServer
    private let clock: ManualClock
    private let arrivals: Log<Arrival>
    private let strayURLs: Log<String>

    /// Where the server listens.
    public var url: URL { server.url }
    /// The network for the SDK: an engine whose pauses end at once. It sends the requests for the base URL of the case
    /// to this server, and no others.
    public let client: any APIClient
    /// The requests, in order.
    var requests: [Arrival] { arrivals.elements }
    /// The URLs of the requests that would have left this machine.
    var refusedURLs: [String] { strayURLs.elements }

    /// Starts a server.
    ///
    /// - Throws: `POSIXError` if no socket can be created.
    public init(playing test: ConformanceCase) throws {
        let clock = ManualClock(skippingSleep: true)
        let arrivals = Log<Arrival>()
        let strayURLs = Log<String>()
        let answers = test.responses.map(Self.answer)
        // After the last page, an SDK may ask for one more.
        let hasPages = test.responses.contains { $0["headers"]?["Link"]?.string?.contains("rel=\"next\"") == true }
        let last = hasPages ? ServerAnswer.json("[]") : .json(#"{"error": "no more responses"}"#, status: 500)
        server = try LoopbackServer { request in
            let number = arrivals.append(Arrival(request: request, time: clock.elapsed))
            return number < answers.count ? answers[number] : last
        }
        let (url, base) = (server.url, test.arguments.optionalText("baseUrl").flatMap { URL(string: $0) })
        client = URLSession.api.timed(by: clock).intercepted { request, _, next in
            guard [url.origin, base?.origin].contains(request.url.origin) else {
                strayURLs.append(request.url.absoluteString)
                throw TransportError(.cannotConnect, "The case has no such server.")
            }
            var request = request
            request.url = request.url.moved(to: url)
            return try await next(request)
        }
        (self.clock, self.arrivals, self.strayURLs) = (clock, arrivals, strayURLs)
    }

    deinit { server.stop() }

    /// What the server does for a response of a case: a status with headers and JSON, or a broken connection.
    private static func answer(_ response: JSONValue) -> ServerAnswer {
        guard let status = response["status"]?.number?.int else { return ServerAnswer(steps: [.reset]) }
        var headers = [("Content-Type", "application/json")]
        for (name, value) in response["headers"]?.object ?? [:] {
            headers.removeAll { $0.0 == name }
            headers.append((name, value.string ?? ""))
        }
        return .status(status, headers: headers, body: Data((response["body"]?.description ?? "").utf8))
    }
}

extension URL {
    /// The scheme, the host and the port.
    fileprivate var origin: String { "\(scheme ?? "")://\(host()?.lowercased() ?? ""):\(port ?? 443)" }

    /// The same path and query at another origin.
    fileprivate func moved(to other: URL) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (parts.scheme, parts.host, parts.port) = (other.scheme, other.host(), other.port)
        return parts.url ?? self
    }
}

/// A list that several threads append to.
///
/// `@unchecked Sendable`: the lock guards the list.
private final class Log<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [Element] = []

    var elements: [Element] { lock.withLock { stored } }

    /// Appends an element, and returns its position.
    @discardableResult
    func append(_ element: Element) -> Int {
        lock.withLock {
            stored.append(element)
            return stored.count - 1
        }
    }
}
