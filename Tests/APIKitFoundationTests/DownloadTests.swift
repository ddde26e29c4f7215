import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

@Suite(.timeLimit(.minutes(1))) final class DownloadTests {
    private let folder: URL
    private var place: URL { folder.appendingPathComponent("film.bin") }
    private let whole = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A folder that is left is no failure.
    deinit { try? FileManager.default.removeItem(at: folder) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func aDownloadGoesOnWhereItBrokeOff() async throws {
        let server = try LoopbackServer { [whole] request in
            let headers = [("ETag", "\"v1\"")]
            guard request.values(of: "If-Range") == ["\"v1\""], let range = request.values(of: "Range").first,
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            else {
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(whole.count)\r\n\r\n"
                return .init(steps: [.send(Data(head.utf8)), .send(whole.prefix(60_000)), .close])
            }
            let span = ("Content-Range", "bytes \(start)-\(whole.count - 1)/\(whole.count)")
            return .status(206, headers: headers + [span], body: whole.dropFirst(start))
        }
        let request = ResumedRequest(base: APIBase(server.url), download: ResumableDownload(to: place))
        #expect(try await URLSession.api.failure(of: request).transportCode == .connectionLost)
        #expect(try names == ["film.bin.part", "film.bin.part.tag"])
        let file = try await URLSession.api.send(request)
        #expect(file.url == place)
        #expect(try Data(contentsOf: place) == whole)
        #expect(try names == ["film.bin", "film.bin.download.tag"])
        #expect(server.requests.last?.values(of: "Range").first?.hasPrefix("bytes=") == true)
        #expect(server.requests.allSatisfy { $0.values(of: "Accept-Encoding") == ["identity"] })
    }

    @Test func manyFilesKeepNothingOpen() async throws {
        let server = try LoopbackServer { _ in .text("film") }
        var files: [DownloadedFile] = []
        for _ in 0..<50 {
            files.append(try await URLSession.api.send(Probe<DownloadedFile>(base: APIBase(server.url))))
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { descriptor in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }
        #expect(files.allSatisfy { file in !open.contains(file.url.path) })
    }

    @Test func progressOfAStreamGoesOnAfterTheCompletion() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none".utf8)
            return .init(steps: [.send(head), .waitFor(gate), .send(Data("two".utf8))])
        }
        let (counts, count) = AsyncStream.makeStream(of: Int.self)
        let task = URLSession.api.start(Probe<ByteStream>(base: APIBase(server.url))) { result in
            gate.open()
            Task {
                let data = try await result.get().data(upTo: 6)
                #expect(data.count == 6)
            }
        } progress: {
            count.yield($0.bytesReceived)
        }
        for await count in counts where count == 6 { break }
        await task.value
    }
}

private struct ResumedRequest: ResumableRequest {
    var base: APIBase
    let download: ResumableDownload
    var path: URLPath { "film" }
}
