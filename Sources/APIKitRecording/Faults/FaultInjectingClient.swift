public import APIKitCore
import APIKitSupport
import APIKitTesting

extension APIClient {
    /// Returns a client that injects faults: delays, lost connections, server errors, truncated bodies and duplicated
    /// requests, so that a program's retries and error paths are tested as a simulation.
    ///
    /// ```swift
    /// let stub = StubClient(.json("[]"), clock: ManualClock(skippingSleep: true))
    /// let network = stub.injectingFaults(.seed(7))
    /// let client = network.retrying(.backoff(attempts: 3))
    /// ```
    ///
    /// The seed decides which fault each request gets, by its method, its URL and how many of those came before it. So
    /// the same requests get the same faults in every run, even if requests to different URLs run at the same time.
    /// Requests with the same method and URL are numbered as they arrive.
    ///
    /// A lost connection is a ``TransportError`` with the code `connectionLost`, as an engine reports it; a
    /// stream delivers half of its first piece before. Errors and statuses say that they are simulated and name the
    /// seed. A typed answer of a ``StubClient`` is passed on as it is, or lost.
    ///
    /// - parameter faults: The faults, their shares and the seed.
    /// - Returns: The client, which keeps a ``FaultInjectingClient/log`` of what happened.
    public func injectingFaults(_ faults: FaultInjection) -> FaultInjectingClient {
        FaultInjectingClient(base: self, faults: faults)
    }
}

/// A client that injects faults; created by ``APIClient/injectingFaults(_:)``.
///
/// Its description is the seed and the log, for the comment of an expectation.
public struct FaultInjectingClient: WrappingClient {
    /// One request that arrived at the client, and its fault.
    ///
    /// Two entries are equal if their method, URL, number, delay and fault are; headers and bodies may differ from run
    /// to run.
    public struct Entry: Sendable {
        /// The request, without its closures.
        public let request: HTTPRequest
        /// The number of the request among those with this method and URL, from 1.
        public let number: Int
        /// The delay, if any.
        public let delay: Duration?
        /// The fault; nil if the request got no fault.
        public let fault: FaultInjection.Fault?
    }

    /// The faults, their shares and the seed.
    public let faults: FaultInjection
    /// The client that performs the requests.
    public let base: any APIClient
    private let record = Record()

    fileprivate init(base: any APIClient, faults: FaultInjection) {
        self.base = base
        self.faults = faults
    }

    /// Every request that has arrived, in order. Copies of the client share it.
    public var log: [Entry] { record.state.withLock { $0.entries } }

