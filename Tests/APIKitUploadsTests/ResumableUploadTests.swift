import APIKitClients
import APIKitCore
import APIKitTesting
import APIKitUploads
import Foundation
import TestSupport
import Testing

/// Uploads over a server in memory, in all protocols.
@Suite struct ResumableUploadTests {
    private static func chunkSize(_ kind: UploadServer.Kind) -> Int {
        switch kind {
        case .session, .google: 256 << 10
        case .graph: 320 << 10
        case .tus, .tusWithFirstChunk, .draft: 1000
        }
    }

    private static func upload(_ folder: UploadFolder, to server: UploadServer) -> FileUpload {
        FileUpload(file: folder.file, uploadProtocol: server.uploadProtocol, chunkSize: chunkSize(server.kind))
    }

    /// The size of a file of two and a half chunks.
    private static func size(_ kind: UploadServer.Kind) -> Int { chunkSize(kind) * 5 / 2 }

    @Test(arguments: UploadServer.Kind.allCases)
    func sendsTheWholeFileInChunks(_ kind: UploadServer.Kind) async throws {
        let folder = try UploadFolder(size: Self.size(kind))
        let server = UploadServer(kind)
        let reply = try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.byteCount == folder.bytes.count)
        let hasModel = kind != .tus && kind != .tusWithFirstChunk
        #expect(reply == FileReply(id: hasModel ? 7 : nil))
        #expect(folder.journals.isEmpty)
        let size = Self.chunkSize(kind)
        #expect(await server.log == ["create", "send 0", "send \(size)", "send \(2 * size)"])
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func sendsAnEmptyFile(_ kind: UploadServer.Kind) async throws {
        let folder = try UploadFolder(size: 0)
        let server = UploadServer(kind)
        // Graph refuses empty files.
        guard kind != .graph else { return }
        _ = try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == Data())
        #expect(folder.journals.isEmpty)
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func continuesAfterBreaks(_ kind: UploadServer.Kind) async throws {
        let size = Self.chunkSize(kind)
        let folder = try UploadFolder(size: Self.size(kind))
        let faults: [UploadServer.Fault] = [
            .cut(after: size / 3), .cut(after: 1), .lostResponse, .status(503), .cut(after: size / 2),
            .status(423, [.retryAfter: "2"]), .status(429),
        ]
        // If the connection breaks while the upload is created with its first chunk, there is nothing to continue.
        let server = UploadServer(kind, kind == .tusWithFirstChunk ? [.happens {}] + faults.dropFirst(2) : faults)
        _ = try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func aLostLastResponseIsAskedFor(_ kind: UploadServer.Kind) async throws {
        // Graph forgets a session once it has the file, and the server for these tests does not.
        guard kind != .graph else { return }
        let folder = try UploadFolder(size: Self.chunkSize(kind) / 2)
        let server = UploadServer(kind, kind == .tusWithFirstChunk ? [] : [.lostResponse])
        let reply = try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        // Only a session repeats its last response.
        #expect(reply == FileReply(id: kind == .session ? 7 : nil))
    }

    @Test(arguments: UploadServer.Kind.allCases)
    func continuesInTheNextProcess(_ kind: UploadServer.Kind) async throws {
        let size = Self.chunkSize(kind)
        let folder = try UploadFolder(size: Self.size(kind))
        // The first chunk arrives, and the request for the second one is cancelled.
        let server = UploadServer(kind, [.happens {}, .cancels])
        let upload = Self.upload(folder, to: server)
        let first = Task { try await server.upload(upload, keepingStateIn: folder.state) }
        guard case .failure(APIError<Data>.cancelled) = await first.result else {
            Issue.record("the upload was not cancelled")
            return
        }
        let pending = try PendingUpload.all(in: folder.state)
        #expect(pending.map(\.file.lastPathComponent) == ["film.mp4"])
        #expect(pending.map(\.totalBytes) == [folder.bytes.count])
        #expect(pending.map(\.bytesReceived) == [size])

        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.byteCount == folder.bytes.count)
        #expect(await server.log.filter { $0 == "create" }.count == 1)
        #expect(folder.journals.isEmpty)
    }

