import FlyingFox
import Foundation

/// Serves a file, receives files of any size, and sends events.
struct FilesAPI: HTTPHandler {
    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.method == .PUT, let name = fileName(in: request) {
            return try await receive(name, request)
        }
        return try await BufferingHandler(base: ClosureHTTPHandler { response(to: $0) }).handleRequest(request)
    }

    private func response(to request: HTTPRequest) -> HTTPResponse {
        if let name = fileName(in: request) {
            guard request.method == .GET else { return notAllowed(but: "GET, HEAD, PUT") }
            return name == MadeUpFile.name ? file(request) : refusal(.notFound, "no such file")
        }
        guard request.path == "/events" else { return refusal(.notFound, "no such resource") }
        guard request.method == .GET else { return notAllowed(but: "GET") }
        return events(request)
    }

    /// The value of `{name}` in `/files/{name}`.
    private func fileName(in request: HTTPRequest) -> String? {
        let path = request.path.split(separator: "/")
        return path.count == 2 && path[0] == "files" ? String(path[1]) : nil
    }

    // MARK: - Files

    /// Counts the bytes as they arrive, and discards them.
    private func receive(_ name: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        let isSlow = request.queryValue("slow") == "1"
        var size = 0
        for try await piece in request.bodySequence {
            size += piece.count
            if isSlow { try await Task.sleep(for: .milliseconds(5)) }
        }
        return HTTPResponse(.ok, ["name": .string(name), "size": .integer(size)])
    }

    private func file(_ request: HTTPRequest) -> HTTPResponse {
        let bytes = MadeUpFile.bytes
        var headers: HTTPHeaders = [
            .acceptRanges: "bytes",
            .contentType: "application/octet-stream",
            .eTag: MadeUpFile.eTag,
        ]
        guard let start = start(of: request) else {
            return HTTPResponse(statusCode: .ok, headers: headers, body: .paced(bytes))
        }
        guard start < bytes.count else {
            headers[.contentRange] = "bytes */\(bytes.count)"
            return refusal(.rangeNotSatisfiable, "the file ends before that", headers: headers)
        }
        headers[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
        return HTTPResponse(statusCode: .partialContent, headers: headers, body: .paced(bytes[start...]))
    }

    /// The start of the requested range; nil for the whole file.
    ///
    /// Only `bytes=N-` is understood: a server may ignore every other range (RFC 9110, section 14.2), and must ignore
    /// one that is for another version of the file (section 13.1.5).
    private func start(of request: HTTPRequest) -> Int? {
        let version = request.headers[HTTPHeader("If-Range")] ?? MadeUpFile.eTag
        guard version == MadeUpFile.eTag, let range = request.headers[.range] else { return nil }
        guard range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        let digits = range.dropFirst(6).dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Int(digits) ?? .max
    }

    // MARK: - Events

    private func events(_ request: HTTPRequest) -> HTTPResponse {
        let count = number("count", in: request) ?? 5
        let seen = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) }
        // This status ends a client's reconnecting (WHATWG's HTML standard, section 9.2.3).
        if let seen, seen >= count { return HTTPResponse(statusCode: .noContent) }
        let events = TickEvents(
            numbers: (max(seen ?? 0, 0) + 1)..<(count + 1),
            interval: .milliseconds(number("every", in: request) ?? 200),
            cut: seen == nil ? number("cut", in: request) : nil
        )
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: HTTPBodySequence(from: events)
        )
    }

    /// A number in the query, limited to a million.
    private func number(_ name: String, in request: HTTPRequest) -> Int? {
        request.queryValue(name).flatMap { Int($0) }.map { min(max($0, 0), 1_000_000) }
    }

    // MARK: - Refusals

    private func notAllowed(but methods: String) -> HTTPResponse {
        refusal(.methodNotAllowed, "no such method here", headers: [HTTPHeader("Allow"): methods])
    }

    private func refusal(_ status: HTTPStatusCode, _ message: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status, ["message": .string(message)], headers: headers)
    }
}

extension HTTPBodySequence {
    /// A large body, written in pieces of 64 KiB instead of FlyingFox's 4, and at 8 MB a second.
    fileprivate static func paced(_ bytes: Data) -> Self {
        let paced = PacedBytes(bytes: bytes, interval: .milliseconds(8))
        return Self(from: paced, count: bytes.count, suggestedBufferSize: 65_536)
    }
}
