import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let uploads: [EngineCheck] = [
        EngineCheck("a stream is sent completely each time, with a Content-Length if its length is known") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            for length in [300_000, nil] as [Int?] {
                let body = RequestBody.stream(length: length, contentType: "a/b") {
                    ByteStream([bytes(1), bytes(300_000).dropFirst(1)].map { Data($0) })
                }
                for _ in 0..<2 {
                    try await send(body, engine, server)
                    try expectComplete(server, bytes(300_000), hasLength: length != nil)
                }
            }
        },
        EngineCheck("a form with a file and a stream is sent completely, with a Content-Length") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            let file = try file(bytes(200_000))
            var form = MultipartForm(boundary: "b")
            form.append("Beach", for: "title")
            form.append(FilePart(file.url, filename: "beach.jpg"), for: "photo")
            form.append(
                FilePart(.stream(length: 5, contentType: nil) { ByteStream([bytes(5)]) }, filename: "x"), for: "raw")
            var inMemory = MultipartForm(boundary: "b")
            inMemory.append("Beach", for: "title")
            inMemory.append(FilePart(bytes(200_000), filename: "beach.jpg"), for: "photo")
            inMemory.append(FilePart(bytes(5), filename: "x"), for: "raw")
            try await send(.multipart(form), engine, server)
            try expectComplete(server, try #require(RequestBody.multipart(inMemory).data))
        },
        EngineCheck("a body that cannot be read to its end fails as requestBodyFailed, unsent") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            struct Broken: Error {}
            let bodies: [RequestBody] = [
                .stream(length: 6, contentType: nil) { ByteStream([bytes(5)]) },
                .stream(length: 4, contentType: nil) { ByteStream([bytes(5)]) },
                .stream(length: nil, contentType: nil) { AsyncThrowingStream { $0.finish(throwing: Broken()) } },
                .stream(length: 5, contentType: nil) { () -> ByteStream in throw Broken() },
            ]
            for body in bodies {
                await engine.expectFailure(.requestBodyFailed, "/", on: server, method: .post, body: body)
            }
            #expect(server.requests.isEmpty)
        },
        EngineCheck("after a kept connection breaks, a body is sent again from its start, or is lost") { engine in
            let file = try file(bytes(3_000_000))
            let stream = RequestBody.stream(length: nil, contentType: nil) { ByteStream([bytes(3_000_000)]) }
            let longerFile = try EngineCheck.file(bytes(3_000_000) + bytes(10))
            let bodies: [RequestBody] = [
                .data(bytes(3_000_000), contentType: nil), .file(file.url),
                .file(longerFile.url, range: 0..<3_000_000), stream,
            ]
            for body in bodies {
                let paths = Locked<Set<String>>([])
                let server = try LoopbackServer { request in
                    // The first request for a path gets a response; later ones break the connection.
                    paths.withLock { $0.insert(request.path).inserted } ? .status(204) : .init(steps: [.reset])
                }
                for path in ["/1", "/1", "/2"] {
                    let options = RequestOptions(timeout: .seconds(10))
                    do {
                        _ = try await engine.perform(path, on: server, method: .put, body: body, options: options)
                    } catch let error as TransportError {
                        #expect(error.code == .connectionLost)
                    }
                }
                #expect(server.requests.allSatisfy { $0.body == bytes(3_000_000) })
            }
        },
        EngineCheck("a response that arrives before the body is sent is returned, and so is the next one") { engine in
            let answers = [413: ["", "no"], 200: ["ok"]].flatMap { status, texts in
                texts.map { (status, "HTTP/1.1 \(status) X\r\nContent-Length: \($0.count)\r\n\r\n\($0)") }
            }
            for (status, answer) in answers {
                let server = try LoopbackServer(answeringEarly: { $0.method == "PUT" ? Data(answer.utf8) : nil }) {
                    $0.method == "PUT" ? .init(steps: []) : .text("next")
                }
                let body = RequestBody.stream(length: nil, contentType: nil) {
                    ByteStream([bytes(1 << 20), bytes(1 << 20)])
                }
                for _ in 0..<70 {
                    let response = try await engine.perform("/", on: server, method: .put, body: body)
                    #expect(response.head.status == status)
                }
                #expect(try await engine.perform("/", on: server).text == "next")
            }
        },
        EngineCheck("a file's upload can be cancelled midway, a hundred times") { engine in
            guard !engine.quirks.contains(.deliversDataAlone) else { return }  // its progress reports the end only
            let file = try file(Data(count: 8 << 20))
            let server = try LoopbackServer { _ in .status(204) }
            for _ in 0..<100 {
                let (reports, report) = AsyncStream.makeStream(of: Int.self)
                let task = Task {
                    defer { report.finish() }
                    return try await engine.perform("/", on: server, method: .put, body: .file(file.url)) {
                        report.yield($0.bytesSent)
                    }
                }
                for await count in reports where count > 0 { break }
                task.cancel()
                _ = await task.result
            }
            await server.waitUntilIdle()
        },
        EngineCheck("a file that changes while it is sent keeps its length, or fails as requestBodyFailed") { engine in
            let length = (16 << 20) + 100  // not a multiple of a buffer's size
            for grows in [true, false] {
                let file = try file(Data(count: length))
                let server = try LoopbackServer { request in .text("\(request.body.count)") }
                let handle = try FileHandle(forUpdating: file.url)
                let isFirst = Locked<Bool?>(true)
                do {
                    let response = try await engine.perform("/", on: server, method: .put, body: .file(file.url)) {
                        report in
                        guard report.bytesSent > 0, isFirst.withLock({ $0.take() }) == true else { return }
                        if grows {
                            _ = try? handle.seekToEnd()
                            try? handle.write(contentsOf: Data("DELETE / HTTP/1.1\r\n\r\n".utf8))
                        } else {
                            try? handle.truncate(atOffset: 0)
                        }
                    }
                    #expect(response.text == "\(length)")
                } catch let error as TransportError {
                    #expect(error.code == .requestBodyFailed)
                    #expect(!grows)
                }
                // After everything else on the connection.
                _ = try await engine.perform("/", on: server)
                #expect(server.requests.allSatisfy { $0.method == "GET" || $0.body.count == length })
                try handle.close()
            }
        },
        EngineCheck("temporary files for a body are removed after a failure and a cancel") { engine in
            let body = RequestBody.stream(length: nil, contentType: nil) { ByteStream([bytes(100_000)]) }
            let server = try LoopbackServer { request in
                request.path == "/reset" ? .init(steps: [.reset]) : .init(steps: [.waitForClient])
            }
            _ = await engine.failureCode { try await engine.perform("/reset", on: server, method: .put, body: body) }
            let task = Task { try await engine.perform("/", on: server, method: .put, body: body) }
            await server.waitForRequests(2)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await server.waitUntilIdle()
            await expectNoTemporaryFiles()
        },
    ]

    /// Bytes of a pattern that repeats, with a period that no buffer has.
    static func bytes(_ count: Int) -> Data {
        var bytes = Data(capacity: count)
        while bytes.count < count { bytes += pattern.prefix(count - bytes.count) }
        return bytes
    }

    /// A file with these bytes.
    static func file(_ bytes: Data) throws -> TemporaryFile {
        let file = try TemporaryFile()
        try file.write(bytes)
        return file
    }

    private static let pattern = Data((0..<10_007).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    private static func send(_ body: RequestBody, _ engine: Engine, _ server: LoopbackServer) async throws {
        let headers: HTTPHeaders = [.contentType: "a/b"]
        _ = try await engine.perform("/", on: server, method: .put, headers: headers, body: body)
    }

    private static func expectComplete(_ server: LoopbackServer, _ bytes: Data, hasLength: Bool = true) throws {
        let request = try #require(server.requests.last)
        #expect(request.body == bytes)
        guard hasLength else { return }
        #expect(request.values(of: "Content-Length") == ["\(bytes.count)"])
        #expect(request.values(of: "Transfer-Encoding") == [])
    }
}

/// Expects that no temporary file of this process remains.
///
/// It waits for that, since other tests create such files too, and their last references may be released late.
func expectNoTemporaryFiles() async {
    var files = temporaryFiles()
    let start = ContinuousClock.now
    while !files.isEmpty, start.duration(to: .now) < .seconds(300) {
        await Task.yield()
        files = temporaryFiles()
    }
    #expect(files == [])
}

private func temporaryFiles() -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
    return (names ?? []).filter { $0.hasPrefix("apikit-\(ProcessInfo.processInfo.processIdentifier)-") }
}
