public import APIKitCore
import APIKitTesting

/// A recorded request and its response: one element of the list `entries` in a HAR.
///
/// It is read leniently: tools leave out members that the format requires, and write others in their own form.
/// ``ReplayClient``, `APIDescription` and the generator in the package `Tools` read it; `@_spi(Tools)` is for the
/// generator, and not a part of the API.
@_spi(Tools) public struct HAREntry: Sendable {
    /// The position of the entry in the file, counted from 1.
    public let number: Int
    /// The line of the file at which the entry begins, counted from 1.
    public let line: Int
    /// The time at which the request was sent.
    let started: Date

    /// The method of the request, as the tool has written it.
    public let method: String
    /// The URL of the request, as the tool has written it.
    public let url: String
    /// The headers of the request, without pseudo-headers.
    public var requestHeaders: HTTPHeaders
    /// The media type of the request's body.
    public let requestType: MIMEType?
    /// The body of the request, empty if it had none; nil if the recording does not contain it.
    public var requestBody: Data?
    /// The fields of a form, if the tool has listed them.
    public var requestFields: [Field]

    /// The status of the response; 0 if no response arrived.
    public let status: Int
    /// The media type of the response, which a tool may name although there is no body and no such header.
    public let responseType: MIMEType?
    /// The headers of the response.
    public let headers: HTTPHeaders
    /// The body of the response.
    public var body: Data
    /// The pieces of a stream; empty if they were not recorded.
    let pieces: [Piece]
    /// The error of a missing or incomplete response.
    let failure: RecordedFailure?

    /// A field of a form, with its value as the tool has written it.
    public struct Field: Sendable {
        /// The name of the field.
        public let name: String
        /// The value of the field; empty if the tool has not recorded it.
        public var value: String
        /// Whether the field is a file, whose contents are not recorded.
        public let isFile: Bool
    }

    /// A piece of a stream.
    struct Piece: Sendable {
        /// The time from the response's head to this piece.
        let time: Duration
        /// The range of the piece in the body.
        let bytes: Range<Int>
    }

    /// Reads an entry; nil without a request, or without a response that has a status.
    ///
    /// - Parameters:
    ///   - entry: The entry as JSON.
    ///   - number: The position of the entry in the file, counted from 1.
    ///   - line: The line of the file at which the entry begins, counted from 1.
    init?(_ entry: JSONValue, number: Int, line: Int) {
        guard let request = entry["request"], let method = request["method"]?.string, let url = request["url"]?.string
        else { return nil }
        guard let responseMember = entry["response"],
            let response = RecordedResponse(responseMember, toMethod: method)
        else { return nil }
        self.number = number
        self.line = line
        started = entry["startedDateTime"]?.string.flatMap(ISO8601.date) ?? .distantPast

        self.method = method
        self.url = url
        requestHeaders = HTTPHeaders(request.headerFields)
        requestType = request["postData"]?["mimeType"]?.string.map(MIMEType.init(rawValue:))
        requestFields = (request["postData"]?["params"]).fields
        requestBody = Self.body(of: request, fields: requestFields)

        status = response.status
        responseType = response.type
        headers = response.headers
        body = response.body
        pieces = response.pieces
        failure = response.failure
    }

    /// Returns the body of a request, empty if it had none; nil if the recording does not contain it.
    private static func body(of request: JSONValue, fields: [Field]) -> Data? {
        guard let post = request["postData"], case .object = post else {
            // A request without this member had no body, unless its size says that the tool left the body out.
            let size = request["bodySize"]?.number?.double ?? 0
            return size > 0 ? nil : Data()
        }
        var body: Data?
        if let text = post["text"]?.string {
            body = Data(recordedText: text, encoding: post["_encoding"]?.string)
        }
        let isMissing = body == nil || body == Data()
        // Some tools write only the fields of a form, without its text.
        if isMissing, !fields.isEmpty {
            return Data(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
        }
        return body
    }
}

/// The response of an entry, as the program that sent the request has seen it.
private struct RecordedResponse {
    let status: Int
    let type: MIMEType?
    let headers: HTTPHeaders
    let body: Data
    let pieces: [HAREntry.Piece]
    let failure: RecordedFailure?

