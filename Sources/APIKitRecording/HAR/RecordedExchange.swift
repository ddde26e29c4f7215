import APIKitCore
import APIKitTesting

/// A request and its response or error, from which an entry of a recording is created.
struct RecordedExchange: Sendable {
    /// A body as it is recorded.
    struct Body: Sendable {
        /// The bytes; nil if they are not recorded.
        var data: Data?
        /// Why the body is missing or incomplete.
        var comment: String?
        /// The pieces of a stream.
        var pieces: [Piece] = []
    }

    /// A piece of a stream.
    struct Piece: Sendable {
        /// The time from the response's head to this piece.
        let time: Duration
        /// The offset in the body at which the piece ends.
        let end: Int
    }

    private(set) var request: HTTPRequest
    let started = Date()
    private let timeSinceStart = Stopwatch(ContinuousClock())
    var requestBody = Body(data: Data())
    var response: HTTPResponse?
    var responseBody = Body(data: Data())
    /// The error, if no response or only a part of its body arrived.
    var failure: (any Error)?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Reads the body of the request a second time, after it was sent.
    mutating func readRequestBody(upTo limit: Int) async throws {
        if let body = request.body { requestBody = try await Body(reading: body.bytes, upTo: limit) }
    }

    // MARK: - The entry

    /// HAR writes -1 for a size that is not known.
    private static let unknownSize = -1

    /// The entry of the exchange, with secrets masked.
    func entry(_ vocabulary: SecretVocabulary) -> JSONValue {
        var mask = SecretMask(vocabulary)
        let phases = phases
        let request = requestMembers(&mask)
        let response = responseMembers(&mask)
        let milliseconds = Int64((started.timeIntervalSince1970 * 1000).rounded(.down))
        return .object([
            ("startedDateTime", .string(ISO8601.dayAndTime(milliseconds: milliseconds))),
            ("time", Self.milliseconds(phases.reduce(.zero) { $0 + $1.duration })),
            ("request", .object(request)),
            ("response", .object(response)),
            ("cache", .object([])),
            ("timings", .object(phases.map { ($0.name, Self.milliseconds($0.duration)) })),
        ])
    }

    /// The phases that a HAR lists as timings. If the engine reports no timing, all of the time counts as waiting.
    private var phases: [(name: String, duration: Duration)] {
        let timing = response?.timing ?? HTTPResponse.Timing()
        let end = timing.finished ?? timeSinceStart.elapsed
        let sent = timing.sent ?? .zero
        let firstByte = timing.firstByte ?? end
        return [("send", sent), ("wait", firstByte - sent), ("receive", end - firstByte)]
    }

    /// A time in milliseconds, with three digits after the point.
    private static func milliseconds(_ duration: Duration) -> JSONValue {
        let microseconds = (duration / .microseconds(1)).rounded()
        return .literal(String(max(microseconds, 0) / 1000))
    }

    private func requestMembers(_ mask: inout SecretMask) -> [JSONValue.Member] {
        // The headers are masked first. The mask then knows their secrets, and also finds them in the URL and the body.
        // `ReplayClient` masks a request in the same order, so that both get the same text.
        let headers = mask.headers(request.headers, secretNames: request.options.secretNames)
        let url = mask.url(of: request)
        let query = String(decoding: URIReference(url).query ?? [], as: UTF8.self)
        let cookies = headers.values(for: .cookie).flatMap { $0.split(separator: ";") }
        var members: [JSONValue.Member] = [
            ("method", .string(request.method.rawValue)),
            ("url", .string(url)),
            ("httpVersion", .string("unknown")),
            ("cookies", Self.pairs(cookies)),
            ("headers", Self.fields(headers)),
            ("queryString", Self.pairs(query.split(separator: "&"))),
            ("headersSize", .number(Self.unknownSize)),
            ("bodySize", .number(requestBody.data?.count ?? Self.unknownSize)),
        ]
        if request.body != nil {
            members.append(("postData", .object(bodyMembers(&mask))))
        }
        return members
    }

    private func bodyMembers(_ mask: inout SecretMask) -> [JSONValue.Member] {
        let type = request.headers[.contentType] ?? ""
        let body = requestBody.data.map { mask.body($0, type: MIMEType(rawValue: type)) }
        var members: [JSONValue.Member] = [("mimeType", .string(mask.text(type)))]
        if let body { members += Self.text(of: body, encodingName: "_encoding") }
        if let comment = requestBody.comment { members.append(("comment", .string(mask.text(comment)))) }
        return members
    }

    private func responseMembers(_ mask: inout SecretMask) -> [JSONValue.Member] {
        let head = response?.head
        let headers = mask.headers(head?.headers ?? [:])
        let cookies = headers.values(for: .setCookie).compactMap { $0.split(separator: ";").first }
        var members: [JSONValue.Member] = [
            ("status", .number(head?.status ?? 0)),
            ("statusText", .string("")),
            ("httpVersion", .string("unknown")),
            ("cookies", Self.pairs(cookies)),
            ("headers", Self.fields(headers)),
            ("content", .object(contentMembers(head?.headers[.contentType] ?? "", &mask))),
            ("redirectURL", .string(headers[.location] ?? "")),
            ("headersSize", .number(Self.unknownSize)),
            ("bodySize", .number(responseBody.data?.count ?? Self.unknownSize)),
        ]
        if let problem {
            members.append(("_error", .string(problem.code.rawValue)))
            if let message = problem.message { members.append(("comment", .string(mask.text(message)))) }
        }
        return members
    }

