import APIKit
import APIKitTestServer
import APIKitUploads
import Foundation
import Testing

/// Servers that break the rules of HTTP during an upload.
@Suite struct HostileConnectionTests {
    private static func upload(_ folder: UploadFolder, to server: LoopbackServer) -> FileUpload {
        FileUpload(
            file: folder.file, uploadProtocol: .tus, chunkSize: 4 << 20, base: APIBase(server.url.absoluteString))
    }

    private static let created = ServerAnswer.status(201, headers: [("Location", "/uploads/1")])

    /// The response comes before the body is read, and the connection stays open.
    @Test(.timeLimit(.minutes(1)), arguments: [413, 403])
    func anEarlyRefusalIsTheFailure(status: Int) async throws {
        let folder = try UploadFolder(size: 4 << 20)
        let server = try LoopbackServer(answeringEarly: { request in
            guard request.method == "PATCH" else { return nil }
            return Data("HTTP/1.1 \(status) No\r\nContent-Length: 2\r\n\r\nno".utf8)
        }) { request in
            request.method == "POST" ? Self.created : .status(204, headers: [("Upload-Offset", "0")])
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await URLSession.api.upload(Self.upload(folder, to: server), attempts: 2)
        }
        #expect(error?.status == status)
    }

    /// After a break, the response to HEAD has the size of the file as its length, or even a body.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["Content-Length: 5368709120\r\n\r\n", "Content-Length: 4\r\n\r\nbody", "\r\nHTTP/1.1 500\r\n\r\n"])
    func aLengthInTheResponseToAQuestionIsIgnored(rest: String) async throws {
        let folder = try UploadFolder(size: 1 << 20)
        let server = try LoopbackServer { request in
            switch request.method {
            case "POST": return Self.created
            case "HEAD":
                let head = "HTTP/1.1 200 OK\r\nUpload-Offset: 0\r\n"
                return ServerAnswer(steps: [.send(Data((head + rest).utf8))])
            default:
                return .status(204, headers: [("Upload-Offset", "\(request.bodyLength)")])
            }
        }
        // The first chunk breaks, so that the question is asked.
        let client = URLSession.api.intercepted { request, call, next in
            if request.method == .patch, call.endpoint != nil, await Self.isFirst(request, Self.firsts) {
                throw TransportError(.connectionLost)
            }
            return try await next(request)
        }
        _ = try await client.upload(Self.upload(folder, to: server))
        #expect(server.requests.contains { $0.method == "HEAD" })
    }

    private static let firsts = Firsts()

    private static func isFirst(_ request: HTTPRequest, _ firsts: Firsts) async -> Bool {
        await firsts.insert(request.url.absoluteString)
    }

    /// Every response of the endpoint is delivered as a file.
    @Test(.timeLimit(.minutes(1))) func theLastResponseCanBeAFile() async throws {
        let folder = try UploadFolder(size: 600 << 10)
        let server = try LoopbackServer { request in
            if request.method == "POST" { return .status(200, headers: [("Location", "/uploads/1")]) }
            let isLast = request.values(of: "Content-Range").first?.hasSuffix("-614399/614400") == true
            if isLast { return .status(200, body: Data("done".utf8)) }
            return .status(308, headers: [("Range", "bytes=0-524287")])
        }
        let upload = ReceiptUpload(file: folder.file, base: APIBase(server.url.absoluteString))
        let receipt = try await URLSession.api.upload(upload, keepingStateIn: folder.state)
        #expect(try Data(contentsOf: receipt.url) == Data("done".utf8))
        #expect(server.requests.count == 3)
        #expect(folder.journals.isEmpty)
    }

    /// The request that creates the upload is redirected to another origin, which claims the upload for itself.
    @Test(.timeLimit(.minutes(1)), arguments: [307, 302])
    func aRedirectOfTheCreationDoesNotTakeTheFileElsewhere(status: Int) async throws {
        let folder = try UploadFolder(size: 1 << 20)
        let evil = try LoopbackServer { _ in Self.created }
        let target = evil.url.absoluteString
        let server = try LoopbackServer { _ in .status(status, headers: [("Location", target + "/files")]) }
        var upload = Self.upload(folder, to: server)
        upload.uploadProtocol = .tus(metadata: [:], sendsFirstChunk: status == 307)
        let error = await #expect(throws: APIError<Data>.self) {
            try await URLSession.api.upload(upload, keepingStateIn: folder.state)
        }
        #expect(error != nil)
        #expect(evil.requests.allSatisfy { $0.bodyLength == 0 })
        #expect(folder.journals.isEmpty)
    }
}

private struct ReceiptUpload: ResumableUpload {
    typealias Response = DownloadedFile
    var file: URL
    var base: APIBase
    var path: URLPath { "files" }
    var chunkSize: Int { 512 << 10 }
    var uploadProtocol: UploadProtocol { .sessionURL }
}

/// The texts that were inserted.
private actor Firsts {
    private var texts: Set<String> = []

    func insert(_ text: String) -> Bool { texts.insert(text).inserted }
}
