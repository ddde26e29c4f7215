import APIKitCore
import APIKitSupport
import APIKitTesting
import APIKitUploads
import Foundation
import Testing

/// A file of 5 GiB and three bytes, of which the server has all but these three: offsets do not fit 32 bits.
@Suite struct LargeUploadTests {
    private static let offset = 5 << 30

    @Test(
        arguments: [
            (.tus, "Upload-Length: 5368709123", "Upload-Offset: 5368709120"),
            (
                .session, "X-Upload-Content-Length: 5368709123",
                "Content-Range: bytes 5368709120-5368709122/5368709123"
            ),
            (.graph, nil, "Content-Range: bytes 5368709120-5368709122/5368709123"),
            (.draft, "Upload-Length: 5368709123", "Upload-Offset: 5368709120"),
        ] as [(UploadServer.Kind, String?, String)])
    func continuesBeyondFourGigabytes(kind: UploadServer.Kind, length: String?, offset: String) async throws {
        let folder = try UploadFolder(size: 0)
        let file = try FileHandle(forWritingTo: folder.file)
        try file.seek(toOffset: UInt64(Self.offset))
        try file.write(contentsOf: Data("end".utf8))
        try file.close()
        let server = ClaimingServer(kind, offset: Self.offset)
        let upload = FileUpload(file: folder.file, uploadProtocol: UploadServer(kind).uploadProtocol)

        // The server refuses the first chunk, so that there is a journal.
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        if let length { #expect(server.requests.first?.lines.contains(length) == true) }
        let journal = folder.state.appending(path: try #require(folder.journals.first))
        let lines = try FileHandle(forWritingTo: journal)
        try lines.seekToEnd()
        try lines.write(contentsOf: Data("5368708120-\(Self.offset)\n".utf8))
        try lines.close()
        #expect(try PendingUpload.all(in: folder.state).first?.bytesReceived == 5_368_708_120)
        #expect(try PendingUpload.all(in: folder.state).first?.totalBytes == 5_368_709_123)

        _ = try await server.upload(upload, keepingStateIn: folder.state)
        let last = try #require(server.requests.last)
        #expect(last.lines.contains(offset))
        #expect(last.body == Data("end".utf8))
        #expect(folder.journals.isEmpty)
    }
}

/// A server that refuses the first bytes of a file, and then claims that it has all bytes before an offset.
private final class ClaimingServer: APIClient {
    struct Request {
        let lines: [String]
        let body: Data
    }

    let clock: any Clock<Duration> = ManualClock(skippingSleep: true)
    private let kind: UploadServer.Kind
    private let offset: Int
    private let log = Locked<[Request]>([])

    var requests: [Request] { log.withLock { $0 } }

    init(_ kind: UploadServer.Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var head = HTTPResponse.Head(status: 200, headers: ["Upload-Offset": "\(offset)"], url: request.url)
        var text = #"{"nextExpectedRanges": ["\#(offset)-"]}"#
        let range = request.headers[.contentRange] ?? ""
        let isLast = range.contains("\(offset)-") || request.headers["Upload-Offset"] == "\(offset)"
        if request.url.path == "/files" {
            text = #"{"uploadUrl": "https://api.example/uploads/1"}"#
            head.headers = [.location: "/uploads/1"]
        } else if isLast {
            text = #"{"id": 7}"#
            head.headers = ["Upload-Offset": "\(offset + 3)"]
        } else if range.hasPrefix("bytes */") {
            head.status = 308
            head.headers = [.range: "bytes=0-\(offset - 1)"]
        } else if let body = request.body, body.length != 0 {
            head.status = 403
        } else if kind == .draft {
            head.headers["Upload-Complete"] = "?0"
        }
        var body = Data()
        if isLast, let bytes = request.body?.bytes {
            for try await piece in bytes { body += piece }
        }
        let lines = request.headers.map { "\($0.name.rawValue): \($0.value)" }
        log.withLock { [body] in $0.append(Request(lines: lines, body: body)) }
        return HTTPResponse(head: head, body: ResponseBody(Data(text.utf8)), request: request)
    }
}
