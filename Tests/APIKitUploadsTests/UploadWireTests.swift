import APIKitCore
import Foundation
import Testing

@testable import APIKitUploads

/// The requests of each protocol, as they are sent.
@Suite struct UploadWireTests {
    /// Returns each request as its method and those headers that a protocol defines.
    private func wire(_ kind: UploadServer.Kind, size: Int, chunkSize: Int) async throws -> [String] {
        let folder = try UploadFolder(size: size)
        let server = UploadServer(kind, [.happens {}, .cut(after: 0)])
        let upload = FileUpload(file: folder.file, uploadProtocol: server.uploadProtocol, chunkSize: chunkSize)
        _ = try await server.upload(upload)
        return await server.requests.map { request in
            let headers = request.headers.filter { field in
                ["Tus-", "Upload-", "Content-", "X-Upload-", "X-Goog-"].contains { field.name.rawValue.hasPrefix($0) }
            }
            let fields = headers.map { "\($0.name.rawValue): \($0.value)" }.sorted()
            return ([request.method.rawValue] + fields).joined(separator: "; ")
        }
    }

    @Test func tus() async throws {
        #expect(
            try await wire(.tus, size: 3, chunkSize: 2) == [
                "POST; Tus-Resumable: 1.0.0; Upload-Length: 3",
                "PATCH; Content-Type: application/offset+octet-stream; Tus-Resumable: 1.0.0; Upload-Offset: 0",
                "PATCH; Content-Type: application/offset+octet-stream; Tus-Resumable: 1.0.0; Upload-Offset: 2",
                "HEAD; Tus-Resumable: 1.0.0",
                "PATCH; Content-Type: application/offset+octet-stream; Tus-Resumable: 1.0.0; Upload-Offset: 2",
            ])
    }

    /// The checksum is that of the bytes 0 and 31.
    @Test func tusWithFirstChunkChecksumAndMetadata() async throws {
        let first = try #require(try await wire(.tusWithFirstChunk, size: 2, chunkSize: 2).first)
        #expect(
            first == "POST; Content-Type: application/offset+octet-stream; Tus-Resumable: 1.0.0; "
                + "Upload-Checksum: sha1 lRcD+dpCa+ZpOSXylIdaHZyeUI8=; Upload-Length: 2; Upload-Metadata: name YSBi")
    }

    @Test func sessionURL() async throws {
        let chunk = 256 << 10
        #expect(
            try await wire(.session, size: chunk + 5, chunkSize: 1) == [
                "POST; X-Upload-Content-Length: 262149; X-Upload-Content-Type: video/mp4",
                "PUT; Content-Range: bytes 0-262143/262149; Content-Type: video/mp4",
                "PUT; Content-Range: bytes 262144-262148/262149; Content-Type: video/mp4",
                "PUT; Content-Range: bytes */262149; Content-Type: application/octet-stream",
                "PUT; Content-Range: bytes 262144-262148/262149; Content-Type: video/mp4",
            ])
    }

    @Test func googleUpload() async throws {
        let chunk = 256 << 10
        #expect(
            try await wire(.google, size: chunk + 5, chunkSize: 1) == [
                "POST; X-Goog-Upload-Command: start; X-Goog-Upload-Content-Type: video/mp4; "
                    + "X-Goog-Upload-Header-Content-Length: 262149; X-Goog-Upload-Header-Content-Type: video/mp4; "
                    + "X-Goog-Upload-Protocol: resumable; X-Goog-Upload-Raw-Size: 262149",
                "POST; Content-Type: video/mp4; X-Goog-Upload-Command: upload; X-Goog-Upload-Offset: 0",
                "POST; Content-Type: video/mp4; X-Goog-Upload-Command: upload, finalize; "
                    + "X-Goog-Upload-Offset: 262144",
                "POST; Content-Type: application/octet-stream; X-Goog-Upload-Command: query",
                "POST; Content-Type: video/mp4; X-Goog-Upload-Command: upload, finalize; "
                    + "X-Goog-Upload-Offset: 262144",
            ])
    }

    @Test func googleUploadOfAnEmptyFile() async throws {
        let last = try #require(try await wire(.google, size: 0, chunkSize: 1).last)
        #expect(
            last == "POST; Content-Type: video/mp4; X-Goog-Upload-Command: finalize; X-Goog-Upload-Offset: 0")
    }

    @Test func graph() async throws {
        #expect(
            try await wire(.graph, size: 5, chunkSize: 1) == [
                "POST",
                "PUT; Content-Range: bytes 0-4/5; Content-Type: video/mp4",
            ])
    }

    @Test func draft() async throws {
        #expect(
            try await wire(.draft, size: 3, chunkSize: 2) == [
                "POST; Upload-Complete: ?0; Upload-Draft-Interop-Version: 6; Upload-Length: 3",
                "PATCH; Content-Type: application/partial-upload; Upload-Complete: ?0; "
                    + "Upload-Draft-Interop-Version: 6; Upload-Offset: 0",
                "PATCH; Content-Type: application/partial-upload; Upload-Complete: ?1; "
                    + "Upload-Draft-Interop-Version: 6; Upload-Offset: 2",
                "HEAD; Upload-Draft-Interop-Version: 6",
                "PATCH; Content-Type: application/partial-upload; Upload-Complete: ?1; "
                    + "Upload-Draft-Interop-Version: 6; Upload-Offset: 2",
            ])
    }

    @Test(
        arguments: [
            (nil, .received(0)), ("bytes=0-0", .received(0)), ("bytes=0-262143", .received(262_144)),
            ("bytes=5-9", .refused), ("bytes=0-", .refused), ("0-9", .refused),
            ("bytes=0-9223372036854775807", .refused), ("bytes=0-99999999999999999999", .refused),
        ] as [(String?, UploadReport)])
    func rangesOfASessionBeginAtTheFirstByte(range: String?, report: UploadReport) throws {
        let folder = try UploadFolder(size: 1)
        let file = UploadFile(url: folder.file, type: .octetStream, version: try FileVersion.of(folder.file))
        let url = try #require(URL(string: "https://api.example/uploads/1"))
        let head = HTTPResponse.Head(status: 308, headers: ["Range": range], url: url)
        let dialect = SessionDialect()
        let question = dialect.question(about: file)
        #expect(dialect.report(on: HTTPResponse(head: head), to: question, about: file) == report)
    }

    @Test(arguments: ["", "a b", "a,b", "ä", "a\r\nb"])
    func namesOfMetadataAreChecked(name: String) async throws {
        let folder = try UploadFolder(size: 1)
        let upload = FileUpload(file: folder.file, uploadProtocol: .tus(metadata: [name: "x"]))
        let error = await #expect(throws: APIError<Data>.self) { try await UploadServer(.tus).upload(upload) }
        #expect(error?.requestError?.code == .header)
    }

    @Test func pathsInTheUsersFolderAreStoredRelativeToIt() {
        let file = URL.homeDirectory.appendingPathComponent("a b/film.mp4")
        #expect(file.storedPath == "~/a b/film.mp4")
        #expect(URL(storedPath: file.storedPath).path == file.path)
        #expect(URL(storedPath: "/tmp/x").path == "/tmp/x")
    }
}
