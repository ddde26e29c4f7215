import APIKitClients
import APIKitCore
import APIKitRecording
import APIKitTesting
import APIKitUploads
import Foundation
import TestSupport
import Testing

/// Servers that lie or fail on purpose, journals that somebody has changed, and clients that misbehave.
@Suite struct HostileUploadTests {
    private static func upload(_ folder: UploadFolder, _ uploadProtocol: UploadProtocol = .tus) -> FileUpload {
        FileUpload(file: folder.file, uploadProtocol: uploadProtocol)
    }

    /// Returns a client whose responses a closure decides.
    private static func server(
        _ answer: @escaping @Sendable (HTTPRequest) -> (Int, HTTPHeaders, String)
    ) -> some APIClient {
        StubClient { request in
            let (status, headers, body) = answer(request)
            let head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
            return HTTPResponse(head: head, body: ResponseBody(Data(body.utf8)), request: request)
        }
        .timed(by: ManualClock(skippingSleep: true))
    }

    // MARK: - The server's word

    /// Each protocol reports the end after the first of three chunks.
    @Test(arguments: [UploadProtocol.tus, .sessionURL, .googleUpload, .graph, .draft])
    func aServerThatHasTheFileBeforeItWasSentIsAFailure(_ uploadProtocol: UploadProtocol) async throws {
        let folder = try UploadFolder(size: 800 << 10)
        let server = Self.server { request in
            if request.url.path == "/files" {
                let headers: HTTPHeaders = [.location: "/uploads/1", "X-Goog-Upload-URL": "/uploads/1"]
                return (201, headers, #"{"uploadUrl": "https://api.example/uploads/1"}"#)
            }
            return (200, ["Upload-Offset": "\(800 << 10)", "X-Goog-Upload-Status": "final"], #"{"id": 7}"#)
        }
        var upload = Self.upload(folder, uploadProtocol)
        upload.chunkSize = 320 << 10
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(upload, keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(folder.journals.isEmpty)
    }

    /// An empty URL would be that of the endpoint, to which the file must not be sent.
    @Test(arguments: [UploadProtocol.tus, .sessionURL, .googleUpload, .draft], ["", " "])
    func anEmptyURLOfTheUploadIsAFailure(_ uploadProtocol: UploadProtocol, url: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let count = Recorder<String>()
        let server = Self.server { request in
            count.append(request.method.rawValue)
            return (201, [.location: url, "X-Goog-Upload-URL": url, "X-Goog-Upload-Status": "active"], "")
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, uploadProtocol), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(count.values == ["POST"])
        #expect(folder.journals.isEmpty)
    }

    /// If it were taken for a missing one, the next chunk would begin where the server may have nothing.
    @Test(arguments: ["5, 5", "-1", "x", ""])
    func anUnreadableNumberOfBytesIsAskedFor(number: String) async throws {
        let folder = try UploadFolder(size: 600 << 10)
        let commands = Recorder<String>()
        let server = Self.server { request in
            commands.append(request.headers["X-Goog-Upload-Command"] ?? "")
            return (
                200,
                [
                    "X-Goog-Upload-URL": "/uploads/1", "X-Goog-Upload-Status": "active",
                    "X-Goog-Upload-Size-Received": number,
                ], ""
            )
        }
        var upload = Self.upload(folder, .googleUpload)
        upload.chunkSize = 256 << 10
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(upload) }
        #expect(error?.transportError?.code == .badResponse)
        #expect(commands.values == ["start", "upload", "query"])
    }

    @Test(arguments: ["5, 5", "+5", "-1", "0x10", "", "1.0", "1e3", "99999999999999999999"])
    func anOffsetThatIsNotANumberIsAFailure(offset: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = Self.server { request in
            request.method == .post
                ? (201, [.location: "/uploads/1"], "") : (204, ["Upload-Offset": offset], "")
        }
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.transportError?.code == .badResponse)
    }

    @Test(
        arguments: [
            #"{"nextExpectedRanges": ["-1-"]}"#, #"{"nextExpectedRanges": []}"#, #"{"nextExpectedRanges": "5-"}"#,
            #"{"nextExpectedRanges": [5]}"#, #"{"nextExpectedRanges": ["x-", "5-"]}"#, "[]", "", "null",
            #"{"nextExpectedRanges": ["9999999-"]}"#,
        ])
    func rangesOfGraphThatAreNotRangesAreAFailure(json: String) async throws {
        let folder = try UploadFolder(size: 700 << 10)
        let server = Self.server { request in
            if request.method == .post { return (200, [:], #"{"uploadUrl": "/uploads/1"}"#) }
            return (202, [:], json)
        }
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder, .graph)) }
        #expect(error?.transportError?.code == .badResponse)
    }

