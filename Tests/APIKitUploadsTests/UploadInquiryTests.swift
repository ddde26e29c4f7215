import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTesting
import APIKitUploads
import Foundation
import TestSupport
import Testing

/// The question for what a server supports, which an upload with checksums asks first.
@Suite struct UploadInquiryTests {
    private static let tusWithChecksum: UploadProtocol = .tus(metadata: [:], checksum: .sha256)

    /// Returns a client that responds to OPTIONS with a status and headers, one after the other and the last one again,
    /// and that takes 1000 bytes.
    private static func server(_ answers: (Int, HTTPHeaders)...) -> StubClient {
        let remaining = Locked(answers)
        return StubClient { request in
            switch request.method {
            case .options:
                let (status, headers) = remaining.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
                return .status(status, headers: headers)
            case .post: return .status(201, headers: [.location: "/uploads/1"])
            default: return .status(204, headers: ["Upload-Offset": "1000"])
            }
        }
    }

    private static func upload(
        _ folder: UploadFolder, _ uploadProtocol: UploadProtocol = tusWithChecksum
    ) -> FileUpload {
        FileUpload(
            file: folder.file, uploadProtocol: uploadProtocol, headers: ["X-Own": "1", .contentType: "text/plain"])
    }

    // MARK: - Servers that check

