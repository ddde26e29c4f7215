import APIKit
import APIKitTestServer
import APIKitUploads
import Testing

/// Uploads to servers that others wrote.
@Suite(.uploadServers) struct UploadTests {
    private let client = FastClient()

    @Test(arguments: UploadServer.running) func uploadsAFile(to server: UploadServer) async throws {
        let fixture = try UploadFixture(server, size: 3_500_000)
        let progress = Recorder<UploadProgress>()
        let uploaded = try await client.upload(fixture.upload(), keepingStateIn: fixture.state) { progress.append($0) }
        try await fixture.expectStored(uploaded)
        #expect(progress.values.last?.bytesReceived == fixture.contents.count)
        // Nothing is sent twice: 4 KiB are enough for the heads of the requests.
        #expect(fixture.proxy.requestBytes < fixture.contents.count + 4096)
    }

    @Test(arguments: UploadServer.running) func uploadsAnEmptyFile(to server: UploadServer) async throws {
        let fixture = try UploadFixture(server, size: 0)
        let uploaded = try await client.upload(fixture.upload(), keepingStateIn: fixture.state)
        try await fixture.expectStored(uploaded)
    }

    @Test(arguments: UploadServer.ofTus, [500, (1 << 20) + 500])
    func sendsTheFirstChunkWithTheCreation(to server: UploadServer, size: Int) async throws {
        let fixture = try UploadFixture(server, size: size)
        var upload = fixture.upload()
        upload.sendsFirstChunk = true
        let uploaded = try await client.upload(upload, keepingStateIn: fixture.state)
        try await fixture.expectStored(uploaded)
    }

    // MARK: - Breaks

    /// The connections of an upload break after random numbers of bytes, 15 in a request and 5 in a response.
    @Test(arguments: UploadServer.running) func survivesTwentyBreaks(of server: UploadServer) async throws {
        let chunkSize = 256 << 10
        var generator = SplitMix64(state: 60)
        let faults = (1...20).map { number -> FaultyProxy.Fault in
            if number.isMultiple(of: 4) {
                let response = Int.random(in: 1...2, using: &generator)
                return .cutResponse(number: response, after: Int.random(in: 0...100, using: &generator))
            }
            return .cutRequest(after: Int.random(in: 1...chunkSize * 3 / 2, using: &generator))
        }
        let fixture = try UploadFixture(server, size: 5_000_000, faults: faults)
        let uploaded = try await client.upload(
            fixture.upload(chunkSize: chunkSize), keepingStateIn: fixture.state, attempts: faults.count + 1)
        try await fixture.expectStored(uploaded)
        #expect(fixture.proxy.faultCount == faults.count)
        // Each break costs at most a chunk, and the heads of a few requests.
        #expect(fixture.proxy.requestBytes < fixture.contents.count + faults.count * (chunkSize + 4096))
    }

    /// tus servers say that they have all; the others have forgotten the upload, and get the file once more.
    @Test(arguments: UploadServer.running)
    func survivesTheLossOfTheLastResponse(of server: UploadServer) async throws {
        // The response to the creation, and then that to the only chunk.
        let fixture = try UploadFixture(server, size: 100_000, faults: [.cutResponse(number: 2, after: 0)])
        let uploaded = try await client.upload(fixture.upload(), keepingStateIn: fixture.state)
        #expect(fixture.proxy.faultCount == 1)
        try await fixture.expectStored(uploaded)
    }

    // MARK: - The next process

    /// A process that uploads a file, and kills itself once the server has some of it.
    struct Worker: Codable {
        let server: UploadServer
        let file: URL
        let state: URL
        let port: Int
        let fatalBytes: Int

        func run() async throws {
            let upload = FileUpload(server: server, file: file, port: port, chunkSize: 256 << 10)
            _ = try await FastClient().upload(upload, keepingStateIn: state) { progress in
                if progress.bytesReceived >= fatalBytes { kill(getpid(), SIGKILL) }
            }
        }
    }

    @Test(arguments: UploadServer.running) func continuesAfterAKill(with server: UploadServer) async throws {
        let fixture = try UploadFixture(server, size: 3_000_000)
        let worker = Worker(
            server: server, file: fixture.file, state: fixture.state, port: fixture.proxy.port, fatalBytes: 1_500_000)
        await #expect(processExitsWith: .signal(SIGKILL)) { [worker = worker as Worker] in try await worker.run() }

        let pending = try #require(try PendingUpload.all(in: fixture.state).first)
        #expect(pending.file.path == fixture.file.path)
        #expect(pending.bytesReceived >= 1_000_000)
        let sent = fixture.proxy.requestBytes
        let uploaded = try await client.upload(fixture.upload(chunkSize: 256 << 10), keepingStateIn: fixture.state)
        try await fixture.expectStored(uploaded)
        // What the killed process had sent is not sent again, except for at most a chunk.
        #expect(fixture.proxy.requestBytes - sent < fixture.contents.count - pending.bytesReceived + 8192)
        #expect(fixture.proxy.requestBytes < fixture.contents.count + (256 << 10) + 16_384)
    }

