import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    @Test func aFormOfFilesAndStreamsIsSentAgainByteForByteOnARedirect() async throws {
        let server = try LoopbackServer { request in
            request.path == "/first" ? .status(307, headers: [("Location", "/new")]) : .status(204)
        }
        let file = try TemporaryFile()
        try file.write(Data(repeating: 1, count: 100_000))
        var form = MultipartForm()
        form.append(FilePart(file.url, filename: "a.bin"), for: "file")
        let stream = RequestBody.stream(length: 3, contentType: nil) { ByteStream([Data("abc".utf8)]) }
        form.append(FilePart(stream, filename: "b"), for: "stream")
        try await URLSession.api.send(Upload(base: APIBase(server.url), body: .multipart(form)))
        #expect(server.requests.map(\.path) == ["/first", "/new"])
        #expect(Set(server.requests.map(\.body)).count == 1)
        #expect(server.requests.map(\.body.count) == [form, form].map { RequestBody.multipart($0).length })
        #expect(server.requests.allSatisfy { $0.values(of: "Content-Length") == ["\($0.body.count)"] })
    }
}
