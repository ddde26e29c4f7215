import APIKitCore
import APIKitSupport

/// Microsoft Graph's upload sessions.
struct GraphDialect: UploadDialect {
    var chunkMultiple: Int { 320 << 10 }

    func creationHeaders(for file: UploadFile) -> HTTPHeaders { [:] }

    func location(in response: HTTPResponse) -> String? {
        guard let data = response.body.data else { return nil }
        struct Session: Decodable { let uploadUrl: String }
        return try? JSONReader().decode(Session.self, from: data).uploadUrl
    }

    func question(about file: UploadFile) -> UploadMessage {
        // A cache, in the client or in between, could repeat what the server had before.
        UploadMessage(kind: .question, method: .get, headers: [.cacheControl: "no-cache"])
    }

    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage {
        UploadMessage(
            kind: .chunk, method: .put, headers: [.contentRange: range.contentRange(of: file.size)], range: range,
            contentType: file.type)
    }

    var abandonment: UploadMessage { UploadMessage(kind: .abandonment, method: .delete) }

    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport {
        switch (message.kind, response.head.status) {
        case (.creation, 200..<300): return .received(0)
        case (.abandonment, 200..<300), (.chunk, 200), (.chunk, 201): return .complete
        case (_, 200..<300): return firstMissingByte(in: response).map { .received($0) } ?? .refused
        // The range was received before, or does not continue what was.
        case (.chunk, 416): return .mismatch
        case (_, let status): return UploadReport(status: status)
        }
    }

    /// The beginning of the first range that the server expects, such as `12345-` or `12345-55232`.
    private func firstMissingByte(in response: HTTPResponse) -> Int? {
        guard let data = response.body.data else { return nil }
        struct Session: Decodable { let nextExpectedRanges: [String] }
        guard let session = try? JSONReader().decode(Session.self, from: data) else { return nil }
        let offsets = session.nextExpectedRanges.map { $0.prefix { $0 != "-" }.wholeNumber }
        guard let first = offsets.first else { return nil }
        // If one of them is not a range, nobody knows which one is the first.
        return offsets.reduce(first) { first, offset in
            guard let first, let offset else { return nil }
            return min(first, offset)
        }
    }
}
