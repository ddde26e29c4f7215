import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct StreamTests {
    private struct Line: JSONAPIResponse {
        let id: Int
    }

    @Test func jsonLinesArrive() async throws {
        var ids: [Int] = []
        for try await line in try await URLSession.api.send(Get("stream/20", as: JSONLines<Line>.self)) {
            ids.append(line.id)
        }
        #expect(ids == Array(0..<20))
    }

    @Test func bytesArriveWhileServerSends() async throws {
        let drip = Get("drip", as: ByteStream.self, parameters: ["numbytes": 5, "duration": 1, "delay": 0])
        let start = ContinuousClock.now
        var times: [Duration] = []
        for try await chunk in try await URLSession.api.send(drip) {
            #expect(chunk.allSatisfy { $0 == UInt8(ascii: "*") })
            times.append(start.duration(to: .now))
        }
        #expect(times.count >= 2)
        #expect(try #require(times.last) - times[0] > .milliseconds(300))
    }

    @Test func compressedStreamIsDecoded() async throws {
        for path in ["gzip", "deflate"] as [URLPath] {
            let lines = try await URLSession.api.send(Get(path, as: TextLines.self))
            let text = try await lines.reduce(into: "") { $0 += $1 }
            #expect(text.hasPrefix("{"))
        }
    }

    @Test func downloadsAndUploadsFile() async throws {
        let file = try await URLSession.api.send(Get("range/100000", as: DownloadedFile.self))
        #expect(file.size == 100_000)
        let data = try Data(contentsOf: file.url)
        #expect(data.prefix(4) == Data("abcd".utf8))
        let body = RequestBody.file(file.url, contentType: "text/plain")
        let echo = try await URLSession.api.send(AnythingInBody(body: body))
        #expect(echo.data == String(decoding: data, as: UTF8.self))
        #expect(echo.header("Content-Length") == "100000")
    }

    @Test func resumesWithRange() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("interop-\(UUID().uuidString)")
        let download = ResumableDownload(to: place)
        defer {  // a remaining file is harmless
            for file in [place, place.appendingPathExtension("download.tag")] {
                try? FileManager.default.removeItem(at: file)
            }
        }
        let whole = try await URLSession.api.send(Get("range/50000"))
        try whole.prefix(20_000).write(to: place.appendingPathExtension("part"))
        let url = HTTPBin.url.appendingPathComponent("range/50000").absoluteString
        let record = Data("\(url)\nrange50000\n50000\n".utf8)
        try record.write(to: place.appendingPathExtension("part.tag"))
        let file = try await URLSession.api.send(Resumed(download: download))
        #expect(file.size == 50_000)
        #expect(try Data(contentsOf: place) == whole)
    }

    private struct Resumed: HTTPBinRequest, ResumableRequest {
        let download: ResumableDownload
        var path: URLPath { "range/50000" }
    }
}
