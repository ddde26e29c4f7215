import APIKitCore
import APIKitTesting

/// A recorded request, to be compared, and its response.
struct HAREntry: Sendable {
    /// Its place in the file, counted from 1.
    let number: Int
    let method: String
    let url: String
    let requestType: MIMEType?
    /// The body of the request; nil if there was one that is not in the recording.
    let requestBody: Data?

    /// Zero if no response arrived.
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    /// Why the response is missing or incomplete.
    let failure: (code: TransportError.Code, message: String?)?

    init(_ entry: HARLog.Entry, number: Int) {
        self.number = number
        method = entry.request.method
        url = entry.request.url
        requestType = entry.request.postData?.mimeType.map(MIMEType.init(rawValue:))
        requestBody = Self.body(of: entry.request)

        let content = entry.response.content
        let bytes = Self.bytes(content?.text ?? "", content?.encoding)
        body = entry.request.method == "HEAD" || entry.response.status == 204 ? Data() : bytes ?? Data()
        // A browser has confirmed the copy in its cache, and gave that to the page.
        status = entry.response.status == 304 && !body.isEmpty ? 200 : entry.response.status
        headers = Self.headers(of: entry.response, method: method, length: body.count)
        let problem = "the recorded body is not in the encoding \((content?.encoding ?? "").debugDescription)"
        failure = Self.failure(of: entry.response) ?? (bytes == nil ? (.unsupported, problem) : nil)
    }

    private static func body(of request: HARLog.Request) -> Data? {
        guard let post = request.postData else { return request.bodySize ?? 0 > 0 ? nil : Data() }
        let bytes = post.text.flatMap { Self.bytes($0, post._encoding) }
        let fields = post.params?.compactMap(\.wrappedValue) ?? []
        guard bytes?.isEmpty ?? true, !fields.isEmpty else { return bytes }
        return Data(fields.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&").utf8)
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
    private static func headers(of response: HARLog.Response, method: String, length: Int) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in response.headers?.compactMap(\.wrappedValue) ?? [] where !field.name.hasPrefix(":") {
            // Chrome joins the values of one name by line breaks.
            for value in (field.value ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
                headers.append(String(value), for: HTTPHeaders.Name(rawValue: field.name))
            }
        }
        if let type = response.content?.mimeType, !type.isEmpty, type != "x-unknown", length > 0 {
            headers.addMissing(from: [.contentType: type])
        }
        guard method != "HEAD", response.status != 304 || length > 0 else { return headers }
        headers[.contentEncoding] = nil
        headers[.transferEncoding] = nil
        if headers[.contentLength] != nil { headers[.contentLength] = String(length) }
        return headers
    }

    private static func failure(of response: HARLog.Response) -> (code: TransportError.Code, message: String?)? {
        guard let error = response._error, !error.isEmpty else {
            return response.status > 0 ? nil : (.connectionLost, "the recording has no response")
        }
        let isCode = error.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        if isCode { return (TransportError.Code(rawValue: error), response.comment) }
        // Chrome's names of errors.
        let codes: [(String, TransportError.Code)] = [
            ("NAME_NOT_RESOLVED", .nameNotResolved), ("TIMED_OUT", .timedOut), ("CERT", .secureConnectionFailed),
            ("SSL", .secureConnectionFailed), ("REFUSED", .cannotConnect), ("UNREACHABLE", .cannotConnect),
            ("DISCONNECTED", .cannotConnect), ("TOO_MANY_REDIRECTS", .tooManyRedirects),
        ]
        return (codes.first { error.contains($0.0) }?.1 ?? .connectionLost, error)
    }
}