    /// Reads a response as the program has seen it, and corrects what tools record in another form, such as the headers
    /// of a body that was decoded. Nil if the response has no status.
    init?(_ response: JSONValue, toMethod method: String) {
        guard let code = response["status"]?.number, let recordedStatus = code.int else { return nil }
        let content = response["content"]
        // Nil if the text cannot be decoded.
        let decodedText = Data(recordedText: content?["text"]?.string ?? "", encoding: content?["encoding"]?.string)
        body = Self.body(decodedText, status: recordedStatus, method: method)
        pieces = Self.pieces(content?["_pieces"], of: body)
        status = Self.status(recordedStatus, body: body)

        let recordedHeaders = HTTPHeaders(response.headerFields.flatMap(\.splitIntoLines))
        let recordedType = Self.type(ofContent: content)
        let typeText = recordedType ?? recordedHeaders[.contentType]
        type = typeText.map(MIMEType.init(rawValue:))
        headers = Self.headers(recordedHeaders, type: recordedType, body: body, status: status, method: method)
        failure = Self.failure(of: response, status: recordedStatus, isDecoded: decodedText != nil)
    }

    /// Returns the body: the recorded text, or no bytes if the response cannot have a body.
    private static func body(_ recordedText: Data?, status: Int, method: String) -> Data {
        // Responses to HEAD and with the status 204 have no body, whatever the tool has recorded.
        let mayHaveBody = method != "HEAD" && status != 204
        guard mayHaveBody, let recordedText else { return Data() }
        return recordedText
    }

    /// Returns the status that the program has seen: that of a 304 with a body is 200.
    ///
    /// A browser records a 304 with the body from its cache, which it gave to the page. The page saw a 200.
    private static func status(_ recordedStatus: Int, body: Data) -> Int {
        let isFromCache = recordedStatus == 304 && !body.isEmpty
        return isFromCache ? 200 : recordedStatus
    }

    /// Returns the media type that the tool has recorded; nil if it did not know it, which HAR writes as `x-unknown`.
    private static func type(ofContent content: JSONValue?) -> String? {
        guard let type = content?["mimeType"]?.string else { return nil }
        let isKnown = !type.isEmpty && type != "x-unknown"
        return isKnown ? type : nil
    }

    /// Returns the headers adapted to the recorded body: with its media type, if they have none, and its length after
    /// decoding.
    private static func headers(
        _ recordedHeaders: HTTPHeaders, type: String?, body: Data, status: Int, method: String
    ) -> HTTPHeaders {
        var headers = recordedHeaders
        if let type, !body.isEmpty { headers.addMissing(from: [.contentType: type]) }
        // The headers of a response to HEAD or of a 304, such as `Content-Length`, describe a body that is not sent
        // with it. They stay as they are.
        let describesOwnBody = method != "HEAD" && status != 304
        return describesOwnBody ? headers.describing(decodedBody: body) : headers
    }

    /// The longest time of a piece in milliseconds, about 30 years. A damaged file may have a number that overflows.
    private static let longestTime = 1e12

    /// Reads the pieces of a body, each with its time and its size; empty if their sizes do not add up to the body.
    private static func pieces(_ list: JSONValue?, of body: Data) -> [HAREntry.Piece] {
        guard case .array(let values)? = list else { return [] }
        var pieces: [HAREntry.Piece] = []
        var end = 0
        for value in values {
            let size = value["size"]?.number?.int ?? 0
            let milliseconds = value["time"]?.number?.double ?? 0
            let start = end
            // A damaged file may have any number here. A size counts as at least 0 and at most the remaining bytes.
            let remaining = body.count - start
            end += min(max(size, 0), remaining)
            let time = Duration.milliseconds(min(max(milliseconds, 0), longestTime))
            pieces.append(HAREntry.Piece(time: time, bytes: start..<end))
        }
        return end == body.count ? pieces : []
    }

    // MARK: - Failures

