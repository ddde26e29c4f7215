import APIKit
import Testing

/// Bodies that are compressed, in lines, or resumed.
@Suite(.httpbin, .timeLimit(.minutes(10))) struct StreamTests {
    private struct Line: JSONResponse { let id: Int }

    private struct Compressed: JSONResponse {
        let gzipped: Bool?
        let deflated: Bool?
        let brotli: Bool?
        let method: String
    }

    @Test func jsonLinesArrive() async throws {
        let lines = try await URLSession.api.send(Get("stream/20", as: JSONLines<Line>.self))
        #expect(try await lines.reduce(into: []) { $0.append($1.id) } == Array(0..<20))
    }

    @Test(arguments: ["gzip", "deflate", "brotli"])
    func compressedBodyIsDecoded(coding: String) async throws {
        let model = try await URLSession.api.send(Get("\(coding)", as: Compressed.self))
        #expect([model.gzipped, model.deflated, model.brotli].contains(true))
        #expect(model.method == "GET")
        guard coding != "brotli" else { return }
        let lines = try await URLSession.api.send(Get("\(coding)", as: TextLines.self))
        #expect(try await lines.reduce(into: "") { $0 += $1 }.hasPrefix("{"))
    }

    @Test func resumesWithRange() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("interop-\(UUID().uuidString)")
        defer {  // a remaining file is harmless
            for file in [place, place.appendingPathExtension("download.tag")] {
                try? FileManager.default.removeItem(at: file)
            }
        }
        let whole = try await URLSession.api.send(Get("range/50000"))
        try whole.prefix(20_000).write(to: place.appendingPathExtension("part"))
        let record = "\(HTTPBin.url.appendingPathComponent("range/50000").absoluteString)\nrange50000\n50000\n"
        try Data(record.utf8).write(to: place.appendingPathExtension("part.tag"))
        let file = try await URLSession.api.send(Resumed(download: ResumableDownload(to: place)))
        #expect(file.size == 50_000)
        #expect(try Data(contentsOf: place) == whole)
    }

    private struct Resumed: HTTPBinRequest, ResumableRequest {
        let download: ResumableDownload
        var path: URLPath { "range/50000" }
    }
}
