import APIKitCore
import APIKitTesting

/// A request and what came of it, on its way into a recording.
struct RecordedExchange: Sendable {
    /// A body, and why it is missing or incomplete.
    struct Body: Sendable {
        var data: Data?
        var comment: String?
        /// The pieces of a stream.
        var pieces: [Piece] = []
    }

    /// A piece of a stream: when it came, counted from the head, and where it ends.
    struct Piece: Sendable {
        let time: Duration
        let end: Int
    }

    private(set) var request: HTTPRequest
    let started = Date()
    private let time = Stopwatch(ContinuousClock())
    var requestBody = Body(data: Data())
    var response: HTTPResponse?
    var responseBody = Body(data: Data())
    /// The error if there is no response, or only a part of its body.
    var failure: (any Error)?

    init(_ request: HTTPRequest) {
        self.request = request
    }

    /// Reads the body of the request once more.
    mutating func readRequestBody(upTo limit: Int) async throws {
        if let body = request.body { requestBody = try await Body(reading: body.bytes, upTo: limit) }
    }

    // MARK: - The entry

    /// The entry of the exchange, with secrets masked.
    func entry(_ vocabulary: SecretVocabulary) -> JSONValue {
        var mask = SecretMask(vocabulary)
        let steps = steps
        let request = requestMembers(&mask)
        let response = responseMembers(&mask)
        let milliseconds = Int64((started.timeIntervalSince1970 * 1000).rounded(.down))
        return .object([
            ("startedDateTime", .string(ISO8601.dayAndTime(milliseconds: milliseconds))),
            ("time", Self.milliseconds(steps.reduce(.zero) { $0 + $1.duration })),
            ("request", .object(request)),
            ("response", .object(response)),
            ("cache", .object([])),
            ("timings", .object(steps.map { ($0.name, Self.milliseconds($0.duration)) })),
        ])
    }

    /// The steps; of an engine that does not report them, the whole time is that of waiting.
    private var steps: [(name: String, duration: Duration)] {
        let timing = response?.timing ?? HTTPResponse.Timing()
        let end = timing.finished ?? time.elapsed
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
        // The headers first, as when a request is replayed: their secrets are masked in the URL too.
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
            ("headersSize", .number(-1)),
            ("bodySize", .number(requestBody.data?.count ?? -1)),
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
            ("headersSize", .number(-1)),
            ("bodySize", .number(responseBody.data?.count ?? -1)),
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

    /// The pieces of a stream, with the milliseconds from the head to each, and its bytes in the masked body; nil for
    /// other bodies.
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

    /// Where each piece ends in the masked body. Masked text has other lengths but the same lines, at whose ends its
    /// pieces then end.
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
        // The last one has the rest, which may not end with a line.
        ends[ends.count - 1] = body.count
        return ends
    }

    // MARK: - Parts of an entry

    /// The failure, or why there is no body.
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

    /// Cookies or the items of a query, as fields.
    private static func pairs(_ pairs: [Substring]) -> JSONValue {
        .list(
            pairs.map { pair in
                let name = pair.prefix { $0 != "=" }
                let value = pair.dropFirst(name.count + 1)
                let ownName = name.drop { $0 == " " }
                return field(ownName.removingPercentEncodingOfASCII, value.removingPercentEncodingOfASCII)
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

/// The error of a missing or incomplete response, as a recording has it.
struct RecordedFailure: Sendable {
    let code: TransportError.Code
    let message: String?
}

extension RecordedExchange.Body {
    /// Reads a body, if it is not larger than a limit.
    ///
    /// - Throws: `CancellationError` alone.
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