    /// Returns the error that a replay throws: the one that the tool has recorded, or one that says that the response
    /// or its body is missing; nil if the response is complete.
    private static func failure(of response: JSONValue, status: Int, isDecoded: Bool) -> RecordedFailure? {
        let error = response["_error"]?.string ?? ""
        if !error.isEmpty { return failure(named: error, comment: response["comment"]?.string) }
        let hasResponse = status > 0
        if !hasResponse { return RecordedFailure(code: .connectionLost, message: "the recording has no response") }
        if isDecoded { return nil }
        let encoding = (response["content"]?["encoding"]?.string ?? "").debugDescription
        return RecordedFailure(code: .unsupported, message: "the recorded body is not in the encoding \(encoding)")
    }

    /// Converts an error that a tool has recorded: `recording(to:)` a code of `TransportError`, such as `timedOut`, and
    /// Chrome a name such as `net::ERR_TIMED_OUT`.
    private static func failure(named error: String, comment: String?) -> RecordedFailure {
        let isCode = error.allSatisfy { $0.isASCII && $0.isLetter }
        if isCode { return RecordedFailure(code: TransportError.Code(rawValue: error), message: comment) }
        return RecordedFailure(code: code(ofChromeError: error), message: error)
    }

    /// Returns the code for an error of Chrome: `net::ERR_NAME_NOT_RESOLVED` becomes `nameNotResolved`.
    private static func code(ofChromeError error: String) -> TransportError.Code {
        let codes: [(part: String, code: TransportError.Code)] = [
            ("NAME_NOT_RESOLVED", .nameNotResolved), ("TIMED_OUT", .timedOut), ("CERT", .secureConnectionFailed),
            ("SSL", .secureConnectionFailed), ("REFUSED", .cannotConnect), ("UNREACHABLE", .cannotConnect),
            ("DISCONNECTED", .cannotConnect), ("TOO_MANY_REDIRECTS", .tooManyRedirects),
        ]
        return codes.first { error.contains($0.part) }?.code ?? .connectionLost
    }
}

// MARK: - Parts of requests and responses

extension HTTPHeaders {
    /// Returns the headers adapted to a body that was decoded before it was recorded: without `Content-Encoding` and
    /// `Transfer-Encoding`, and with the decoded length as `Content-Length`, if there was one.
    fileprivate func describing(decodedBody body: Data) -> HTTPHeaders {
        var headers = self
        headers[.contentEncoding] = nil
        headers[.transferEncoding] = nil
        if headers[.contentLength] != nil { headers[.contentLength] = String(body.count) }
        return headers
    }
}

extension Data {
    /// Decodes the text of a recorded body; nil if the text is invalid in its encoding, or if that encoding is not
    /// supported.
    fileprivate init?(recordedText text: String, encoding: String?) {
        if text.isEmpty {
            self.init()
            return
        }
        switch encoding?.lowercased() {
        case nil, "", "utf-8", "utf8": self.init(text.utf8)
        case "base64": self.init(base64Encoded: text)
        default: return nil
        }
    }
}

extension JSONValue {
    /// The headers of a recorded request or response, without pseudo-headers such as `:authority` of HTTP/2.
    fileprivate var headerFields: [HTTPHeaders.Field] {
        let fields = self["headers"].fields.filter { !$0.name.hasPrefix(":") }
        return fields.map { HTTPHeaders.Field(name: HTTPHeaders.Name(rawValue: $0.name), value: $0.value) }
    }
}

extension HTTPHeaders.Field {
    /// A header for each line of the value. Chrome joins several headers of a response that have one name, such as
    /// `Set-Cookie`, with line breaks.
    fileprivate var splitIntoLines: [HTTPHeaders.Field] {
        let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { HTTPHeaders.Field(name: name, value: String($0)) }
    }
}

extension JSONValue? {
    /// The fields in a list of objects with a name and a value; empty if this is not a list.
    fileprivate var fields: [HAREntry.Field] {
        guard case .array(let values)? = self else { return [] }
        return values.compactMap { value in
            guard let name = value["name"]?.string else { return nil }
            return HAREntry.Field(
                name: name, value: value["value"]?.string ?? "", isFile: value["fileName"] != nil)
        }
    }
}
