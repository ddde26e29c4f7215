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
        /// By key: the number of candidates before the first unused one.
        var usedCounts: [String: Int] = [:]
        /// In strict matching, the index of the next entry.
        var next = 0
    }

    private final class Recording: Sendable {
        let entries: [HAREntry]
        let requests: [RecordedRequest]
        /// The indices of the entries with each ``RecordedRequest/key``.
        let candidates: [String: [Int]]
        /// The indices of the entries whose query has masked values. They can match requests with other keys.
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
    /// The clock by which pieces of streams are delivered; nil delivers them without delay.
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
        let wanted = recordedForm(of: request, body)
        guard let index = takeEntry(matching: wanted) ?? takeEntryOfOtherTool(for: request, body) else {
            throw TransportError(.unsupported, problem(finding: wanted), request: request)
        }
        let entry = recording.entries[index]
        if let failure = entry.failure, entry.status <= 0 {
            throw TransportError(failure.code, failure.message, request: request)
        }
        return try await Exchange.response(to: request, in: call) { exchange in
            if let pace, !entry.pieces.isEmpty, request.delivery == .stream {
                exchange.playEngine { exchange in
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

    /// Delivers each piece of a stream at its recorded time, or later if the reader has not asked for it yet.
    private func receivePieces(of entry: HAREntry, _ exchange: Exchange, _ pace: any Clock<Duration>) async throws {
        let timeSinceHead = Stopwatch(pace)
        for piece in entry.pieces {
            await exchange.waitForDemand()
            try await exchange.wait(for: piece.time - timeSinceHead.elapsed)
            exchange.receive(entry.body[piece.bytes])
        }
        await exchange.waitForDemand()
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

    /// Takes an entry that another tool has recorded.
    ///
    /// ``APIClient/recording(to:)`` also masks the values of secret headers where they occur in the URL and the body.
    /// Other tools do not, so here the request is compared without that.
    private func takeEntryOfOtherTool(for request: HTTPRequest, _ body: Data?) -> Int? {
        takeEntry(matching: recordedForm(of: request, body, maskingValuesOfHeaders: false))
    }

    /// Returns a request in the form in which recorded requests are compared, with its secrets masked.
    private func recordedForm(
        of request: HTTPRequest, _ body: Data?, maskingValuesOfHeaders: Bool = true
    ) -> RecordedRequest {
        var mask = SecretMask(vocabulary)
        if maskingValuesOfHeaders {
            mask.rememberSecrets(of: request.headers, secretNames: request.options.secretNames)
        }
        let type = request.headers[.contentType].map(MIMEType.init(rawValue:))
        let url = mask.url(of: request)
        let maskedBody = body.map { mask.body($0, type: type) }
        return RecordedRequest(
            method: request.method.rawValue, maskedURL: url, type: type, maskedBody: maskedBody)
    }

    /// Finds the entry that answers a request, marks it as used, and returns its index; nil if no entry matches.
    private func takeEntry(matching wanted: RecordedRequest) -> Int? {
        recording.state.withLock { state in
            let found = isInOrder ? nextEntry(matching: wanted, state) : anyEntry(matching: wanted, &state)
            guard let found else { return nil }
            state.isUsed[found] = true
            state.next = found + 1
            return found
        }
    }

    /// Returns the next entry in strict matching; nil if the recording has ended, or if the entry does not match.
    private func nextEntry(matching wanted: RecordedRequest, _ state: State) -> Int? {
        let next = state.next
        guard recording.requests.indices.contains(next), recording.requests[next].matches(wanted) else { return nil }
        return next
    }

    /// Returns the first unused entry that matches, or else the last one that matches.
    ///
    /// Entries with the same key are tried first, and then those with masked values, which match more loosely.
    private func anyEntry(matching wanted: RecordedRequest, _ state: inout State) -> Int? {
        let key = wanted.key
        let candidates = recording.candidates[key] ?? []
        // The count of used candidates at the start is kept for the next request. Otherwise, each of many requests with
        // one key would search all of them from the first one.
        var usedCount = state.usedCounts[key, default: 0]
        while usedCount < candidates.count, state.isUsed[candidates[usedCount]] { usedCount += 1 }
        state.usedCounts[key] = usedCount

        if let unused = firstUnused(in: candidates[usedCount...], matching: wanted, state) { return unused }
        if let used = last(in: candidates, matching: wanted) { return used }
        if let unused = firstUnused(in: recording.masked[...], matching: wanted, state) { return unused }
        return last(in: recording.masked, matching: wanted)
    }

    private func firstUnused(in indices: ArraySlice<Int>, matching wanted: RecordedRequest, _ state: State) -> Int? {
        indices.first { !state.isUsed[$0] && recording.requests[$0].matches(wanted) }
    }

    private func last(in indices: [Int], matching wanted: RecordedRequest) -> Int? {
        indices.last { recording.requests[$0].matches(wanted) }
    }

    // MARK: - Error messages

    /// Says why no entry matches a request.
    private func problem(finding wanted: RecordedRequest) -> String {
        isInOrder ? problemOfNextEntry(matching: wanted) : problemOfAnyEntry(matching: wanted)
    }

    private func problemOfNextEntry(matching wanted: RecordedRequest) -> String {
        let next = recording.state.withLock { $0.next }
        guard recording.requests.indices.contains(next) else { return "the recording has no more entries" }
        let text = recording.requests[next].difference(from: wanted).text
        return "the next entry of the recording does not match: \(line(next)): \(text)"
    }

    private func problemOfAnyEntry(matching wanted: RecordedRequest) -> String {
        let differences = recording.requests.map { $0.difference(from: wanted) }
        guard let nearest = differences.indices.min(by: { differences[$0].distance < differences[$1].distance }) else {
            return "the recording has no responses"
        }
        let text = "\(line(nearest)): \(differences[nearest].text)"
        return "the recording has no response to this request; the nearest is \(text); \(unusedSummary)"
    }

    /// A list of at most five unused entries.
    private var unusedSummary: String {
        let unused = unusedEntries
        guard !unused.isEmpty else { return "all \(recording.entries.count) entries are used" }
        var lines = Array(unused.prefix(5))
        if unused.count > 5 { lines.append("…") }
        return "not used yet: \(lines.joined(separator: "; "))"
    }
}
