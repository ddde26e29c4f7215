import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let progress: [EngineCheck] = [
        EngineCheck("download progress grows to its total, which is known from the head") { engine in
            let server = try LoopbackServer { _ in .status(200, body: bytes(1_000_000)) }
            for delivery in [.data, .file, .stream] as [ResponseBody.Delivery] {
                if delivery != .data, engine.quirks.contains(.deliversDataAlone) { continue }
                let reports = try await reports { report in
                    let response = try await engine.perform("/", on: server, delivery: delivery, progress: report)
                    _ = try await response.body.bytes.data(upTo: .max)
                }
                expectGrowth(reports.map(\.bytesReceived), to: 1_000_000)
                #expect(reports.allSatisfy { $0.bytesReceived == 0 || $0.totalBytesToReceive == 1_000_000 })
                #expect(reports.last?.fractionReceived == 1)
            }
        },
        EngineCheck("upload progress grows to its total, which is exact") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            let file = try file(bytes(2_000_000))
            var form = MultipartForm()
            form.append(FilePart(file.url), for: "f")
            let stream = RequestBody.stream(length: 5, contentType: nil) { ByteStream([bytes(5)]) }
            let bodies: [RequestBody] = [
                .data(bytes(2_000_000), contentType: nil), .file(file.url), .multipart(form), stream,
            ]
            for body in bodies {
                let reports = try await reports {
                    _ = try await engine.perform("/", on: server, method: .put, body: body, progress: $0)
                }
                let total = try #require(body.length)
                #expect(reports.allSatisfy { $0.totalBytesToSend == total })
                expectGrowth(reports.map(\.bytesSent), to: total)
            }
        },
        EngineCheck("the total of a chunked or compressed body is unknown before its end") { engine in
            let compressed = try #require(Data(base64Encoded: gzipped))
            let server = try LoopbackServer { request in
                guard request.path == "/gzip" else { return .chunked([bytes(1000), bytes(500)]) }
                return .status(200, headers: [("Content-Encoding", "gzip")], body: compressed)
            }
            for (target, count) in [("/gzip", decodedText.count), ("/chunks", 1500)] {
                let reports = try await reports { _ = try await engine.perform(target, on: server, progress: $0) }
                expectGrowth(reports.map(\.bytesReceived), to: count)
                #expect(reports.allSatisfy { $0.fractionReceived ?? 0 <= 1 })
                #expect(reports.dropLast().allSatisfy { [nil, count].contains($0.totalBytesToReceive) })
                #expect(reports.last?.totalBytesToReceive == count)
            }
        },
        EngineCheck("an exchange without bodies ends at 100 percent in both directions") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            let reports = try await reports { _ = try await engine.perform("/", on: server, progress: $0) }
            #expect(reports.last?.fractionSent == 1)
            #expect(reports.last?.fractionReceived == 1)
        },
    ]

    /// The progress that is reported until a transfer has ended.
    static func reports(
        _ transfer: (@escaping @Sendable (TransferProgress) -> Void) async throws -> Void
    ) async throws -> [TransferProgress] {
        let (reports, report) = AsyncStream.makeStream(of: TransferProgress.self)
        try await transfer { report.yield($0) }
        report.finish()
        return await reports.reduce(into: []) { $0.append($1) }
    }

    private static func expectGrowth(_ counts: [Int], to total: Int) {
        #expect(counts == counts.sorted())
        #expect(counts.last == total)
    }
}