    /// Performs a request with the fault that the seed has for it.
    ///
    /// - Throws: What the base client throws; ``TransportError`` with the code `connectionLost` for an injected fault,
    ///   or with `timedOut` if the injected delay is not shorter than the timeout of the request.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let entry = appendEntry(for: request)
        if let delay = entry.delay { try await wait(for: delay, request, entry, call) }
        guard let fault = entry.fault else { return try await base.perform(request, in: call) }
        func connectionLost() -> TransportError { failure(.connectionLost, fault.description, request, entry) }
        switch fault {
        case .lostRequest:
            throw connectionLost()
        case .lostResponse:
            // The server has handled the request, but its response does not arrive.
            _ = try await base.perform(request, in: call)
            throw connectionLost()
        case .serverError(let status, let retryAfter):
            return serverError(status, retryAfter, request, entry)
        case .truncatedBody:
            var response = try await base.perform(request, in: call)
            // A body in memory or in a file arrives as a whole, or the request fails.
            guard response.body.isStream else { throw connectionLost() }
            response.body = response.body.truncated(by: connectionLost())
            return response
        case .duplicate:
            // The first response is discarded, and so is its error: only the second one is returned.
            _ = try? await base.perform(request, in: call.withoutProgress)
            try Task.checkCancellation()
            return try await base.perform(request, in: call)
        }
    }

    /// Waits before the request is sent, but not longer than its timeout.
    private func wait(for delay: Duration, _ request: HTTPRequest, _ entry: Entry, _ call: Call) async throws {
        do {
            try await call.wait(for: delay, of: request)
        } catch let error as TransportError {
            throw failure(error.code, error.message ?? "", request, entry)
        }
    }

    /// Creates an error whose message says that it is simulated, and names the seed and the request.
    private func failure(
        _ code: TransportError.Code, _ problem: String, _ request: HTTPRequest, _ entry: Entry
    ) -> TransportError {
        let text = "simulated: \(problem) (seed \(faults.seed), request \(entry.number))"
        return TransportError(code, text, request: request)
    }

    /// Creates the response of a server that fails, whose body says that it is simulated.
    private func serverError(
        _ status: Int, _ retryAfter: Int?, _ request: HTTPRequest, _ entry: Entry
    ) -> HTTPResponse {
        let headers: HTTPHeaders = [.contentType: "text/plain", .retryAfter: retryAfter.map(String.init)]
        let text = "simulated (seed \(faults.seed), request \(entry.number))"
        var response = HTTPResponse.status(status, headers: headers, body: Data(text.utf8))
        response.head.url = request.url
        return response
    }

    /// Decides which delay and fault a request gets, and appends its entry to the log.
    private func appendEntry(for request: HTTPRequest) -> Entry {
        let line = "\(request.method) \(request.url.absoluteString)"
        // The log lives as long as the client, and must not keep the streams of bodies alive.
        let loggedRequest = request.withoutStreams
        return record.state.withLock { state in
            let number = state.counts[line, default: 0] + 1
            state.counts[line] = number
            let decision = faults.decision(for: line, number: number)
            let entry = Entry(request: loggedRequest, number: number, delay: decision.delay, fault: decision.fault)
            state.entries.append(entry)
            return entry
        }
    }

    private final class Record: Sendable {
        struct State: Sendable {
            var entries: [Entry] = []
            /// The number of requests so far by method and URL.
            var counts: [String: Int] = [:]
        }

        let state = Locked(State())
    }
}

extension FaultInjectingClient: CustomStringConvertible {
    /// The seed, and one line for each request that has arrived, with secrets masked.
    public var description: String {
        (["seed \(faults.seed):"] + log.map(\.description)).joined(separator: "\n")
    }
}

extension FaultInjectingClient.Entry: Hashable {
    /// Whether two entries have the same method, URL, number, delay and fault.
    public static func == (left: Self, right: Self) -> Bool {
        left.request.method == right.request.method && left.request.url == right.request.url
            && left.number == right.number && left.delay == right.delay && left.fault == right.fault
    }

    /// Hashes the URL and the number.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(request.url)
        hasher.combine(number)
    }
}

extension FaultInjectingClient.Entry: CustomStringConvertible {
    /// The request, its delay and its fault, with secrets masked.
    public var description: String {
        var events: [String] = []
        if let delay { events.append("delayed by \(delay.wholeMilliseconds) ms") }
        if let fault { events.append(fault.description) }
        if events.isEmpty { events = ["no fault"] }
        return "\(request.method) \(request.maskedURL) (\(number)): \(events.joined(separator: ", "))"
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}

extension ResponseBody {
    /// The stream with half of its first piece, followed by an error.
    fileprivate func truncated(by error: TransportError) -> ResponseBody {
        let counter = ReadCounter()
        return readingStream { next in
            let isFirstRead = counter.countRead() == 1
            guard isFirstRead else { throw error }
            let piece = try await next()
            // A body that ends here, or a single byte, has no half to deliver.
            guard let piece, piece.count > 1 else { throw error }
            return piece.prefix(piece.count / 2)
        }
    }

    /// Counts the reads of a stream.
    private final class ReadCounter: Sendable {
        private let count = Locked(0)

        /// Counts one more read, and returns its number, from 1.
        func countRead() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
