import APIKitCore
import APIKitTesting

/// A request and what came of it, on its way into a recording.
struct RecordedExchange: Sendable {
    /// A body, and why it is missing or incomplete.
    struct Body: Sendable {
        var data: Data?
        var comment: String?

        init(_ data: Data?, comment: String? = nil) {
            self.data = data
            self.comment = comment
        }

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

    private(set) var request: HTTPRequest
    let started = Date()
    private let clock = ContinuousClock.now
    var requestBody = Body(Data())
    var response: HTTPResponse?
    var responseBody = Body(Data())
    /// Why there is no response, or only a part of its body.
    var failure: (any Error)?

    init(_ request: HTTPRequest) {
        self.request = request
        // The caller may wait for its closure to be released.
        self.request.progress = nil
    }

    /// The entry of the exchange, with secrets masked.
    func entry(_ vocabulary: SecretVocabulary) -> JSONValue {
        var mask = SecretMask(vocabulary)
        let requestMembers = requestMembers(&mask)
        let responseMembers = responseMembers(&mask)
        let times = times
        return .object([
            ("startedDateTime", .string(Self.text(of: started))),
            ("time", .milliseconds(times.send + times.wait + times.receive)),
            ("request", .object(requestMembers)),
            ("response", .object(responseMembers)),
            ("cache", .object([])),
            (
                "timings",
                .object([
                    ("send", .milliseconds(times.send)), ("wait", .milliseconds(times.wait)),
                    ("receive", .milliseconds(times.receive)),
                ])
            ),
        ])
    }

    private static func text(of date: Date) -> String {
        ISO8601.dayAndTime(milliseconds: Int((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }

    /// The steps; of an engine that does not report them, the whole time is that of waiting.
    private var times: (send: Duration, wait: Duration, receive: Duration) {
        let timing = response?.timing ?? HTTPResponse.Timing()
        let end = timing.finished ?? .now
        let start = timing.queued ?? clock
        let sent = timing.sent ?? start
        let firstByte = timing.firstByte ?? end
        return (start.duration(to: sent), sent.duration(to: firstByte), firstByte.duration(to: end))
    }

    // MARK: - The request

    private func requestMembers(_ mask: inout SecretMask) -> [(name: String, value: JSONValue)] {
        // The headers first, as when a request is replayed: their secrets are masked in the URL too.
        let headers = mask.headers(request.headers, credentials: request.credentialPlaces)
        let url = mask.url(of: request)
        var members: [(name: String, value: JSONValue)] = [
            ("method", .string(request.method.rawValue)),
            ("url", .string(url)),
            ("httpVersion", .string("unknown")),
            ("cookies", Self.cookies(headers.values(for: .cookie).flatMap { $0.split(separator: ";") })),
            ("headers", Self.fields(headers)),
            ("queryString", Self.query(of: url)),
            ("headersSize", .number(-1)),
            ("bodySize", .number(requestBody.data?.count ?? -1)),
        ]
        guard request.body != nil else { return members }
        let type = request.headers[.contentType] ?? ""
        var post: [(name: String, value: JSONValue)] = [("mimeType", .string(mask.text(type)))]
        if let data = requestBody.data {
            post += Self.content(mask.body(data, type: MIMEType(rawValue: type)), encoding: "_encoding")
        }
        if let comment = requestBody.comment { post.append(("comment", .string(mask.text(comment)))) }
        members.append(("postData", .object(post)))
        return members
    }

    private static func fields(_ headers: HTTPHeaders) -> JSONValue {
        .list(headers.map { .object([("name", .string($0.name.rawValue)), ("value", .string($0.value))]) })
    }

    private static func cookies(_ pairs: [Substring]) -> JSONValue {
        .list(
            pairs.map { pair in
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                let value = parts.dropFirst().first ?? ""
                return .object([("name", .string(String(parts.first ?? ""))), ("value", .string(String(value)))])
            })
    }

    private static func query(of url: String) -> JSONValue {
        let items = URIReference(url).query?.split(separator: UInt8(ascii: "&")) ?? []
        return .list(
            items.map { item in
                let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                let texts = parts.map { String(decoding: $0, as: UTF8.self) }.map { $0.removingPercentEncodingOfASCII }
                return .object([("name", .string(texts[0])), ("value", .string(texts.dropFirst().first ?? ""))])
            })
    }

    /// The bytes as text if they are UTF-8, otherwise in base64.
    private static func content(_ data: Data, encoding: String) -> [(name: String, value: JSONValue)] {
        let text = String(decoding: data, as: UTF8.self)
        let isText = text.utf8.elementsEqual(data)
        return isText
            ? [("text", .string(text))]
            : [("text", .string(data.base64EncodedString())), (encoding, .string("base64"))]
    }

    // MARK: - The response

    private func responseMembers(_ mask: inout SecretMask) -> [(name: String, value: JSONValue)] {
        let head = response?.head
        let headers = mask.headers(head?.headers ?? [:])
        let type = head?.headers[.contentType] ?? ""
        var content: [(name: String, value: JSONValue)] = [
            ("size", .number(responseBody.data?.count ?? 0)),
            ("mimeType", .string(type.isEmpty ? "x-unknown" : mask.text(type))),
        ]
        if let data = responseBody.data, !data.isEmpty {
            let masked = mask.body(data, type: type.isEmpty ? nil : MIMEType(rawValue: type))
            content[0].value = .number(masked.count)
            content += Self.content(masked, encoding: "encoding")
        }
        let cookies = headers.values(for: .setCookie).compactMap { $0.split(separator: ";").first }
        var members: [(name: String, value: JSONValue)] = [
            ("status", .number(head?.status ?? 0)),
            ("statusText", .string("")),
            ("httpVersion", .string("unknown")),
            ("cookies", Self.cookies(cookies)),
            ("headers", Self.fields(headers)),
            ("content", .object(content)),
            ("redirectURL", .string(headers[.location] ?? "")),
            ("headersSize", .number(-1)),
            ("bodySize", .number(responseBody.data?.count ?? -1)),
        ]
        if let (code, message) = problem {
            members.append(("_error", .string(code.rawValue)))
            if let message { members.append(("comment", .string(mask.text(message)))) }
        }
        return members
    }

    /// The code and the text of the failure.
    private var problem: (code: TransportError.Code, message: String?)? {
        if let comment = responseBody.comment { return (.unsupported, comment) }
        guard let failure else { return nil }
        guard let error = failure as? TransportError else { return (.other, ErrorText.of(failure)) }
        return (error.code, error.message ?? error.underlying.map(ErrorText.of))
    }
}