    @Test(arguments: [UploadServer.Kind.tus, .session, .google, .draft])
    func startsOverIfTheServerHasForgottenTheUpload(_ kind: UploadServer.Kind) async throws {
        let folder = try UploadFolder(size: Self.size(kind))
        let server = UploadServer(kind, [.happens {}, .forgets])
        _ = try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.filter { $0 == "create" }.count == 2)
    }

    @Test func aServerThatForgetsEachUploadIsAFailure() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, Array(repeating: .forgets, count: 100))
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), attempts: 3)
        }
        #expect(error?.status == 404)
        #expect(await server.log.filter { $0 == "create" }.count == 3)
    }

    @Test func continuesWhereAServerStandsThatLostBytes() async throws {
        let folder = try UploadFolder(size: 4500)
        let server = UploadServer(.tus, [.happens {}, .loses(allBut: 700), .loses(allBut: 200)])
        _ = try await server.upload(Self.upload(folder, to: server))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.prefix(5) == ["create", "send 0", "send 1000", "send 700", "send 200"])
    }

    @Test func aServerThatLosesAllBytesAgainAndAgainIsAFailure() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, Array(repeating: .loses(allBut: 0), count: 100))
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server))
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(await server.log.count == 6)
    }

    @Test(arguments: [2001, 2500, 1 << 40])
    func aServerThatClaimsBytesThatWereNotSentIsAFailure(claim: Int) async throws {
        let folder = try UploadFolder(size: 3500)
        let server = UploadServer(.tus, [.happens {}, .claims(claim)])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(error?.description.contains("\(claim)") == true)
        #expect(folder.journals.isEmpty)
    }

    @Test func endsAfterTooManyFailuresInARow() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, Array(repeating: .status(503), count: 100))
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state, attempts: 4)
        }
        #expect(error?.status == 503)
        #expect(await server.log.filter { $0 == "send 0" }.count == 4)
        // The next call continues.
        #expect(folder.journals.count == 1)
    }

    @Test func breaksWithProgressNeverEndTheUpload() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, Array(repeating: .cut(after: 100), count: 24))
        _ = try await server.upload(Self.upload(folder, to: server), attempts: 2)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.byteCount == folder.bytes.count)
    }

    @Test func aRefusalIsTheEndpointsFailure() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(413)])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server))
        }
        #expect(error?.status == 413)
    }

    /// A question whose response is a success, but does not say how many bytes the server has.
    @Test func aSuccessThatDoesNotFitTheProtocolIsAnError() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.lostResponse])
        let client = server.intercepted { request, _, next in
            var response = try await next(request)
            if request.method == .head { response.head.headers["Upload-Offset"] = nil }
            return response
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await client.upload(Self.upload(folder, to: server))
        }
        #expect(error?.transportError?.code == .badResponse)
    }

    @Test func waitsAtMostAMinuteForAServer() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(503, [.retryAfter: "3600"])])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server))
        }
        #expect(error?.status == 503)
        #expect(await server.log == ["create", "send 0"])
    }

    @Test func endsWhenItsTimeIsOver() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, Array(repeating: .status(503, [.retryAfter: "30"]), count: 100))
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), within: .seconds(70))
        }
        #expect(error?.transportError?.code == .timedOut)
        #expect(await server.log.filter { $0 == "send 0" }.count == 3)
    }

    // MARK: - The file

    /// The file changes while the second chunk is sent, or while the server is asked for its offset.
    @Test(arguments: [2500, 1200, 2600, 0], [true, false])
    func aFileThatChangesIsAnErrorBeforeAChangedByteIsSent(newSize: Int, duringChunk: Bool) async throws {
        let folder = try UploadFolder(size: 2500)
        let file = folder.file
        let change = UploadServer.Fault.happens { try? Data(repeating: 1, count: newSize).write(to: file) }
        let server = UploadServer(.tus, duringChunk ? [.happens {}, change] : [change])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .requestBodyFailed)
        #expect(await server.bytes == (duringChunk ? folder.bytes.prefix(1000) : Data()))
        #expect(folder.journals.isEmpty)
    }

    @Test func theStateOfAFileThatIsMissingMeanwhileIsKept() async throws {
        let folder = try UploadFolder(size: 2500)
        let file = folder.file
        let server = UploadServer(.tus, [.lostResponse, .happens { try? FileManager.default.removeItem(at: file) }])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .requestBodyFailed || error?.transportError?.code == .fileFailed)
        #expect(folder.journals.count == 1)
    }

    @Test func aFileThatWasChangedBetweenTwoProcessesIsUploadedAnew() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.happens {}, .status(403)])
        let upload = Self.upload(folder, to: server)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let changed = Data(repeating: 1, count: 2600)
        try changed.write(to: folder.file)
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == changed)
        #expect(folder.journals.isEmpty)
    }

    @Test func aFolderAndAMissingFileAreInvalidRequests() async throws {
        let folder = try UploadFolder(size: 1)
        let server = UploadServer(.tus)
        for file in [folder.url, folder.url.appendingPathComponent("missing")] {
            let upload = FileUpload(file: file, uploadProtocol: .tus)
            let error = await #expect(throws: APIError<Data>.self) { try await server.upload(upload) }
            #expect(error?.requestError?.code == .body)
        }
        #expect(await server.log.isEmpty)
    }

    // MARK: - The state

    @Test(arguments: [true, false])
    func uploadsOfOneFileToTwoDestinationsAreTwo(inMetadata: Bool) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        func upload(to name: String) -> FileUpload {
            var upload = Self.upload(folder, to: server)
            if inMetadata { upload.uploadProtocol = .tus(metadata: ["name": name]) }
            if !inMetadata { upload.headers = ["X-Destination": name] }
            return upload
        }
        await #expect(throws: APIError<Data>.self) {
            try await server.upload(upload(to: "a"), keepingStateIn: folder.state)
        }
        _ = try await server.upload(upload(to: "b"), keepingStateIn: folder.state)
        #expect(await server.log.filter { $0 == "create" }.count == 2)
        #expect(folder.journals.count == 1)
        let pending = try PendingUpload.all(in: folder.state)
        #expect(pending.map(\.endpoint) == ["FileUpload"])
    }

    @Test func anotherTokenDoesNotMakeAnotherUpload() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        var upload = Self.upload(folder, to: server)
        for token in ["a", "b"] {
            upload.headers = [.authorization: "Bearer \(token)", .idempotencyKey: token, "X-Api-Key": token]
            _ = try? await server.upload(upload, keepingStateIn: folder.state)
        }
        #expect(await server.log.filter { $0 == "create" }.count == 1)
        #expect(await server.bytes == folder.bytes)
    }

    @Test func aSecondUploadOfTheSameFileIsRefusedMeanwhile() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus)
        let upload = Self.upload(folder, to: server)
        await server.add(
            .waits {
                let error = await #expect(throws: APIError<Data>.self) {
                    try await server.upload(upload, keepingStateIn: folder.state)
                }
                #expect(error?.transportError?.code == .fileInUse)
            })
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
    }

    @Test(arguments: ["", "{", "{}\n", "\n\n", "{\"url\": 7}\n0-1\n"])
    func aDamagedJournalIsReplaced(_ text: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder, to: server)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let journal = try #require(folder.journals.first)
        try Data(text.utf8).write(to: folder.state.appendingPathComponent(journal))
        #expect(try PendingUpload.all(in: folder.state).isEmpty)
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
    }

    @Test func theJournalHasNoCredentials() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        var upload = Self.upload(folder, to: server)
        upload.base = APIBase(
            "https://api.example", headers: ["Authorization": "Bearer s3cr3t", "X-Api-Key": "s3cr3t"])
        await #expect(throws: APIError<Data>.self) {
            try await server.upload(upload, keepingStateIn: folder.state)
        }
        let journal = try #require(folder.journals.first)
        let text = try String(contentsOf: folder.state.appendingPathComponent(journal), encoding: .utf8)
        #expect(text.contains("api.example/uploads/1"))
        #expect(!text.contains("s3cr3t"))
    }

    @Test func abandoningTellsTheServerAndRemovesTheState() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder, to: server)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        try await server.abandonUpload(upload, keptIn: folder.state)
        #expect(await server.isAbandoned)
        #expect(folder.journals.isEmpty)
        // Without state, nothing is sent.
        let count = await server.requests.count
        try await server.abandonUpload(upload, keptIn: folder.state)
        #expect(await server.requests.count == count)
        #expect(folder.journals.isEmpty)
    }

    @Test func anUploadCanBeAbandonedWithoutItsFile() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder, to: server)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        try FileManager.default.removeItem(at: folder.file)
        try await server.abandonUpload(upload, keptIn: folder.state)
        #expect(await server.isAbandoned)
        #expect(folder.journals.isEmpty)
    }

    // MARK: - Progress

    @Test func progressReachesTheWholeFile() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.cut(after: 10)])
        let reports = AsyncStream.makeStream(of: UploadProgress.self)
        _ = try await server.upload(Self.upload(folder, to: server)) { reports.continuation.yield($0) }
        reports.continuation.finish()
        var last: UploadProgress?
        for await report in reports.stream { last = report }
        #expect(last == UploadProgress(bytesReceived: 2500, bytesSent: 2500, totalBytes: 2500))
    }

    // MARK: - Where requests go

    @Test(
        arguments: [UploadServer.Kind.session, .google],
        [.status(403), .status(200), .claims(1 << 40), .status(503, [.retryAfter: "3600"]), .cut(after: 9)]
            as [UploadServer.Fault])
    func textsDoNotHaveTheSecretOfASession(_ kind: UploadServer.Kind, _ fault: UploadServer.Fault) async throws {
        let folder = try UploadFolder(size: 600 << 10)
        let server = UploadServer(kind, Array(repeating: fault, count: 9))
        let lines = Recorder<String>()
        let client = server.logged(headers: true) { lines.append($0) }
        let result = await Task { try await client.upload(Self.upload(folder, to: server), attempts: 2) }.result
        if case .failure(let error) = result { lines.append("\(error) \(error.localizedDescription)") }
        let text = lines.values.joined(separator: "\n")
        #expect(text.contains("/uploads/1"))
        #expect(!text.contains("c4pability"))
    }

    @Test func anotherHostGetsNoHeadersOfTheBase() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.graph)
        _ = try await server.upload(Self.upload(folder, to: server))
        let hosts = await server.requests.map { "\($0.url.host ?? "") \($0.headers["X-App"] ?? "-")" }
        #expect(hosts == ["api.example 1", "files.example -"])
    }

    @Test func anotherHostThatIsNotNamedIsRefused() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.graph)
        var upload = Self.upload(folder, to: server)
        upload.uploadHosts = ["FILES.example.org"]
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(upload) }
        #expect(error?.requestError?.code == .link)
        #expect(await server.requests.count == 1)
    }

    @Test(
        arguments: [
            (".example", true), ("FILES.example", true), (".files.example", false), ("example", false), ("", false),
            (".", false),
        ] as [(String, Bool)])
    func namesOfHostsAreExactUnlessTheyBeginWithADot(name: String, isAllowed: Bool) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.graph)
        var upload = Self.upload(folder, to: server)
        upload.uploadHosts = [name]
        let result = await Task { [upload] in try await server.upload(upload) }.result
        #expect((try? result.get()) == (isAllowed ? FileReply(id: 7) : nil))
    }

    @Test func anEndpointCanNameTheUploadsURL() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.tus)
        var upload = Self.upload(folder, to: server)
        upload.location = "uploads/1"
        _ = try await server.upload(upload)
        #expect(await server.bytes == folder.bytes)
        var misled = upload
        misled.location = "https://elsewhere.example/"
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(misled) }
        #expect(error?.requestError?.code == .link)
    }

    @Test func aRedirectOfTheUploadIsNotFollowed() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.tus, [.status(307, [.location: "https://evil.example/"])])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, to: server))
        }
        #expect(error?.status == 307)
        #expect(await server.requests.allSatisfy { $0.url.host == "api.example" })
    }

    @Test func aTokenThatExpiresInTheMiddleIsRefreshedOnce() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.happens {}, .status(401)])
        let client = server.authorized(by: Tokens(), for: "https://api.example")
        _ = try await client.upload(Self.upload(folder, to: server), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        let tokens = await server.requests.map { $0.headers[.authorization] ?? "-" }
        #expect(tokens == ["old", "old", "old", "new", "new"].map { "Bearer \($0)" })
    }

    @Test func aRetryingClientDoesNotRepeatChunks() async throws {
        let folder = try UploadFolder(size: 600 << 10)
        let server = UploadServer(.session, [.cut(after: 1000)])
        _ = try await server.retrying().upload(Self.upload(folder, to: server))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.prefix(3) == ["create", "send 0", "ask"])
    }
}

/// A source whose first token is refused at some time.
private struct Tokens: CredentialSource {
    func credential() async throws -> Credential? { .bearer("old") }
    func replacement(for refused: Credential) async throws -> Credential? { .bearer("new") }
}
