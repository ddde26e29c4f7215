import APIKitCore
import APIKitSupport
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
    private static let unknownSize: JSONValue = -1

    /// The entry of the exchange as a HAR contains it, with secrets masked.
    func entry(_ vocabulary: SecretVocabulary) -> JSONValue {
        // Read once, before masking: without a timing of the engine, the elapsed time differs at each read.
        let phases = phases
        var mask = SecretMask(vocabulary)
        // The request is masked first, so that the mask knows its secrets when it masks the response.
        let request = requestMembers(&mask)
        let response = responseMembers(&mask)
        let milliseconds = Int64((started.timeIntervalSince1970 * 1000).rounded(.down))
        let timings = phases.map { (name: $0.name, value: Self.milliseconds($0.duration)) }
        return [
            "startedDateTime": .string(ISO8601.dayAndTime(milliseconds: milliseconds)),
            "time": Self.milliseconds(phases.reduce(.zero) { $0 + $1.duration }),
            "request": .object(request),
            "response": .object(response),
            "cache": [:],
            "timings": .object(JSONValue.Object(timings)),
        ]
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
        let milliseconds = max(microseconds, 0) / 1000
        return JSONValue.Number(milliseconds).map(JSONValue.number) ?? .null
    }

    /// The members of `request` in an entry, masked.
    private func requestMembers(_ mask: inout SecretMask) -> JSONValue.Object {
        // The headers are masked first. The mask then knows their secrets, and also finds them in the URL and the body.
        // `ReplayClient` masks a request in the same order, so that both get the same text.
        let headers = mask.maskedHeaders(request.headers, secretNames: request.options.secretNames)
        let url = mask.maskedURL(of: request)
        var query = ""
        if let bytes = URIReference(url).query { query = String(decoding: bytes, as: UTF8.self) }
        let cookies = headers.values(for: .cookie).flatMap { $0.split(separator: ";") }
        var members: JSONValue.Object = [
            "method": .string(request.method.rawValue),
            "url": .string(url),
            "httpVersion": .string("unknown"),
            "cookies": Self.pairs(cookies),
            "headers": Self.fields(headers),
            "queryString": Self.pairs(query.split(separator: "&")),
            "headersSize": Self.unknownSize,
            "bodySize": Self.size(of: requestBody),
        ]
        if request.body != nil {
            members["postData"] = .object(postDataMembers(&mask))
        }
        return members
    }

    /// The members of `postData` in an entry, which is the body of the request, masked.
    private func postDataMembers(_ mask: inout SecretMask) -> JSONValue.Object {
        let type = request.headers[.contentType] ?? ""
        let body = requestBody.data.map { mask.maskedBody($0, type: MIMEType(rawValue: type)) }
        var members: JSONValue.Object = ["mimeType": .string(mask.maskedText(type))]
        // HAR has no member for the encoding of a request's body. Members of a tool begin with an underscore.
        if let body { Self.addText(of: body, encodingName: "_encoding", to: &members) }
        if let comment = requestBody.comment { members["comment"] = .string(mask.maskedText(comment)) }
        return members
    }

    /// The members of `response` in an entry, masked. Without a response, the status is 0, as browsers record it.
    ///
    /// If the exchange failed, or its body is not recorded, the members `_error` and `comment` name the error that a
    /// replay throws.
    private func responseMembers(_ mask: inout SecretMask) -> JSONValue.Object {
        let head = response?.head
        let headers = mask.maskedHeaders(head?.headers ?? [:])
        let cookies = headers.values(for: .setCookie).compactMap { $0.split(separator: ";").first }
        var members: JSONValue.Object = [
            "status": .number(JSONValue.Number(head?.status ?? 0)),
            "statusText": .string(""),
            "httpVersion": .string("unknown"),
            "cookies": Self.pairs(cookies),
            "headers": Self.fields(headers),
            "content": .object(contentMembers(ofType: head?.headers[.contentType], &mask)),
            "redirectURL": .string(headers[.location] ?? ""),
            "headersSize": Self.unknownSize,
            "bodySize": Self.size(of: responseBody),
        ]
        if let failure = failureToReplay {
            members["_error"] = .string(failure.code.rawValue)
            if let message = failure.message { members["comment"] = .string(mask.maskedText(message)) }
        }
        return members
    }

    /// The members of `content` in an entry, which is the body of the response, masked.
    private func contentMembers(ofType header: String?, _ mask: inout SecretMask) -> JSONValue.Object {
        // An empty header says nothing about the type.
        let type = header?.isEmpty == true ? nil : header
        let body = mask.maskedBody(responseBody.data ?? Data(), type: type.map(MIMEType.init(rawValue:)))
        var maskedType = "x-unknown"
        if let type { maskedType = mask.maskedText(type) }
        var members: JSONValue.Object = [
            "size": .number(JSONValue.Number(body.count)),
            "mimeType": .string(maskedType),
        ]
        if !body.isEmpty { Self.addText(of: body, encodingName: "encoding", to: &members) }
        if let pieces = pieces(inMasked: body) { members["_pieces"] = pieces }
        return members
    }

    // MARK: - Pieces

    /// The pieces of a stream as JSON; nil if the body was not a stream.
    ///
    /// Each has the milliseconds from the head to its arrival, and its number of bytes in the masked body.
    private func pieces(inMasked maskedBody: Data) -> JSONValue? {
        guard !responseBody.pieces.isEmpty, let body = responseBody.data else { return nil }
        let ends = Self.ends(of: responseBody.pieces, in: body, maskedAs: maskedBody)
        var list: [JSONValue] = []
        var start = 0
        for (piece, end) in zip(responseBody.pieces, ends) {
            list.append(["time": Self.milliseconds(piece.time), "size": .number(JSONValue.Number(end - start))])
            start = end
        }
        return .array(list)
    }

    /// Returns the offset in the masked body at which each piece ends.
    ///
    /// Masking changes the length of a text, but rarely its number of lines. So if the lengths differ, a piece gets all
    /// the lines that were complete when it had arrived. If the pieces `pin=17\nda` and `ta\n` are masked as
    /// `pin=***\ndata\n`, the first one gets `pin=***\n`, which ends at 8, and the second one the rest, to 13.
    private static func ends(of pieces: [Piece], in body: Data, maskedAs maskedBody: Data) -> [Int] {
        guard maskedBody.count != body.count else { return pieces.map(\.end) }
        let newline = UInt8(ascii: "\n")
        // At index n: the offset after n lines.
        var lineEnds = [0]
        for (offset, byte) in maskedBody.enumerated() where byte == newline { lineEnds.append(offset + 1) }
        var ends: [Int] = []
        var lineCount = 0
        var start = 0
        for piece in pieces {
            lineCount += body[start..<piece.end].count { $0 == newline }
            start = piece.end
            // A secret of several lines leaves fewer lines in the masked body.
            let maskedLineCount = min(lineCount, lineEnds.count - 1)
            ends.append(lineEnds[maskedLineCount])
        }
        // The last piece gets all remaining bytes, which may be a line without an ending.
        ends[ends.count - 1] = maskedBody.count
        return ends
    }

    // MARK: - Parts of an entry

    /// The number of bytes of a body.
    private static func size(of body: Body) -> JSONValue {
        guard let data = body.data else { return unknownSize }
        return .number(JSONValue.Number(data.count))
    }

    /// The error that a replay throws: that of the exchange, or one that says why the body was not recorded; nil if the
    /// response is complete.
    private var failureToReplay: RecordedFailure? {
        if let comment = responseBody.comment { return RecordedFailure(code: .unsupported, message: comment) }
        guard let failure else { return nil }
        if let error = failure as? TransportError {
            return RecordedFailure(code: error.code, message: error.message ?? error.underlying.map(ErrorText.of))
        }
        return RecordedFailure(code: .other, message: ErrorText.of(failure))
    }

    private static func fields(_ headers: HTTPHeaders) -> JSONValue {
        .array(headers.map { field($0.name.rawValue, $0.value) })
    }

    private static func field(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }

    /// Converts the items of a query, or cookies, to a list of fields: `sort%5Bby%5D=name` becomes
    /// `{"name": "sort[by]", "value": "name"}`.
    private static func pairs(_ pairs: [Substring]) -> JSONValue {
        .array(pairs.map(pair))
    }

    /// Converts an item of a query, or a cookie, to a field with its decoded name and value.
    ///
    /// Only the percent-encoding of ASCII is removed. Other bytes stay encoded, such as `%E9`, since they may not be
    /// UTF-8, and a JSON text could not contain them.
    private static func pair(_ text: Substring) -> JSONValue {
        let name = text.prefix { $0 != "=" }
        let value = text.dropFirst(name.count + 1)
        // In `a=1; b=2`, a space precedes the name of the second cookie.
        let trimmedName = name.drop { $0 == " " }
        return field(trimmedName.removingPercentEncodingOfASCII, value.removingPercentEncodingOfASCII)
    }

    /// Adds the bytes of a body to members: as the member `text` if they are UTF-8. Otherwise `text` has them in
    /// base64, and another member says so: `"encoding": "base64"`.
    private static func addText(of data: Data, encodingName: String, to members: inout JSONValue.Object) {
        let text = String(decoding: data, as: UTF8.self)
        let isText = text.utf8.elementsEqual(data)
        if isText {
            members["text"] = .string(text)
        } else {
            members["text"] = .string(data.base64EncodedString())
            members[encodingName] = "base64"
        }
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
            let transportMessage = (error as? TransportError)?.message
            comment = "the body was not recorded: \(transportMessage ?? ErrorText.of(error))"
        }
    }
}