    // MARK: - Tokens

    /// Tokens with a number each, which the servers accept for three requests.
    private actor Tokens: CredentialSource {
        private let name = UUID().uuidString
        private(set) var count = 1

        func credential() -> Credential? { .bearer("\(name)-\(count)") }

        func replacement(for refused: Credential) -> Credential? {
            count += 1
            return credential()
        }
    }

    @Test(arguments: UploadServer.running) func replacesTokensThatExpire(at server: UploadServer) async throws {
        let fixture = try UploadFixture(server, size: 2_500_000)
        let upload = fixture.upload(chunkSize: 256 << 10)
        let tokens = Tokens()
        let authorized = client.authorized(by: tokens, for: upload.base)
        let uploaded = try await authorized.upload(upload, keepingStateIn: fixture.state)
        try await fixture.expectStored(uploaded)
        // One creation and ten chunks.
        #expect(await tokens.count >= 4)
    }

    // MARK: - Checksums

    @Test(arguments: [UploadProtocol.Checksum.sha1, .sha256]) func sendsADamagedChunkAgain(
        _ checksum: UploadProtocol.Checksum
    ) async throws {
        let chunkSize = 256 << 10
        let fixture = try UploadFixture(
            .resumableUpload, size: 1_000_000, faults: [.damageRequest(after: 100_000), .damageRequest(after: 500_000)])
        var upload = fixture.upload(chunkSize: chunkSize)
        upload.checksum = checksum
        let uploaded = try await client.upload(upload, keepingStateIn: fixture.state)
        try await fixture.expectStored(uploaded)
        #expect(fixture.proxy.faultCount == 2)
        #expect(fixture.proxy.requestBytes > fixture.contents.count + 2 * chunkSize)
    }

    /// Without a checksum, nobody notices.
    @Test func needsAChecksumToNoticeDamage() async throws {
        let fixture = try UploadFixture(.resumableUpload, size: 500_000, faults: [.damageRequest(after: 100_000)])
        let uploaded = try await client.upload(fixture.upload(), keepingStateIn: fixture.state)
        let stored = try await fixture.server.storedFile(of: uploaded, named: fixture.file.lastPathComponent)
        #expect(stored.count == fixture.contents.count)
        let isSame = stored == fixture.contents
        #expect(!isSame)
    }

    /// Tuspyserver does not check chunks, and would store damaged ones.
    @Test func refusesAServerWithoutChecksums() async throws {
        let fixture = try UploadFixture(.tuspyserver, size: 500_000)
        var upload = fixture.upload()
        upload.checksum = .sha1
        let error = try await #require(throws: APIError<Data>.self) {
            try await client.upload(upload, keepingStateIn: fixture.state)
        }
        #expect(error.transportError?.code == .unsupported)
        #expect(fixture.proxy.requestBytes < 10_000)
    }

    // MARK: - Giving up

    /// Returns the status of the question about an upload, which servers for tus and for the draft understand.
    private func status(ofUploadAt url: URL) async throws -> Int {
        let headers: HTTPHeaders = ["Tus-Resumable": "1.0.0", "Upload-Draft-Interop-Version": "6"]
        return try await client.perform(HTTPRequest(method: .head, url: url, headers: headers)).head.status
    }

    @Test(arguments: UploadServer.running) func abandonsACancelledUpload(to server: UploadServer) async throws {
        let fixture = try UploadFixture(server, size: 4_000_000)
        let upload = fixture.upload(chunkSize: 256 << 10)
        let urls = Recorder<URL>()
        let cancelling = client.intercepted { request, _, next in
            if request.method != .post, urls.append(request.url) == 4 { withUnsafeCurrentTask { $0?.cancel() } }
            return try await next(request)
        }
        let uploading = Task { try await cancelling.upload(upload, keepingStateIn: fixture.state) }
        await #expect(throws: APIError<Data>.self) { try await uploading.value }
        let pending = try #require(try PendingUpload.all(in: fixture.state).first)
        #expect(pending.bytesReceived >= 2 * upload.chunkSize)

        if server == .gcpStorageEmulator {
            // It cannot forget an upload, unlike Google.
            let error = try await #require(throws: APIError<Data>.self) {
                try await client.abandonUpload(upload, keptIn: fixture.state)
            }
            #expect(error.response?.head.status == 501)
        } else {
            try await client.abandonUpload(upload, keptIn: fixture.state)
            let url = try #require(urls.values.first)
            #expect(try await status(ofUploadAt: url) == 404)
        }
        #expect(try PendingUpload.all(in: fixture.state).isEmpty)
    }
}
