package import APIKitCore
import APIKitTesting

/// A recorded request, to be compared, and its response. It is read leniently: tools leave out members that the format
/// requires, and write others in a form of their own.
package struct HAREntry: Sendable {
    /// Its place in the file, counted from 1.
    package let number: Int
    /// The time at which the request was sent.
    let started: Date
    package let method: String
    package let url: String
    package let requestType: MIMEType?
    /// The body of the request; nil if there was one that is not in the recording.
    package let requestBody: Data?

    /// Zero if no response arrived.
    package let status: Int
    package let headers: HTTPHeaders
    package let body: Data
    /// The pieces of a stream: when each came, counted from the head, and its bytes; empty if that was not recorded.
    let pieces: [(time: Duration, bytes: Range<Int>)]
    /// The error of a missing or incomplete response.
    let failure: (code: TransportError.Code, message: String?)?

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

        let encoding = response["content"]?["encoding"]?.string
        let bytes = Self.bytes(response["content"]?["text"]?.string ?? "", encoding)
        body = method == "HEAD" || status == 204 ? Data() : bytes ?? Data()
        pieces = Self.pieces(response["content"]?["_pieces"], of: body)
        // A browser has confirmed the copy in its cache, and gave that to the page.
        self.status = status == 304 && !body.isEmpty ? 200 : status
        headers = Self.headers(of: response, hasBody: method != "HEAD" && (status != 304 || !body.isEmpty), body.count)
        let problem = "the recorded body is not in the encoding \((encoding ?? "").debugDescription)"
        failure = Self.failure(of: response, status) ?? (bytes == nil ? (.unsupported, problem) : nil)
    }

    private static func pieces(_ list: JSONValue?, of body: Data) -> [(time: Duration, bytes: Range<Int>)] {
        guard case .list(let pieces)? = list else { return [] }
        var end = 0
        let ranges = pieces.map { piece in
            let start = end
            end += min(max(Int(exactly: piece["size"]?.number ?? 0) ?? 0, 0), body.count - start)
            let time = Duration.milliseconds(min(max(piece["time"]?.number ?? 0, 0), 1e12))
            return (time, start..<end)
        }
        return end == body.count ? ranges : []
    }

    private static func body(of request: JSONValue) -> Data? {
        guard let post = request["postData"], case .object = post else {
            return request["bodySize"]?.number ?? 0 > 0 ? nil : Data()
        }
        let bytes = post["text"]?.string.flatMap { Self.bytes($0, post["_encoding"]?.string) }
        let fields = fields(post["params"])
        guard bytes?.isEmpty ?? true, !fields.isEmpty else { return bytes }
        return Data(fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
    }

    private static func fields(_ list: JSONValue?) -> [(name: String, value: String)] {
        guard case .list(let fields)? = list else { return [] }
        return fields.compactMap { field in field["name"]?.string.map { ($0, field["value"]?.string ?? "") } }
    }

    /// The bytes of a text; nil if it is not in its encoding, or that is not supported.
    private static func bytes(_ text: String, _ encoding: String?) -> Data? {
        guard !text.isEmpty else { return Data() }
        return switch encoding?.lowercased() {
        case nil, "", "utf-8", "utf8": Data(text.utf8)
        case "base64": Data(base64Encoded: text)
        default: nil
        }
    }

    /// The headers that fit the body, which a HAR contains decoded.
    private static func headers(of response: JSONValue, hasBody: Bool, _ length: Int) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in fields(response["headers"]) where !field.name.hasPrefix(":") {
            // Chrome joins the values of one name by line breaks.
            for value in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                headers.append(String(value), for: HTTPHeaders.Name(rawValue: field.name))
            }
        }
        if let type = response["content"]?["mimeType"]?.string, !type.isEmpty, type != "x-unknown", length > 0 {
            headers.addMissing(from: [.contentType: type])
        }
        guard hasBody else { return headers }
        headers[.contentEncoding] = nil
        headers[.transferEncoding] = nil
        if headers[.contentLength] != nil { headers[.contentLength] = String(length) }
        return headers
    }

    private static func failure(
        of response: JSONValue, _ status: Int
    ) -> (code: TransportError.Code, message: String?)? {
        guard let error = response["_error"]?.string, !error.isEmpty else {
            return status > 0 ? nil : (.connectionLost, "the recording has no response")
        }
        let isCode = error.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        if isCode { return (TransportError.Code(rawValue: error), response["comment"]?.string) }
        // Chrome's names of errors.
        let codes: [(String, TransportError.Code)] = [
            ("NAME_NOT_RESOLVED", .nameNotResolved), ("TIMED_OUT", .timedOut), ("CERT", .secureConnectionFailed),
            ("SSL", .secureConnectionFailed), ("REFUSED", .cannotConnect), ("UNREACHABLE", .cannotConnect),
            ("DISCONNECTED", .cannotConnect), ("TOO_MANY_REDIRECTS", .tooManyRedirects),
        ]
        return (codes.first { error.contains($0.0) }?.1 ?? .connectionLost, error)
    }
}

extension JSONValue {
    /// A member of an object; nil for other values.
    fileprivate subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    fileprivate var number: Double? {
        if case .literal(let text) = self { Double(text) } else { nil }
    }
}
