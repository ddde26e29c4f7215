public import APIKitCore
import APIKitSupport
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
/// or, with a clock, each piece of a stream at the time at which it came. Recorded bodies are decoded, so
/// `Content-Encoding` is removed, and `Content-Length` is the length of the body. A recorded failure is thrown again.
/// Each hop of a redirect is an entry of its own.
public struct ReplayClient: APIClient {
    private struct State: Sendable {
        var isUsed: [Bool]
        /// By key: the position of the first unused entry among the candidates of that key.
        var firstUnusedPositions: [String: Int] = [:]
        /// If the recording is replayed in order, the index of the next entry.
        var next = 0
    }

    private final class Recording: Sendable {
        let entries: [HAREntry]
        let requests: [RecordedRequest]
        /// The indices of the entries with each ``RecordedRequest/key``.
        let candidates: [String: [Int]]
        /// The indices of the entries whose query has masked values. They can match requests with other keys.
        let withMasks: [Int]
        let state: Locked<State>

        init(_ entries: [HAREntry], _ requests: [RecordedRequest]) {
            self.entries = entries
            self.requests = requests
            candidates = Dictionary(grouping: requests.indices) { requests[$0].key }
            withMasks = requests.indices.filter { requests[$0].hasMasks }
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
    ///   - inOrder: Whether the entries must be used in the order in which their requests began, each of them once. By
    ///     default, a request gets the first matching entry that was not used yet. If all of them were used, it gets
    ///     the last one again.
    ///   - clock: What times the pieces of a stream as they were recorded; nil delivers them without delay.
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read, ``ContentError`` if it is
    ///   not a HAR.
    public init(_ har: HARFile, inOrder: Bool = false, clock: (any Clock<Duration>)? = nil) throws {
        pace = clock
        isInOrder = inOrder
        vocabulary = har.vocabulary
        bodyLimit = har.bodyLimit
        let entries = try har.entries()
        recording = Recording(entries, entries.map { [vocabulary] in Self.comparableForm(of: $0, vocabulary) })
    }

    /// Converts a recorded request to the form in which it is compared.
    ///
    /// It is masked, since a recording of another tool contains secrets. For requests that are sent,
    /// ``comparableForm(of:_:recordedBy:)`` does the same.
    private static func comparableForm(of entry: HAREntry, _ vocabulary: SecretVocabulary) -> RecordedRequest {
        var mask = SecretMask(vocabulary)
        let url = mask.maskedText(entry.url)
        let body = entry.requestBody.map { mask.maskedBody($0, type: entry.requestType) }
        return RecordedRequest(method: entry.method, maskedURL: url, type: entry.requestType, maskedBody: body)
    }

    /// The entries that have not answered a request yet, one line each; empty if all of the recording was used.
    public var unusedEntries: [String] {
        let isUsed = recording.state.withLock { $0.isUsed }
        return isUsed.indices.filter { !isUsed[$0] }.map(summaryOfEntry)
    }

    /// Describes an entry in one line: `3. GET https://api.example/users (200)`.
    private func summaryOfEntry(at index: Int) -> String {
        let entry = recording.entries[index]
        return "\(entry.number). \(entry.method) \(Masking.masked(entry.url, vocabulary).text) (\(entry.status))"
    }

    /// Answers a request with the recorded response of the entry that matches it.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if no entry matches; its message names the nearest one.
    ///   The recorded failure, as a ``TransportError``. The errors of an engine, such as ``RequestError`` for a request
    ///   that cannot be sent.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let request = try request.prepared(in: call)
        let body = try await body(of: request)
        try Task.checkCancellation()
        let wanted = comparableForm(of: request, body, recordedBy: .apiKit)
        guard let index = takeEntry(matching: wanted) ?? takeEntryOfOtherTool(for: request, body) else {
            throw TransportError(.unsupported, problem(finding: wanted), request: request)
        }
        let entry = recording.entries[index]
        // If only the body failed, its failure is reported after the head: see `finish`.
        let hasResponse = entry.status > 0
        if !hasResponse, let failure = entry.failure {
            throw TransportError(failure.code, failure.message, request: request)
        }
        return try await Exchange.response(to: request, in: call) { exchange in
            deliver(entry, to: exchange, requestLength: body?.count ?? request.body?.length)
        }
    }

