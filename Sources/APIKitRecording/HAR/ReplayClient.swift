public import APIKitCore
import APIKitTesting

/// A client that answers from a recording instead of a network.
///
/// ```swift
/// let client = try ReplayClient(HARFile(URL(fileURLWithPath: "Fixtures/users.har")))
/// let users = try await client.send(UsersRequest())
/// #expect(client.unusedEntries == [])
/// ```
///
/// It reads what ``APIClient/recording(to:)`` has written, and HARs in the form that Chrome, Firefox and Safari export;
/// the file is read once, when the client is created. Entries without a response are skipped, and members of an
/// unexpected type are ignored. Requests match an entry by method, URL and body. Headers are not compared, nor are the
/// order of query items and of a form's fields, and what is percent-encoded, in which browsers differ; JSON is compared
/// by value. Secrets are not compared: both sides are masked as described at ``HARFile``, and where the recording has
/// `***`, any value matches, and a query item may be missing.
///
/// It checks requests as an engine does, and delivers bodies as requests want them, within their limits, without delay
/// or, with a clock, each piece of a stream at the time at which it came.
/// Recorded bodies are decoded, so `Content-Encoding` is removed, and `Content-Length` is that of the body. A recorded
/// failure is thrown again. Each hop of a redirect is an entry of its own.
public struct ReplayClient: APIClient {
    private struct State: Sendable {
        var isUsed: [Bool]
        /// The number of a key's candidates that are used, counted from the first one.
        var usedCounts: [String: Int] = [:]
        /// In strict matching, the index of the next entry.
        var next = 0
    }

    private final class Recording: Sendable {
        let entries: [HAREntry]
        let requests: [RecordedRequest]
        let candidates: [String: [Int]]
        /// The entries whose query has masked values, which match more than their key says.
        let masked: [Int]
        let state: Locked<State>

        init(_ entries: [HAREntry], _ requests: [RecordedRequest]) {
            self.entries = entries
            self.requests = requests
            candidates = Dictionary(grouping: requests.indices) { requests[$0].key }
            masked = requests.indices.filter { requests[$0].hasMasks }
            state = Locked(State(isUsed: Array(repeating: false, count: entries.count)))
        }
    }

    private let recording: Recording
    private let isInOrder: Bool
    private let vocabulary: SecretVocabulary
    private let bodyLimit: Int
    private let pace: (any Clock<Duration>)?
    /// The clock that times deadlines, and the pieces of streams.
    public var clock: any Clock<Duration> { pace ?? ContinuousClock() }

    /// Creates a client from a recording.
    ///
    /// - Parameters:
    ///   - har: The recording, with the same names of secrets as when it was made.
    ///   - inOrder: Whether the next entry, by the time at which it began, must match, so that each is used once. By
    ///     default, any entry that matches answers: the first one that was not used yet, or else the last one again.
    ///   - clock: What times the pieces of a stream as they were recorded; nil delivers them without delay.
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read, ``ContentError`` if it is
    ///   not a HAR.
    public init(_ har: HARFile, inOrder: Bool = false, clock: (any Clock<Duration>)? = nil) throws {
        pace = clock
        let vocabulary = har.vocabulary
        let entries = try har.entries()
        let requests = entries.map { entry in
            var mask = SecretMask(vocabulary)
            let url = mask.text(entry.url)
            let body = entry.requestBody.map { mask.body($0, type: entry.requestType) }
            return RecordedRequest(
                method: entry.method, maskedURL: url, type: entry.requestType, maskedBody: body)
        }
        recording = Recording(entries, requests)
        isInOrder = inOrder
        self.vocabulary = vocabulary
        bodyLimit = har.bodyLimit
    }

    /// The entries that have not answered a request yet, one line each; empty if all of the recording was used.
    public var unusedEntries: [String] {
        let isUsed = recording.state.withLock { $0.isUsed }
        return isUsed.indices.filter { !isUsed[$0] }.map(line)
    }

    private func line(_ index: Int) -> String {
        let entry = recording.entries[index]
        return "\(entry.number). \(entry.method) \(Masking.masked(entry.url, vocabulary).text) (\(entry.status))"
    }

