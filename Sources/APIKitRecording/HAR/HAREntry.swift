package import APIKitCore
import APIKitTesting

/// A recorded request and its response, as a replay needs them.
///
/// It is read leniently: tools leave out members that the format requires, and write others in their own form.
package struct HAREntry: Sendable {
    /// The position of the entry in the file, counted from 1.
    package let number: Int
    /// The time at which the request was sent.
    let started: Date
    package let method: String
    package let url: String
    package let requestType: MIMEType?
    /// The body of the request, empty if it had none; nil if the recording does not contain it.
    package let requestBody: Data?

    /// The status of the response; 0 if no response arrived.
    package let status: Int
    package let headers: HTTPHeaders
    package let body: Data
    /// The pieces of a stream; empty if they were not recorded.
    let pieces: [Piece]
    /// The error of a missing or incomplete response.
    let failure: RecordedFailure?

    /// A piece of a stream.
    struct Piece: Sendable {
        /// The time from the response's head to this piece.
        let time: Duration
        /// The range of the piece in the body.
        let bytes: Range<Int>
    }

    /// Reads an entry; nil without a request or a response.
    init?(_ entry: JSONValue, number: Int) {
        guard let request = entry["request"], let method = request["method"]?.string, let url = request["url"]?.string,
            let response = entry["response"], let code = response["status"]?.number, let status = Int(exactly: code)
        else { return nil }
        self.number = number
        self.method = method
        self.url = url
        started = entry["startedDateTime"]?.string.flatMap(ISO8601.date) ?? .distantPast
        requestType = request["postData"]?["mimeType"]?.string.map(MIMEType.init(rawValue:))
        requestBody = Self.body(of: request)

        let content = response["content"]
        let encoding = content?["encoding"]?.string
        let bytes = Self.bytes(content?["text"]?.string ?? "", encoding)
        let mayHaveBody = method != "HEAD" && status != 204
        body = mayHaveBody ? bytes ?? Data() : Data()
        pieces = Self.pieces(content?["_pieces"], of: body)
        // A browser records a 304 with the body from its cache, which it gave to the page. The page saw a 200.
        let isConfirmedCopy = status == 304 && !body.isEmpty
        self.status = isConfirmedCopy ? 200 : status

        let describesBody = method != "HEAD" && (status != 304 || isConfirmedCopy)
        headers = Self.headers(of: response, describingBody: describesBody, length: body.count)
        if let failure = Self.failure(of: response, status) {
            self.failure = failure
        } else if bytes == nil {
            let name = (encoding ?? "").debugDescription
            failure = RecordedFailure(code: .unsupported, message: "the recorded body is not in the encoding \(name)")
        } else {
            failure = nil
        }
    }

    /// The pieces of a body; empty if their sizes do not add up to the whole body.
    private static func pieces(_ list: JSONValue?, of body: Data) -> [Piece] {
        guard case .list(let values)? = list else { return [] }
        var pieces: [Piece] = []
        var end = 0
        for value in values {
            let size = Int(exactly: value["size"]?.number ?? 0) ?? 0
            let milliseconds = value["time"]?.number ?? 0
            let start = end
            end += min(max(size, 0), body.count - start)
            let time = Duration.milliseconds(min(max(milliseconds, 0), 1e12))
            pieces.append(Piece(time: time, bytes: start..<end))
        }
        return end == body.count ? pieces : []
    }

    /// The body of a request, empty if it had none; nil if the recording does not contain it.
    private static func body(of request: JSONValue) -> Data? {
        guard let post = request["postData"], case .object = post else {
            let size = request["bodySize"]?.number ?? 0
            return size > 0 ? nil : Data()
        }
        let bytes = post["text"]?.string.flatMap { Self.bytes($0, post["_encoding"]?.string) }
        if let bytes, !bytes.isEmpty { return bytes }
        // Some tools write only the fields of a form, without its text.
        let fields = fields(post["params"])
        guard !fields.isEmpty else { return bytes }
        return Data(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
    }

    private static func fields(_ list: JSONValue?) -> [(name: String, value: String)] {
        guard case .list(let fields)? = list else { return [] }
        return fields.compactMap { field in
            guard let name = field["name"]?.string else { return nil }
            return (name, field["value"]?.string ?? "")
        }
    }

    /// Decodes the text of a body; nil if the text is invalid in its encoding, or if that encoding is not supported.
    private static func bytes(_ text: String, _ encoding: String?) -> Data? {
        guard !text.isEmpty else { return Data() }
        return switch encoding?.lowercased() {
        case nil, "", "utf-8", "utf8": Data(text.utf8)
        case "base64": Data(base64Encoded: text)
        default: nil
        }
    }

    /// Returns the headers of a response, adapted to its body, which a HAR contains after decoding: there is no
    /// encoding, and the length is the length of the decoded bytes.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - describesBody: Whether the headers describe the body in the recording. Those of a response to HEAD and of a
    ///     304 describe another one, and stay as they are.
    ///   - length: The length of the body.
    /// - Returns: The headers.
    private static func headers(
        of response: JSONValue, describingBody describesBody: Bool, length: Int
    ) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in fields(response["headers"]) where !field.name.hasPrefix(":") {
            // Chrome joins several headers of one name with line breaks.
            for value in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                headers.append(String(value), for: HTTPHeaders.Name(rawValue: field.name))
            }
        }
        let type = response["content"]?["mimeType"]?.string ?? ""
        let isKnownType = !type.isEmpty && type != "x-unknown"
        if isKnownType, length > 0 { headers.addMissing(from: [.contentType: type]) }
        if describesBody {
            headers[.contentEncoding] = nil
            headers[.transferEncoding] = nil
            if headers[.contentLength] != nil { headers[.contentLength] = String(length) }
        }
        return headers
    }

    private static func failure(of response: JSONValue, _ status: Int) -> RecordedFailure? {
        guard let error = response["_error"]?.string, !error.isEmpty else {
            if status > 0 { return nil }
            return RecordedFailure(code: .connectionLost, message: "the recording has no response")
        }
        // `recording(to:)` writes a code of `TransportError`, which consists of letters. Chrome writes a name such as
        // `net::ERR_TIMED_OUT`.
        let isCode = error.allSatisfy { $0.isASCII && $0.isLetter }
        if isCode {
            return RecordedFailure(code: TransportError.Code(rawValue: error), message: response["comment"]?.string)
        }
        return RecordedFailure(code: code(ofChromeError: error), message: error)
    }

    private static func code(ofChromeError error: String) -> TransportError.Code {
        let codes: [(part: String, code: TransportError.Code)] = [
            ("NAME_NOT_RESOLVED", .nameNotResolved), ("TIMED_OUT", .timedOut), ("CERT", .secureConnectionFailed),
            ("SSL", .secureConnectionFailed), ("REFUSED", .cannotConnect), ("UNREACHABLE", .cannotConnect),
            ("DISCONNECTED", .cannotConnect), ("TOO_MANY_REDIRECTS", .tooManyRedirects),
        ]
        return codes.first { error.contains($0.part) }?.code ?? .connectionLost
    }
}
