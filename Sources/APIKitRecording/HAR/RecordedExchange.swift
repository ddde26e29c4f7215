import APIKitCore
import APIKitTesting

/// A request and what came of it, on its way into a recording.
struct RecordedExchange: Sendable {
    /// A body, and why it is missing or incomplete.
    struct Body: Sendable {
        var data: Data?
        var comment: String?
        /// The pieces of a stream: when each came, counted from the head, and where it ends.
        var pieces: [(time: Duration, end: Int)] = []
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
        let times = times
        let request = requestMembers(&mask)
        let response = responseMembers(&mask)
        let milliseconds = Int64((started.timeIntervalSince1970 * 1000).rounded(.down))
        return .object([
            ("startedDateTime", .string(ISO8601.dayAndTime(milliseconds: milliseconds))),
            ("time", Self.milliseconds(times.reduce(.zero) { $0 + $1.duration })),
            ("request", .object(request)),
            ("response", .object(response)),
            ("cache", .object([])),
            ("timings", .object(times.map { ($0.step, Self.milliseconds($0.duration)) })),
        ])
    }

    /// The steps; of an engine that does not report them, the whole time is that of waiting.
    private var times: [(step: String, duration: Duration)] {
        let timing = response?.timing ?? HTTPResponse.Timing()
        let end = timing.finished ?? time.elapsed
        let sent = timing.sent ?? .zero
        let firstByte = timing.firstByte ?? end
        return [("send", sent), ("wait", firstByte - sent), ("receive", end - firstByte)]
    }

    private static func milliseconds(_ duration: Duration) -> JSONValue {
        .literal(String(max((duration / .microseconds(1)).rounded(), 0) / 1000))
    }

    private func requestMembers(_ mask: inout SecretMask) -> [JSONValue.Member] {
        // The headers first, as when a request is replayed: their secrets are masked in the URL too.
        let headers = mask.headers(request.headers, secretNames: request.options.secretNames)
        let url = mask.url(of: request)
        let query = String(decoding: URIReference(url).query ?? [], as: UTF8.self)
        let members: [JSONValue.Member] = [
            ("method", .string(request.method.rawValue)),
            ("url", .string(url)), ("httpVersion", .string("unknown")),
            ("cookies", Self.pairs(headers.values(for: .cookie).flatMap { $0.split(separator: ";") })),
            ("headers", Self.fields(headers.map { ($0.name.rawValue, $0.value) })),
            ("queryString", Self.pairs(query.split(separator: "&"))),
            ("headersSize", .number(-1)), ("bodySize", .number(requestBody.data?.count ?? -1)),
        ]
        guard request.body != nil else { return members }
        let type = request.headers[.contentType] ?? ""
        let body = requestBody.data.map { mask.body($0, type: MIMEType(rawValue: type)) }
        let post = [("mimeType", .string(mask.text(type)))] + (body.map { Self.text(of: $0, "_encoding") } ?? [])
        return members + [("postData", .object(post + Self.comment(requestBody.comment, &mask)))]
    }

    private func responseMembers(_ mask: inout SecretMask) -> [JSONValue.Member] {
        let head = response?.head
        let headers = mask.headers(head?.headers ?? [:])
        let type = head?.headers[.contentType].flatMap { $0.isEmpty ? nil : $0 }
        let body = mask.body(responseBody.data ?? Data(), type: type.map(MIMEType.init(rawValue:)))
        let content: [JSONValue.Member] = [
            ("size", .number(body.count)),
            ("mimeType", .string(type.map { mask.text($0) } ?? "x-unknown")),
        ]
        let members: [JSONValue.Member] = [
            ("status", .number(head?.status ?? 0)),
            ("statusText", .string("")), ("httpVersion", .string("unknown")),
            ("cookies", Self.pairs(headers.values(for: .setCookie).compactMap { $0.split(separator: ";").first })),
            ("headers", Self.fields(headers.map { ($0.name.rawValue, $0.value) })),
            ("content", .object(content + (body.isEmpty ? [] : Self.text(of: body, "encoding")) + pieces(of: body))),
            ("redirectURL", .string(headers[.location] ?? "")),
            ("headersSize", .number(-1)), ("bodySize", .number(responseBody.data?.count ?? -1)),
        ]
        guard let (code, message) = problem else { return members }
        return members + [("_error", .string(code.rawValue))] + Self.comment(message, &mask)
    }

    /// The pieces of a stream: the milliseconds from the head to each, and its bytes in the masked body.
    private func pieces(of body: Data) -> [JSONValue.Member] {
        guard !responseBody.pieces.isEmpty, let data = responseBody.data else { return [] }
        // Masked text has other lengths but the same lines, at whose ends its pieces then end.
        let ends = body.count == data.count ? nil : [0] + body.indices.filter { body[$0] == 0x0A }.map { $0 + 1 }
        var (list, start, last, lines): ([JSONValue], Int, Int, Int) = ([], 0, 0, 0)
        for (index, piece) in responseBody.pieces.enumerated() {
            lines += data[last..<piece.end].count { $0 == 0x0A }
            last = piece.end
            let isLast = index == responseBody.pieces.count - 1
            let end = isLast ? body.count : ends.map { $0[min(lines, $0.count - 1)] } ?? piece.end
            list.append(.object([("time", Self.milliseconds(piece.time)), ("size", .number(end - start))]))
            start = end
        }
        return [("_pieces", .list(list))]
    }

    /// The code and the text of the failure.
    private var problem: (code: TransportError.Code, message: String?)? {
        if let comment = responseBody.comment { return (.unsupported, comment) }
        guard let failure else { return nil }
        guard let error = failure as? TransportError else { return (.other, ErrorText.of(failure)) }
        return (error.code, error.message ?? error.underlying.map(ErrorText.of))
    }

    private static func fields(_ fields: [(name: String, value: String)]) -> JSONValue {
        .list(fields.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
    }

    /// Cookies or the items of a query, as fields.
    private static func pairs(_ pairs: [Substring]) -> JSONValue {
        fields(
            pairs.map { pair in
                let name = pair.prefix { $0 != "=" }
                let value = pair.dropFirst(name.count + 1)
                return (name.drop { $0 == " " }.removingPercentEncodingOfASCII, value.removingPercentEncodingOfASCII)
            })
    }

    /// The bytes as text if they are UTF-8, otherwise in base64.
    private static func text(of data: Data, _ encoding: String) -> [JSONValue.Member] {
        let text = String(decoding: data, as: UTF8.self)
        if text.utf8.elementsEqual(data) { return [("text", .string(text))] }
        return [("text", .string(data.base64EncodedString())), (encoding, .string("base64"))]
    }

    private static func comment(_ text: String?, _ mask: inout SecretMask) -> [JSONValue.Member] {
        text.map { [("comment", .string(mask.text($0)))] } ?? []
    }
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
