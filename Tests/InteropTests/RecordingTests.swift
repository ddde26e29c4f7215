import APIKit
import APIKitRecording
import APIKitTesting
import Testing

/// `Scripts/interop` validates the file that this writes, and opens it with another reader.
@Suite(.httpbin, .timeLimit(.minutes(10))) struct RecordingTests {
    private struct Call: HTTPBinRequest {
        typealias Response = Data
        var method: HTTPMethod = .get
        var path: URLPath
        var parameters: Parameters = [:]
        var headers: HTTPHeaders = [:]
        var body: RequestBody?
    }

    private static let secret = "s3cr3t-W0rd-42"
    private static let basic = Data("user:\(secret)".utf8).base64EncodedString()

    private static let calls: [Call] = {
        var form = MultipartForm()
        form.append(secret, for: "password")
        form.append(FilePart(Data([0xFF, 0xD8, 0, 1]), filename: "photo.jpg"), for: "photo")
        return [
            Call(path: "get", parameters: ["q": "red & blue", "api_key": secret]),
            Call(path: "headers", headers: [.authorization: "Bearer \(secret)", .cookie: "sid=\(secret); theme=dark"]),
            Call(path: "anything/basic", headers: [.authorization: "Basic \(basic)"]),
            Call(path: "response-headers", parameters: ["Set-Cookie": "sid=\(secret); Path=/", "X-Plain": "1"]),
            Call(path: "gzip"), Call(path: "image/png"), Call(path: "encoding/utf8"), Call(path: "status/204"),
            Call(path: "redirect/2"), Call(path: "redirect-to", parameters: ["url": "/get?token=\(secret)"]),
            Call(method: .post, path: "anything", body: .form(["password": secret, "name": "Ada"])),
            Call(method: .post, path: "anything", body: .json(["access_token": secret, "list": [1, 2]])),
            Call(method: .post, path: "anything", body: .multipart(form)),
            Call(method: .put, path: "anything", body: .data(Data([0xFF, 0, 1]), contentType: .octetStream)),
        ]
    }()

    @Test func conversationIsRecordedWithoutSecretsAndReplayed() async throws {
        let folder = ProcessInfo.processInfo.environment["APIKIT_HAR_FOLDER"].map { URL(fileURLWithPath: $0) }
        let url = (folder ?? FileManager.default.temporaryDirectory).appendingPathComponent("httpbin.har")
        let har = HARFile(url)
        try? FileManager.default.removeItem(at: url)
        let recording = URLSession.api.recording(to: har)
        var live: [Data] = []
        for call in Self.calls { live.append(try await recording.send(call)) }
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        #expect(!text.contains(Self.secret))
        #expect(!text.contains(Self.basic))

        let replay = try ReplayClient(har, inOrder: true)
        for (call, live) in zip(Self.calls, live) {
            let replayed = try await replay.send(call)
            let texts = [live, replayed].map { String(decoding: $0, as: UTF8.self) }
            let hasSecret = texts[0].contains(Self.secret) || texts[0].contains(Self.basic)
            #expect(hasSecret ? texts[1].contains("***") : replayed == live, "\(call.path)")
        }
        #expect(replay.unusedEntries == [])
    }
}
