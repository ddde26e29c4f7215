import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let codings: [EngineCheck] = [
        EngineCheck("a gzip or deflate body is decoded, as data, as a stream and as a file") { engine in
            for (coding, body) in decodable {
                let server = try server(coding, body)
                for delivery in deliveries(of: engine) {
                    let response = try await engine.perform("/", on: server, delivery: delivery)
                    let data = try await response.body.bytes.data(upTo: .max)
                    #expect(String(decoding: data, as: UTF8.self) == decodedText, "\(coding)")
                }
            }
        },
        EngineCheck("a body with another coding, or with several, is decoded or fails as badResponse") { engine in
            for (coding, body) in otherCodings {
                let server = try server(coding, body)
                for delivery in deliveries(of: engine) {
                    await expectDecoded("\(coding) as \(delivery)") {
                        try await engine.perform("/", on: server, delivery: delivery).body.bytes.data(upTo: .max)
                    }
                }
            }
        },
        EngineCheck("an encoded body is complete however it is chunked") { engine in
            for (coding, body) in decodable where coding != "identity" {
                let bytes = try #require(Data(base64Encoded: body))
                let server = try LoopbackServer { _ in
                    .chunked(bytes.map { Data([$0]) }, headers: [("Content-Encoding", coding)])
                }
                #expect(try await engine.perform("/", on: server).text == decodedText, "\(coding)")
            }
        },
        failures(
            "a body that does not match its Content-Encoding fails as badResponse", .badResponse,
            [("gzip", "plain text"), ("deflate", "\u{7}plain text")].map { coding, text in
                .status(200, headers: [("Content-Encoding", coding)], body: Data(text.utf8))
            }),
        EngineCheck("progress has the total of a body whose coding is identity") { engine in
            guard !engine.quirks.contains(.deliversDataAlone) else { return }
            let server = try server("identity", "aGVsbG8=")
            let reports = try await reports { _ = try await engine.perform("/", on: server, progress: $0) }
            #expect(Set(reports.map(\.totalBytesToReceive)).subtracting([nil, 0]) == [5])
        },
    ]

    static let decodedText = "hello, hello, hello, hello"
    static let gzipped = "H4sIAAAAAAACA8tIzcnJ11HIwKQAVaOCdxoAAAA="

    /// The text in the codings that every engine decodes, as Base64.
    private static let decodable: [(String, String)] = [
        ("identity", "aGVsbG8sIGhlbGxvLCBoZWxsbywgaGVsbG8="),
        ("gzip", gzipped), ("GZip", gzipped), ("x-gzip", gzipped), ("deflate", "eJzLSM3JyddRyMCkAHwWCTU="),
    ]

    /// The text (only `hello` in Brotli) in codings that an engine may not support, as Base64.
    private static let otherCodings: [(String, String)] = [
        ("deflate", "y0jNycnXUcjApAA="),  // without the header of zlib, as some servers send it
        ("gzip, gzip", "H4sIAAAAAAACA5Pv5mAAASbm0x5nT568HnjiwBKG0MVN5VJAQQDZyEb7HQAAAA=="),
        ("identity, gzip", gzipped), ("unknown", gzipped),
        ("br", "CwKAaGVsbG8D"), ("zstd", "KLUv/QRYbQAAOGhlbGxvLCABAEqKEY+ZUzc="), ("compress", "H52QaMqwYfMmSBg3IEA="),
    ]

    private static func server(_ coding: String, _ body: String) throws -> LoopbackServer {
        let bytes = try #require(Data(base64Encoded: body))
        return try LoopbackServer { _ in .status(200, headers: [("Content-Encoding", coding)], body: bytes) }
    }

    static func deliveries(of engine: Engine) -> [ResponseBody.Delivery] {
        engine.quirks.contains(.deliversDataAlone) ? [.data] : [.data, .stream, .file]
    }

    private static func expectDecoded(_ what: String, _ body: () async throws -> Data) async {
        do {
            let text = String(decoding: try await body(), as: UTF8.self)
            #expect([decodedText, "hello"].contains(text), "\(what)")
        } catch let error as TransportError {
            #expect(error.code == .badResponse, "\(what): \(error)")
        } catch { Issue.record("\(what): \(error)") }
    }
}
