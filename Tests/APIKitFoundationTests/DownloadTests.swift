import APIKit
import APIKitTestServer
import APIKitTesting
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct DownloadTests {
    @Test func aDownloadGoesOnWhereItBrokeOff() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("downloads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a folder that is left is no failure
        let whole = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let server = try LoopbackServer { request in
            let tag = ("ETag", "\"v1\"")
            guard request.values(of: "If-Range") == ["\"v1\""], let range = request.values(of: "Range").first,
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            else {
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(whole.count)\r\n\r\n"
                return .init(steps: [.send(Data(head.utf8)), .send(whole.prefix(60_000)), .close])
            }
            let span = ("Content-Range", "bytes \(start)-\(whole.count - 1)/\(whole.count)")
            return .status(206, headers: [tag, span], body: whole.dropFirst(start))
        }
        let place = folder.appendingPathComponent("film.bin")
        let request = ResumedRequest(base: APIBase(server.url), download: ResumableDownload(to: place))
        #expect(try await URLSession.api.failure(of: request).transportCode == .connectionLost)
        let file = try await URLSession.api.send(request)
        #expect(file.url == place)
        #expect(try Data(contentsOf: place) == whole)
        #expect(server.requests.last?.values(of: "Range").first?.hasPrefix("bytes=") == true)
        #expect(server.requests.allSatisfy { $0.values(of: "Accept-Encoding") == ["identity"] })
    }

    #if os(Linux)
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
    #endif
}

private struct ResumedRequest: ResumableRequest {
    var base: APIBase
    let download: ResumableDownload
    var path: URLPath { "film" }
}