    /// Reports the recorded response to the exchange: all of it at once or, if the client has a clock, the pieces of a
    /// stream at the times at which they came.
    private func deliver(_ entry: HAREntry, to exchange: Exchange, requestLength: Int?) {
        let isStream = exchange.request.delivery == .stream && !entry.pieces.isEmpty
        if let pace, isStream {
            deliverPieces(of: entry, to: exchange, pace, requestLength: requestLength)
        } else {
            deliverAtOnce(entry, to: exchange, requestLength: requestLength)
        }
    }

    /// Starts a task that reports the recorded response to the exchange, with the pieces of its body at the times at
    /// which they came.
    private func deliverPieces(
        of entry: HAREntry, to exchange: Exchange, _ pace: any Clock<Duration>, requestLength: Int?
    ) {
        exchange.playEngine { exchange in
            reportSending(to: exchange, requestLength: requestLength)
            exchange.receive(head(of: entry, for: exchange))
            try await receivePieces(of: entry, exchange, pace)
            finish(exchange, entry)
        }
    }

    /// Reports all of the recorded response to the exchange, unless the exchange was cancelled before.
    private func deliverAtOnce(_ entry: HAREntry, to exchange: Exchange, requestLength: Int?) {
        // There is no transfer to stop or to resume.
        let hasBegun = exchange.begin(stop: {}, resume: {})
        guard hasBegun else { return }
        reportSending(to: exchange, requestLength: requestLength)
        let head = head(of: entry, for: exchange)
        if entry.failure == nil {
            exchange.finish(with: head, body: entry.body)
        } else {
            exchange.receive(head)
            exchange.receive(entry.body)
            finish(exchange, entry)
        }
    }

    /// Reports to the exchange that the request was sent.
    private func reportSending(to exchange: Exchange, requestLength: Int?) {
        exchange.sent(total: 0)
        if let requestLength { exchange.sent(total: requestLength) }
    }

    /// The head of the recorded response, with the URL of the request that is answered.
    private func head(of entry: HAREntry, for exchange: Exchange) -> HTTPResponse.Head {
        HTTPResponse.Head(status: entry.status, headers: entry.headers, url: exchange.request.url)
    }

    /// Delivers each piece of a stream at its recorded time, or later if the reader has not asked for it yet.
    private func receivePieces(of entry: HAREntry, _ exchange: Exchange, _ pace: any Clock<Duration>) async throws {
        let timeSinceHead = Stopwatch(pace)
        for piece in entry.pieces {
            await exchange.waitForDemand()
            try await exchange.wait(for: piece.time - timeSinceHead.elapsed)
            exchange.receive(entry.body[piece.bytes])
        }
        // The end, or a failure, follows after the reader has taken the last piece.
        await exchange.waitForDemand()
    }