    /// Answers a request from the recording.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if no entry matches, whose message names
    ///   the nearest one; the recorded failure; and what engines throw.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let request = try request.prepared(in: call)
        let body = try await body(of: request)
        try Task.checkCancellation()
        let asked = asked(request, body)
        guard let index = take(asked) ?? takeFromOtherTool(request, body) else {
            throw TransportError(.unsupported, problem(of: asked), request: request)
        }
        let entry = recording.entries[index]
        if let failure = entry.failure, entry.status <= 0 {
            throw TransportError(failure.code, failure.message, request: request)
        }
        return try await Exchange.response(to: request, in: call) { exchange in
            if let pace, !entry.pieces.isEmpty, request.delivery == .stream {
                exchange.run { exchange in
                    begin(exchange, entry, body)
                    try await receivePieces(of: entry, exchange, pace)
                    end(exchange, entry)
                }
            } else if exchange.begin(stop: {}, resume: {}) {
                begin(exchange, entry, body)
                if !entry.body.isEmpty { exchange.receive(entry.body) }
                end(exchange, entry)
            }
        }
    }

    /// Delivers each piece of a stream at its time.
    private func receivePieces(of entry: HAREntry, _ exchange: Exchange, _ pace: any Clock<Duration>) async throws {
        let timeSinceHead = Stopwatch(pace)
        for piece in entry.pieces {
            await exchange.demand()
            try await exchange.wait(for: piece.time - timeSinceHead.elapsed)
            exchange.receive(entry.body[piece.bytes])
        }
        await exchange.demand()
    }

    private func begin(_ exchange: Exchange, _ entry: HAREntry, _ body: Data?) {
        let request = exchange.request
        exchange.sent(total: 0)
        if let length = body?.count ?? request.body?.length { exchange.sent(total: length) }
        exchange.receive(HTTPResponse.Head(status: entry.status, headers: entry.headers, url: request.url))
    }

    private func end(_ exchange: Exchange, _ entry: HAREntry) {
        if let failure = entry.failure {
            exchange.fail(TransportError(failure.code, failure.message, request: exchange.request))
        } else {
            exchange.finish()
        }
    }

    // MARK: - Matching

    /// The body of a request; nil if it is too large to have been recorded.
    private func body(of request: HTTPRequest) async throws -> Data? {
        do {
            return try await request.body?.bytes.data(upTo: bodyLimit) ?? Data()
        } catch let error as TransportError where error.code == .bodyTooLarge {
            return nil
        }
    }

    /// The index of an entry of another tool, which does not mask the values of secret headers in the URL and the body.
    private func takeFromOtherTool(_ request: HTTPRequest, _ body: Data?) -> Int? {
        take(asked(request, body, maskingValuesOfHeaders: false))
    }

    private func asked(_ request: HTTPRequest, _ body: Data?, maskingValuesOfHeaders: Bool = true) -> RecordedRequest {
        var mask = SecretMask(vocabulary)
        if maskingValuesOfHeaders {
            // The mask then knows their values.
            _ = mask.headers(request.headers, secretNames: request.options.secretNames)
        }
        let type = request.headers[.contentType].map(MIMEType.init(rawValue:))
        let url = mask.url(of: request)
        let maskedBody = body.map { mask.body($0, type: type) }
        return RecordedRequest(
            method: request.method.rawValue, maskedURL: url, type: type, maskedBody: maskedBody)
    }

    /// The index of the entry that answers a request, which counts as used.
    private func take(_ asked: RecordedRequest) -> Int? {
        recording.state.withLock { state in
            let found = isInOrder ? nextEntry(asked, state) : anyEntry(asked, &state)
            guard let found else { return nil }
            state.isUsed[found] = true
            state.next = found + 1
            return found
        }
    }

    private func nextEntry(_ asked: RecordedRequest, _ state: State) -> Int? {
        let next = state.next
        guard recording.requests.indices.contains(next), recording.requests[next].matches(asked) else { return nil }
        return next
    }

    /// The first entry that matches and was not used, or else the last one that matches. Entries with masked values are
    /// asked after the others.
    private func anyEntry(_ asked: RecordedRequest, _ state: inout State) -> Int? {
        let key = asked.key
        let candidates = recording.candidates[key] ?? []
        // Used ones are not looked at again, so that many requests of one key take time in proportion.
        var usedCount = state.usedCounts[key, default: 0]
        while usedCount < candidates.count, state.isUsed[candidates[usedCount]] { usedCount += 1 }
        state.usedCounts[key] = usedCount

        if let unused = firstUnused(asked, in: candidates[usedCount...], state) { return unused }
        if let used = last(asked, in: candidates) { return used }
        if let unused = firstUnused(asked, in: recording.masked[...], state) { return unused }
        return last(asked, in: recording.masked)
    }

    private func firstUnused(_ asked: RecordedRequest, in indices: ArraySlice<Int>, _ state: State) -> Int? {
        indices.first { !state.isUsed[$0] && recording.requests[$0].matches(asked) }
    }

    private func last(_ asked: RecordedRequest, in indices: [Int]) -> Int? {
        indices.last { recording.requests[$0].matches(asked) }
    }

    // MARK: - What is missing

    private func problem(of asked: RecordedRequest) -> String {
        isInOrder ? problemInOrder(of: asked) : problemOfAny(of: asked)
    }

    private func problemInOrder(of asked: RecordedRequest) -> String {
        let next = recording.state.withLock { $0.next }
        guard recording.requests.indices.contains(next) else { return "the recording has no more entries" }
        let text = recording.requests[next].difference(from: asked).text
        return "the next entry of the recording does not match: \(line(next)): \(text)"
    }

    private func problemOfAny(of asked: RecordedRequest) -> String {
        let differences = recording.requests.map { $0.difference(from: asked) }
        guard let nearest = differences.indices.min(by: { differences[$0].distance < differences[$1].distance }) else {
            return "the recording has no responses"
        }
        let text = differences[nearest].text
        return "the recording has no response to this request; the nearest is \(line(nearest)): \(text); \(rest)"
    }

    /// Which entries are left.
    private var rest: String {
        let unused = unusedEntries
        guard !unused.isEmpty else { return "all \(recording.entries.count) entries are used" }
        var lines = Array(unused.prefix(5))
        if unused.count > 5 { lines.append("…") }
        return "not used yet: \(lines.joined(separator: "; "))"
    }
}