    @Test(arguments: [409, 423, 404, 503, 460])
    func statusesWithoutEndAreAFailure(status: Int) async throws {
        let folder = try UploadFolder(size: 2500)
        let count = Recorder<String>()
        let server = Self.server { request in
            count.append(request.method.rawValue)
            switch request.method {
            case .post: return (201, [.location: "/uploads/1"], "")
            case .head: return (200, ["Upload-Offset": "0"], "")
            default: return (status, [.retryAfter: "0"], "")
            }
        }
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.status == status || error?.transportError?.code == .badResponse)
        #expect(count.values.count <= 15)
    }

    /// A 404 after each chunk that the server has received.
    @Test func progressAndForgettingInTurnIsAFailure() async throws {
        let folder = try UploadFolder(size: 9500)
        let faults = (0..<99).flatMap { _ in [UploadServer.Fault.happens {}, .forgets] }
        let server = UploadServer(.tus, faults)
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.status == 404)
        #expect(await server.log.filter { $0 == "create" }.count == 5)
    }

    /// The whole file is sent each time, and the server reports one byte more.
    @Test func oneByteForEachRequestIsProgress() async throws {
        let folder = try UploadFolder(size: 50)
        let server = UploadServer(.tus, Array(repeating: .cut(after: 1), count: 49))
        _ = try await server.upload(Self.upload(folder), attempts: 2)
        #expect(await server.bytes == folder.bytes)
    }

    @Test func aDamagedFirstChunkIsSentAgain() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tusWithFirstChunk, [.status(460)])
        _ = try await server.upload(Self.upload(folder, server.uploadProtocol))
        #expect(await server.bytes == folder.bytes)
    }

    // MARK: - Where the upload is

    @Test(
        arguments: [
            "//evil.example/1", "https://evil.example/1", "https://api.example:444/1", "http://api.example/1",
            "https://files.example:0/1", "https://files.example:99999/1", "https://user:pw@files.example:0/1",
            "http://files.example/1", "https://api.example\\@evil.example/1",
            "https://files.example.evil.example/1", "https://files.example./1", "file:///etc/passwd",
            "ftp://files.example",
            "https://files.example@evil.example/1", "https://%66iles.example/1",
        ])
    func anUploadElsewhereIsRefusedAndNotStored(location: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let hosts = Recorder<String>()
        let server = Self.server { request in
            hosts.append(request.url.absoluteString)
            return (201, [.location: location], "")
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        }
        #expect(error?.requestError != nil || error?.transportError?.code == .badResponse)
        #expect(error?.description.contains("pw@") == false)
        #expect(hosts.values == ["https://api.example/files"])
        #expect(folder.journals.isEmpty)
    }

    @Test(
        arguments: [
            "/uploads/1#part", "https://files.example/1?a=b#part", "/a\u{1}b", "?id=1", "/a b",
            "https://user:pw@files.example/1", "https://user:pw@api.example/1", "/files",
        ])
    func unusualLocationsWork(location: String) async throws {
        let folder = try UploadFolder(size: 1000)
        let requests = Recorder<HTTPRequest>()
        let server = Self.server { request in
            requests.append(request)
            return request.method == .post
                ? (201, [.location: location], "") : (204, ["Upload-Offset": "1000"], "")
        }
        _ = try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        #expect(folder.journals.isEmpty)
        #expect(requests.values.allSatisfy { $0.headers[.authorization] == nil && $0.url.user == nil })
    }

    /// A journal that somebody else has changed does not send the file elsewhere, and does not stay in the way.
    @Test(arguments: ["https://evil.example/1", "https://user:pw@api.example/1", "file:///etc/passwd", "x"])
    func anUploadWhoseStoredURLIsElsewhereStartsOver(location: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let journal = folder.state.appendingPathComponent(try #require(folder.journals.first))
        let text = try String(contentsOf: journal, encoding: .utf8)
        let changed = text.replacingOccurrences(of: "https://api.example/uploads/1", with: location)
        #expect(changed != text)
        try Data(changed.utf8).write(to: journal)
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.requests.allSatisfy { $0.url.host == "api.example" })

        try Data(changed.utf8).write(to: journal)
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.abandonUpload(upload, keptIn: folder.state)
        }
        #expect(error?.requestError != nil)
        #expect(folder.journals.isEmpty)
    }

    @Test func anotherHostGetsNoCredentials() async throws {
        let folder = try UploadFolder(size: 1000)
        let requests = Recorder<HTTPRequest>()
        let server = Self.server { request in
            requests.append(request)
            if request.method == .post { return (200, [:], #"{"uploadUrl": "https://files.example/1?a=b"}"#) }
            return (201, [:], #"{"id": 7}"#)
        }
        let client = server.based(
            at: APIBase("https://staging.example", headers: [.authorization: "Bearer base"], query: ["key": "s3cr3t"]),
            insteadOf: "https://api.example"
        ).adding(headers: ["X-Api-Key": "s3cr3t", "X-Tenant": "7"], query: ["key": "s3cr3t"])
            .authorized(by: Token(), for: "https://api.example", "https://files.example")
        _ = try await client.upload(Self.upload(folder, .graph), keepingStateIn: folder.state)
        let creation = try #require(requests.values.first)
        #expect(creation.url.absoluteString == "https://staging.example/files?key=s3cr3t")
        #expect(creation.headers["X-Api-Key"] == "s3cr3t")
        let foreign = try #require(requests.values.last)
        #expect(foreign.url.absoluteString == "https://files.example/1?a=b")
        #expect(foreign.headers.map(\.name.rawValue).sorted() == ["Content-Range", "Content-Type"])
    }

    @Test func anotherHostOfTusGetsTheHeadersOfTheProtocol() async throws {
        let folder = try UploadFolder(size: 1000)
        let requests = Recorder<HTTPRequest>()
        let server = Self.server { request in
            requests.append(request)
            if request.method == .options { return (204, ["Tus-Checksum-Algorithm": "sha1"], "") }
            if request.method == .post { return (201, [.location: "https://files.example/1"], "") }
            return (204, ["Upload-Offset": "1000"], "")
        }
        let upload = Self.upload(folder, .tus(metadata: [:], checksum: .sha1))
        _ = try await server.adding(headers: ["X-Api-Key": "s3cr3t"]).upload(upload)
        let names = try #require(requests.values.last).headers.map(\.name.rawValue).sorted()
        #expect(names == ["Content-Type", "Tus-Resumable", "Upload-Checksum", "Upload-Offset"])
    }

    // MARK: - The state

    @Test func anIncompleteLineDoesNotSpoilTheJournal() async throws {
        let folder = try UploadFolder(size: 3500)
        let server = UploadServer(.tus, [.happens {}, .status(403), .status(403)])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let journal = folder.state.appendingPathComponent(try #require(folder.journals.first))
        let handle = try FileHandle(forWritingTo: journal)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("1000-20".utf8))
        try handle.close()
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        #expect(try PendingUpload.all(in: folder.state).map(\.bytesReceived) == [1000])
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.filter { $0 == "create" }.count == 1)
    }

    @Test func anUploadThatIsForgottenStartsOverWithASingleAttempt() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        await server.add(.forgets)
        await server.add(.forgets)
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(upload, keepingStateIn: folder.state, attempts: 1)
        }
        #expect(error?.status == 404)
        #expect(await server.log.filter { $0 == "create" }.count == 2)
        #expect(folder.journals.isEmpty)
        _ = try await server.upload(upload, keepingStateIn: folder.state, attempts: 1)
        #expect(await server.bytes == folder.bytes)
        #expect(folder.journals.isEmpty)
    }

    /// The call of a request may be kept by a client or an engine for longer than the upload takes.
    @Test func aCallThatIsKeptDoesNotLockTheState() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let calls = Recorder<Call>()
        let client = server.intercepted { request, call, next in
            calls.append(call)
            return try await next(request)
        }
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) {
            try await client.upload(upload, keepingStateIn: folder.state) { _ in }
        }
        _ = try await client.upload(upload, keepingStateIn: folder.state) { _ in }
        #expect(await server.bytes == folder.bytes)
        #expect(!calls.values.isEmpty)
    }

    /// In place of the journal is something else.
    @Test(arguments: ["folder", "pipe", "link", "hard link", "binary"])
    func somethingInPlaceOfTheJournalIsReplacedOrAnError(kind: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.status(403)])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let journal = folder.state.appendingPathComponent(try #require(folder.journals.first))
        let victim = folder.url.appendingPathComponent("victim")
        try Data("keep".utf8).write(to: victim)
        try FileManager.default.removeItem(at: journal)
        switch kind {
        case "folder": try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: false)
        case "pipe": #expect(mkfifo(journal.path, 0o600) == 0)
        case "link": try FileManager.default.createSymbolicLink(at: journal, withDestinationURL: victim)
        case "hard link": try FileManager.default.linkItem(at: victim, to: journal)
        default: try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: journal)
        }
        #expect(try PendingUpload.all(in: folder.state).isEmpty)
        let result = await Task { try await server.upload(upload, keepingStateIn: folder.state) }.result
        if kind == "folder" {
            guard case .failure(let error as APIError<Data>) = result else {
                Issue.record("a folder was accepted")
                return
            }
            #expect(error.transportError?.code == .fileFailed)
        } else {
            _ = try result.get()
            #expect(await server.bytes == folder.bytes)
        }
        #expect(try Data(contentsOf: victim) == Data("keep".utf8))
    }

    @Test func aFolderThatCannotBeCreatedIsAnError() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus)
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), keepingStateIn: folder.file.appendingPathComponent("state"))
        }
        #expect(error?.transportError?.code == .fileFailed)
        #expect(await server.log.isEmpty)
    }

    @Test func manyUploadsShareAFolder() async throws {
        let folder = try UploadFolder(size: 2500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                let file = folder.url.appendingPathComponent("\(index)")
                try folder.bytes.write(to: file)
                var upload = Self.upload(folder)
                upload.file = file
                group.addTask { [upload] in
                    let server = UploadServer(.tus, [.cut(after: index * 7)])
                    _ = try await server.upload(upload, keepingStateIn: folder.state)
                    #expect(await server.bytes == folder.bytes)
                }
            }
            try await group.waitForAll()
        }
        #expect(folder.journals.isEmpty)
    }

    /// Cancels at a request of any number, before it or instead of its response, and continues.
    @Test func cancelsAtAnyRequestLoseNothing() async throws {
        for round in 0..<60 {
            let folder = try UploadFolder(size: 4500)
            let server = UploadServer(.tus)
            let upload = Self.upload(folder)
            for number in 0..<3 {
                let requests = Recorder<Int>()
                let isBefore = (round + number) % 2 == 0
                let client = server.intercepted { request, _, next in
                    let isLast = requests.values.count == (round / 2 + number) % 5
                    requests.append(0)
                    if isLast, isBefore { withUnsafeCurrentTask { $0?.cancel() } }
                    let response = try await next(request)
                    if isLast { withUnsafeCurrentTask { $0?.cancel() } }
                    return response
                }
                _ = await Task { try await client.upload(upload, keepingStateIn: folder.state) { _ in } }.result
            }
            _ = try await server.upload(upload, keepingStateIn: folder.state)
            #expect(await server.bytes == folder.bytes)
            #expect(folder.journals.isEmpty)
            #expect(Self.openFiles(in: folder).isEmpty)
        }
    }

    /// The files of a folder that this process has open, on Linux.
    private static func openFiles(in folder: UploadFolder) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let files = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        return files.filter { $0.contains(folder.url.lastPathComponent) }
    }

    /// The server has restarted, and given the URL to another upload.
    @Test(arguments: [UploadServer.Kind.tus, .draft])
    func aFileIsNotSentToAnUploadOfAnotherLength(_ kind: UploadServer.Kind) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(kind, [.happens {}, .lostResponse])
        let client = server.intercepted { request, _, next in
            var response = try await next(request)
            let isOther = request.method == .head && request.url.path == "/uploads/1"
            if isOther { response.head.headers["Upload-Length"] = "7000" }
            return response
        }
        _ = try await client.upload(Self.upload(folder, server.uploadProtocol), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.filter { $0 == "create" }.count == 2)
    }

    // MARK: - The file

    @Test(arguments: ["a\nb", "😀", "a%41", "a?b#c", "~", "\"", "a\\b", "..."])
    func namesOfFilesAreArbitrary(name: String) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus, [.happens {}, .status(403)])
        var upload = Self.upload(folder)
        upload.file = folder.url.appendingPathComponent(name)
        try folder.bytes.write(to: upload.file)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        let pending = try #require(try PendingUpload.all(in: folder.state).first)
        upload.file = pending.file
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.filter { $0 == "create" }.count == 1)
    }

    @Test func aDeviceAndAPipeAreInvalidRequests() async throws {
        let folder = try UploadFolder(size: 1)
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for path in ["/dev/zero", "/dev/null", pipe.path] {
            var upload = Self.upload(folder)
            upload.file = URL(fileURLWithPath: path)
            let error = await #expect(throws: APIError<Data>.self) { try await UploadServer(.tus).upload(upload) }
            #expect(error?.requestError?.code == .body)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1, 7, .max])
    func chunkSizesAreArbitrary(size: Int) async throws {
        let folder = try UploadFolder(size: 20)
        let server = UploadServer(.tus)
        var upload = Self.upload(folder)
        upload.chunkSize = size
        _ = try await server.upload(upload, attempts: .min)
        #expect(await server.bytes == folder.bytes)
    }

    // MARK: - The time and the progress

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func anUploadWithoutTimeTimesOut(limit: Duration) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus)
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), within: limit)
        }
        #expect(error?.transportError?.code == .timedOut)
    }

    /// The body of the request that creates the upload is not part of the file.
    @Test func progressCountsOnlyBytesOfTheFile() async throws {
        let folder = try UploadFolder(size: 300)
        let server = UploadServer(.session)
        let reporting = Recorder<Bool>()
        let client = server.intercepted { request, call, next in
            reporting.append(call.reportsProgress)
            return try await next(request)
        }
        _ = try await client.upload(DescribedUpload(file: folder.file)) { _ in }
        #expect(reporting.values == [false, true])
    }

    @Test func progressOnlyGrowsWhileNothingIsLost() async throws {
        let folder = try UploadFolder(size: 9500)
        let server = UploadServer(.tus, [.happens {}, .cut(after: 300), .status(503), .lostResponse])
        let reports = Recorder<UploadProgress>()
        _ = try await server.upload(Self.upload(folder)) { reports.append($0) }
        let counts = reports.values.map(\.bytesReceived)
        #expect(counts == counts.sorted())
        #expect(reports.values.last == UploadProgress(bytesReceived: 9500, bytesSent: 9500, totalBytes: 9500))
    }

    @Test(.timeLimit(.minutes(1))) func aCancelEndsAProgressClosureThatWaits() async throws {
        let folder = try UploadFolder(size: 2500)
        let server = UploadServer(.tus)
        let upload = Self.upload(folder)
        let task = Task {
            try await server.upload(upload) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                try? await Task.sleep(for: .seconds(3600))
            }
        }
        _ = try await task.value
        #expect(await server.bytes == folder.bytes)
    }

    // MARK: - Failures and responses

    /// As a portal of a network without internet does.
    @Test(arguments: [UploadProtocol.tus, .sessionURL, .googleUpload, .graph, .draft])
    func aServerThatAnswersEverythingWithAPageIsAFailure(_ uploadProtocol: UploadProtocol) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = Self.server { _ in (200, [.contentType: "text/html"], "<html>") }
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder, uploadProtocol), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(folder.journals.isEmpty)
    }

    @Test func theOffsetIsNotTakenFromACache() async throws {
        let folder = try UploadFolder(size: 700 << 10)
        let questions = Recorder<String>()
        let server = UploadServer(.graph, [.cut(after: 0), .cut(after: 1000), .cut(after: 500)])
        let client = server.intercepted { request, _, next in
            var response = try await next(request)
            if request.method == .get { questions.append("GET") }
            response.head.headers["Cache-Control"] = "max-age=600"
            return response
        }
        .cached(in: ResponseCache(bytes: 1 << 20))
        var upload = Self.upload(folder, .graph)
        upload.chunkSize = 320 << 10
        _ = try await client.upload(upload)
        #expect(await server.bytes == folder.bytes)
        #expect(questions.values.count == 3)
    }

    @Test(arguments: [400, 403, 422, 451])
    func aRefusedChunkHasTheEndpointsModel(status: Int) async throws {
        let folder = try UploadFolder(size: 2500)
        let server = Self.server { request in
            request.method == .post
                ? (201, [.location: "/uploads/1"], "") : (status, [.contentType: "application/json"], #"{"why": "no"}"#)
        }
        let error = await #expect(throws: APIError<Refusal>.self) {
            try await server.upload(TypedUpload(file: folder.file))
        }
        guard case .rejected(let refusal, _) = error else {
            Issue.record("the upload failed otherwise: \(String(describing: error))")
            return
        }
        #expect(refusal == Refusal(why: "no"))
    }

    /// An upload can be recorded without its secrets, and replayed.
    @Test func anUploadIsRecordedAndReplayed() async throws {
        let folder = try UploadFolder(size: 257 << 10)
        let server = UploadServer(.session, [.cut(after: 1000)])
        let har = folder.url.appendingPathComponent("upload.har")
        let file = HARFile(har)
        var upload = Self.upload(folder, .sessionURL)
        upload.chunkSize = 256 << 10
        _ = try await server.recording(to: file).upload(upload)
        let text = try String(contentsOf: har, encoding: .utf8)
        #expect(!text.contains("c4pability"))
        let replay = try ReplayClient(file, inOrder: true, clock: ManualClock(skippingSleep: true))
        #expect(try await replay.upload(upload) == FileReply(id: 7))
    }

    @Test func textsDoNotHaveTheTokenInAnUploadOfGraph() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server { request in
            if request.method == .post {
                return (200, [.contentType: "application/json"], #"{"uploadUrl": "/up/1?guid=7&tempauth=s3cr3t"}"#)
            }
            return (400, [:], "")
        }
        let lines = Recorder<String>()
        let har = folder.url.appendingPathComponent("upload.har")
        let client = server.recording(to: HARFile(har)).logged(headers: true, bodies: true) { lines.append($0) }
        let error = await #expect(throws: APIError<Data>.self) {
            try await client.upload(Self.upload(folder, .graph), keepingStateIn: folder.state)
        }
        lines.append("\(String(describing: error)) \(String(reflecting: error)) \(error?.localizedDescription ?? "")")
        lines.append(try String(contentsOf: har, encoding: .utf8))
        let text = lines.values.joined(separator: "\n")
        #expect(text.contains("tempauth"))
        #expect(!text.contains("s3cr3t"))
    }

    @Test func wrappedClientsUploadTheSame() async throws {
        let folder = try UploadFolder(size: 700 << 10)
        for kind in [UploadServer.Kind.session, .google, .graph, .tus] {
            let server = UploadServer(kind, [.cut(after: 1000), .lostResponse])
            let client = server.cached(in: ResponseCache(bytes: 1 << 20)).coalesced().limited(concurrent: 1).retrying()
                .logged(headers: true, bodies: true) { _ in }
            var upload = Self.upload(folder, server.uploadProtocol)
            upload.chunkSize = 320 << 10
            _ = try await client.upload(upload, keepingStateIn: folder.state) { _ in }
            #expect(await server.bytes == folder.bytes)
        }
    }
}

private struct Token: CredentialSource {
    func credential() async throws -> Credential? { .bearer("t0ken") }
    func replacement(for refused: Credential) async throws -> Credential? { nil }
}

/// An upload whose creation has a body, which is longer than the file.
private struct DescribedUpload: ResumableUpload {
    typealias Response = FileReply
    var file: URL
    var uploadProtocol: UploadProtocol { .sessionURL }
    var base: APIBase { "https://api.example" }
    var path: URLPath { "files" }
    var body: RequestBody? { .data(Data(repeating: 32, count: 5000), contentType: .json) }
}

private struct Refusal: JSONResponse, Equatable {
    let why: String
}

private struct TypedUpload: ResumableUpload {
    typealias Response = FileReply
    typealias Failure = Refusal
    var file: URL
    var uploadProtocol: UploadProtocol { .tus }
    var base: APIBase { "https://api.example" }
    var path: URLPath { "files" }
}