    /// Ends the response, with the recorded failure if its body was cut off.
    private func finish(_ exchange: Exchange, _ entry: HAREntry) {
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

    /// The program that has recorded an entry. It decides where the secrets of headers are masked.
    private enum Recorder {
        /// ``APIClient/recording(to:)``. It also masks the secrets of headers where they occur in the URL and the body.
        case apiKit
        /// Another tool, such as a browser. It masks nothing, so the URL and the body of its entries are masked later,
        /// and only by the names of secrets.
        case otherTool
    }

    /// Finds an entry that another tool has recorded, marks it as used, and returns its index; nil if none matches.
    private func takeEntryOfOtherTool(for request: HTTPRequest, _ body: Data?) -> Int? {
        takeEntry(matching: comparableForm(of: request, body, recordedBy: .otherTool))
    }

    /// Converts a request to the form in which it is compared with recorded ones. Its secrets are masked as they are in
    /// an entry of the given recorder.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body of the request; nil if it is too large to have been recorded.
    ///   - recorder: The program that has recorded the entries.
    /// - Returns: The request without its headers, which are not compared.
    private func comparableForm(
        of request: HTTPRequest, _ body: Data?, recordedBy recorder: Recorder
    ) -> RecordedRequest {
        var mask = SecretMask(vocabulary)
        // A secret that is remembered is masked in all that follows: first the headers, then the URL, then the body, in
        // the same order as in a recording.
        switch recorder {
        case .apiKit: mask.rememberSecrets(of: request.headers, secretNames: request.options.secretNames)
        case .otherTool: break
        }
        let url = mask.maskedURL(of: request)
        let type = request.headers[.contentType].map(MIMEType.init(rawValue:))
        let maskedBody = body.map { mask.maskedBody($0, type: type) }
        return RecordedRequest(
            method: request.method.rawValue, maskedURL: url, type: type, maskedBody: maskedBody)
    }

    /// Finds the entry that answers a request, marks it as used, and returns its index; nil if no entry matches.
    private func takeEntry(matching wanted: RecordedRequest) -> Int? {
        recording.state.withLock { state in
            let found: Int?
            if isInOrder {
                found = nextEntry(matching: wanted, state)
            } else {
                found = unusedOrLastEntry(matching: wanted, &state)
            }
            guard let found else { return nil }
            state.isUsed[found] = true
            state.next = found + 1
            return found
        }
    }

    /// Returns the next entry of a recording that is replayed in order; nil if there is none, or if it does not match.
    private func nextEntry(matching wanted: RecordedRequest, _ state: State) -> Int? {
        let next = state.next
        let hasNext = recording.requests.indices.contains(next)
        return hasNext && recording.requests[next].matches(wanted) ? next : nil
    }

    /// Returns the first unused entry that matches, or else the last used one that matches.
    ///
    /// The candidates are tried first: the entries with the same key as the request. Then come the entries with masked
    /// values, which match more loosely.
    private func unusedOrLastEntry(matching wanted: RecordedRequest, _ state: inout State) -> Int? {
        let candidates = recording.candidates[wanted.key] ?? []
        // The candidates before this position are used. The state keeps it for the next request.
        let position = advanceToFirstUnused(in: candidates, of: wanted.key, &state)
        if let unused = firstUnused(in: candidates[position...], matching: wanted, state) { return unused }
        if let used = last(in: candidates, matching: wanted) { return used }
        if let unused = firstUnused(in: recording.withMasks[...], matching: wanted, state) { return unused }
        return last(in: recording.withMasks, matching: wanted)
    }

    /// Moves the stored position among the candidates of a key to the first unused entry, or to their end, and returns
    /// it.
    ///
    /// Without the stored position, each of many requests with one key would search all of its candidates from the
    /// first one.
    private func advanceToFirstUnused(in candidates: [Int], of key: String, _ state: inout State) -> Int {
        var position = state.firstUnusedPositions[key, default: 0]
        while position < candidates.count, state.isUsed[candidates[position]] { position += 1 }
        state.firstUnusedPositions[key] = position
        return position
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
        isInOrder ? problemOfNextEntry(with: wanted) : problemOfNearestEntry(to: wanted)
    }

    /// Says how the next entry of a recording that is replayed in order differs from a request.
    private func problemOfNextEntry(with wanted: RecordedRequest) -> String {
        let next = recording.state.withLock { $0.next }
        guard recording.requests.indices.contains(next) else { return "the recording has no more entries" }
        let text = recording.requests[next].difference(from: wanted).text
        return "the next entry of the recording does not match: \(summaryOfEntry(at: next)): \(text)"
    }

    /// Says how the entry with the fewest differences from a request differs, and which entries are not used yet.
    private func problemOfNearestEntry(to wanted: RecordedRequest) -> String {
        let differences = recording.requests.map { $0.difference(from: wanted) }
        guard let nearest = differences.indices.min(by: { differences[$0].distance < differences[$1].distance }) else {
            return "the recording has no responses"
        }
        let text = "\(summaryOfEntry(at: nearest)): \(differences[nearest].text)"
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