    private func contentMembers(_ type: String, _ mask: inout SecretMask) -> [JSONValue.Member] {
        let hasType = !type.isEmpty
        let body = mask.body(responseBody.data ?? Data(), type: hasType ? MIMEType(rawValue: type) : nil)
        var members: [JSONValue.Member] = [
            ("size", .number(body.count)),
            ("mimeType", .string(hasType ? mask.text(type) : "x-unknown")),
        ]
        if !body.isEmpty { members += Self.text(of: body, encodingName: "encoding") }
        if let pieces = pieces(of: body) { members.append(("_pieces", pieces)) }
        return members
    }

    // MARK: - Pieces

    /// The pieces of a stream as JSON; nil if the body was not a stream.
    ///
    /// Each has the milliseconds from the head to its arrival, and its number of bytes in the masked body.
    private func pieces(of body: Data) -> JSONValue? {
        guard !responseBody.pieces.isEmpty, let data = responseBody.data else { return nil }
        var list: [JSONValue] = []
        var start = 0
        for (piece, end) in zip(responseBody.pieces, Self.ends(of: responseBody.pieces, in: data, maskedAs: body)) {
            list.append(.object([("time", Self.milliseconds(piece.time)), ("size", .number(end - start))]))
            start = end
        }
        return .list(list)
    }

    /// Returns the offset in the masked body at which each piece ends.
    ///
    /// Masking changes the length of a text but not its number of lines. So if the lengths differ, a piece gets all the
    /// lines that were complete when it had arrived.
    private static func ends(of pieces: [Piece], in data: Data, maskedAs body: Data) -> [Int] {
        guard body.count != data.count else { return pieces.map(\.end) }
        let newline = UInt8(ascii: "\n")
        let lineEnds = [0] + body.indices.filter { body[$0] == newline }.map { $0 + 1 }
        var ends: [Int] = []
        var lineCount = 0
        var start = 0
        for piece in pieces {
            lineCount += data[start..<piece.end].count { $0 == newline }
            start = piece.end
            ends.append(lineEnds[min(lineCount, lineEnds.count - 1)])
        }
        // The last piece gets all remaining bytes, which may be a line without an ending.
        ends[ends.count - 1] = body.count
        return ends
    }

    // MARK: - Parts of an entry

    /// The error that a replay throws: the exchange's error, or one that says why the body was not recorded.
    private var problem: RecordedFailure? {
        if let comment = responseBody.comment { return RecordedFailure(code: .unsupported, message: comment) }
        guard let failure else { return nil }
        guard let error = failure as? TransportError else {
            return RecordedFailure(code: .other, message: ErrorText.of(failure))
        }
        return RecordedFailure(code: error.code, message: error.message ?? error.underlying.map(ErrorText.of))
    }

    private static func fields(_ headers: HTTPHeaders) -> JSONValue {
        .list(headers.map { field($0.name.rawValue, $0.value) })
    }

    private static func field(_ name: String, _ value: String) -> JSONValue {
        .object([("name", .string(name)), ("value", .string(value))])
    }

    /// The pairs of a query or a cookie, written as `name=value`, as fields.
    private static func pairs(_ pairs: [Substring]) -> JSONValue {
        .list(
            pairs.map { pair in
                let name = pair.prefix { $0 != "=" }
                let value = pair.dropFirst(name.count + 1)
                let nameWithoutSpaces = name.drop { $0 == " " }
                return field(nameWithoutSpaces.removingPercentEncodingOfASCII, value.removingPercentEncodingOfASCII)
            })
    }

    /// The bytes as text if they are UTF-8, otherwise in base64.
    private static func text(of data: Data, encodingName: String) -> [JSONValue.Member] {
        let text = String(decoding: data, as: UTF8.self)
        let isText = text.utf8.elementsEqual(data)
        if isText { return [("text", .string(text))] }
        return [("text", .string(data.base64EncodedString())), (encodingName, .string("base64"))]
    }
}

/// The error of a missing or incomplete response in a recording.
struct RecordedFailure: Sendable {
    let code: TransportError.Code
    let message: String?
}

extension RecordedExchange.Body {
    /// Reads a body. If it is larger than the limit or cannot be read, creates a body with a comment that says so.
    ///
    /// - Throws: Only `CancellationError`.
    init(reading bytes: ByteStream, upTo limit: Int) async throws {
        do {
            data = try await bytes.data(upTo: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            comment = "the body was not recorded: \((error as? TransportError)?.message ?? ErrorText.of(error))"
        }
    }
}