    @Test(
        arguments: [
            (200, ["Tus-Checksum-Algorithm": "md5,sha1,sha256"]), (204, ["Tus-Checksum-Algorithm": "SHA256"]),
            (204, ["Tus-Checksum-Algorithm": " sha1 , sha256", "Tus-Max-Size": "1000"]),
            (204, ["Tus-Checksum-Algorithm": "sha256", "Tus-Max-Size": "0"]),
        ] as [(Int, HTTPHeaders)])
    func serverIsAskedOnceBeforeTheCreation(status: Int, headers: HTTPHeaders) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((status, headers))
        _ = try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        #expect(server.requests.map(\.method) == [.options, .post, .patch])
        let inquiry = try #require(server.requests.first)
        #expect(inquiry.url.absoluteString == "https://api.example/files")
        #expect(inquiry.body == nil)
        #expect(inquiry.headers["X-App"] == "1")
        #expect(inquiry.headers["X-Own"] == "1")
        #expect(inquiry.headers[.contentType] == nil)
        // tus: a client should not send it with OPTIONS.
        #expect(inquiry.headers["Tus-Resumable"] == nil)
        #expect(server.requests.last?.headers["Upload-Checksum"]?.hasPrefix("sha256 ") == true)
    }

    @Test func serverWithTheExtensionSupportsSHA1() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((204, ["Tus-Extension": "creation, Checksum"]))
        _ = try await server.upload(Self.upload(folder, .tus(metadata: [:], checksum: .sha1)))
        #expect(server.requests.count == 3)
        let error = try await #require(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder))
        }
        #expect(error.transportError?.code == .unsupported)
    }

    @Test func serverIsNotAskedWithoutAChecksum() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((405, [:]))
        _ = try await server.upload(Self.upload(folder, .tus))
        #expect(server.requests.map(\.method) == [.post, .patch])
    }

    @Test func serverIsNotAskedAgainIfAnUploadContinues() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tusWithFirstChunk, [.happens {}, .status(403)])
        let upload = Self.upload(folder, server.uploadProtocol)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.inquiries.count == 1)
    }

    @Test func inquiryIsSentAgainAfterFailuresThatPass() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((503, [:]), (429, [.retryAfter: "1"]), (204, ["Tus-Checksum-Algorithm": "sha256"]))
        let clock = ManualClock(skippingSleep: true)
        _ = try await server.timed(by: clock).upload(Self.upload(folder))
        #expect(server.requests.map(\.method) == [.options, .options, .options, .post, .patch])
        let busy = Self.server((503, [:]))
        let error = try await #require(throws: APIError<Data>.self) {
            try await busy.timed(by: clock).upload(Self.upload(folder), attempts: 3)
        }
        #expect(error.status == 503)
        #expect(busy.requests.count == 3)
    }

    // MARK: - Servers that do not

    @Test(
        arguments: [
            (204, ["Tus-Version": "1.0.0", "Tus-Extension": "creation,termination"], "and offers no other hash"),
            (200, [:], "and offers no other hash"), (204, ["Tus-Checksum-Algorithm": ""], "and offers no other hash"),
            (204, ["Tus-Checksum-Algorithm": "sha1, md5"], "but offers sha1, md5"),
            (204, ["Tus-Checksum-Algorithm": "sha2567"], "but offers sha2567"),
            (204, ["Tus-Checksum-Algorithm": "\u{1B}[2J, sha512, not a name"], "but offers sha512"),
            (404, [:], "responds to OPTIONS with 404"), (405, [:], "responds to OPTIONS with 405"),
            (501, [:], "responds to OPTIONS with 501"),
        ] as [(Int, HTTPHeaders, String)])
    func serverThatDoesNotCheckGetsNothing(status: Int, headers: HTTPHeaders, text: String) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((status, headers))
        let error = try await #require(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        }
        #expect(error.transportError?.code == .unsupported)
        #expect(error.description.hasPrefix("OPTIONS https://api.example/files: unsupported: "), "\(error)")
        #expect(error.description.contains(text), "\(error)")
        #expect(error.description.contains("sha256"), "\(error)")
        #expect(server.requests.map(\.method) == [.options])
        #expect(folder.journals.isEmpty)
    }

    @Test(arguments: [401, 403]) func refusalIsThatOfTheEndpoint(status: Int) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((status, [:]))
        let error = try await #require(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error.status == status)
        #expect(server.requests.count == 1)
    }

    @Test func tokenIsReplacedIfTheInquiryIsRefused() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((401, [:]), (204, ["Tus-Checksum-Algorithm": "sha256"]))
        let upload = Self.upload(folder)
        _ = try await server.authorized(by: Tokens(), for: upload.base).upload(upload)
        let credentials = server.requests.map { $0.headers[.authorization] }
        #expect(credentials == ["Bearer 1", "Bearer 2", "Bearer 2", "Bearer 2"])
    }

    @Test func fileThatIsTooLargeIsNotSent() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server((204, ["Tus-Checksum-Algorithm": "sha256", "Tus-Max-Size": "999"]))
        let error = try await #require(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error.requestError?.code == .body)
        #expect(
            error.description == "POST https://api.example/files was not sent: the file has 1000 bytes, but the server "
                + "accepts at most 999")
        #expect(server.requests.map(\.method) == [.options])
    }

    // MARK: - Names

    @Test func errorsNameTheUsersEndpoint() async throws {
        let folder = try UploadFolder(size: 1000)
        var upload = Self.upload(folder, .tus)
        upload.headers["X-Own"] = "a\nb"
        let error = try await #require(throws: APIError<Data>.self) { try await Self.server((204, [:])).upload(upload) }
        #expect(error.requestError?.code == .header)
        #expect(error.description.contains("(FileUpload)"), "\(error)")
        #expect(!error.description.contains("UploadStep"), "\(error)")
        // A stub that has no answer for one of the requests.
        let created = StubClient().answering(.post, "/files", with: .status(201, headers: [.location: "/uploads/1"]))
        let unexpected = try await #require(throws: APIError<Data>.self) {
            try await created.upload(Self.upload(folder, .tus))
        }
        let text = "no answer for this request of FileUpload, which only a rule by method and path answers;"
        #expect(unexpected.description.contains(text), "\(unexpected)")
    }

    private struct Tokens: CredentialSource {
        func credential() async throws -> Credential? { .bearer("1") }
        func replacement(for refused: Credential) async throws -> Credential? { .bearer("2") }
    }
}
