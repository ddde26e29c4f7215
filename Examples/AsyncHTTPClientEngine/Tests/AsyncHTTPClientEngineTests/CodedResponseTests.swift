import APIKitCore
import APIKitTestServer
import CZlib
import Foundation
import NIOCore
import Testing

@testable import AsyncHTTPClientEngine

extension AsyncHTTPClientEngineTests {
    /// Responses in gzip and deflate; what every engine does with them is checked by the conformance suite.
    @Suite struct CodedResponses {
        let engine = AsyncHTTPClientEngine(configuration: .test)

        private static let gzip = "H4sIAAAAAAACA8tIzcnJ11HIwKQAVaOCdxoAAAA="
        private static let text = Data("hello, hello, hello, hello".utf8)
        /// "hello, hello, ".
        private static let member = "H4sIAAAAAAACA8tIzcnJ11HIgFAAGGGsOw4AAAA="

        private func server(_ coding: String, _ body: Data) throws -> LoopbackServer {
            try LoopbackServer { _ in .status(200, headers: [("Content-Encoding", coding)], body: body) }
        }

        @Test func readsEveryMember() async throws {
            let member = try #require(Data(base64Encoded: Self.member))
            let server = try server("gzip", member + member + member)
            let response = try await engine.perform(HTTPRequest(url: server.url))
            #expect(response.body.data == Data(String(repeating: "hello, ", count: 6).utf8))
        }

        @Test(arguments: ["garbage", "\u{1f}", "\0", "\u{1f}\u{0b}"]) func refusesBytesBehindTheBody(garbage: String)
            async throws
        {
            let gzip = try #require(Data(base64Encoded: Self.gzip))
            try await expectBadResponse(gzip + Data(garbage.utf8))
        }

        @Test func refusesABodyThatEndsEarly() async throws {
            let gzip = try #require(Data(base64Encoded: Self.gzip))
            for count in 1..<gzip.count { try await expectBadResponse(gzip.prefix(count)) }
            var corrupt = gzip
            corrupt[corrupt.count - 6] ^= 1  // in the checksum
            try await expectBadResponse(corrupt)
        }

        private func expectBadResponse(_ body: Data) async throws {
            let server = try server("gzip", body)
            for delivery in [ResponseBody.Delivery.data, .stream, .file] {
                let error = await #expect(throws: TransportError.self) {
                    let request = HTTPRequest(url: server.url, delivery: delivery)
                    return try await engine.perform(request).body.bytes.data(upTo: .max)
                }
                #expect(error?.code == .badResponse)
            }
        }

        // MARK: - Bombs

        /// As many MiB of zeros as `size` says, in gzip without an end.
        private func bomb(_ size: Int) throws -> LoopbackServer {
            let block = Deflated.mebibyteOfZeros
            let gzipHead = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
            return try LoopbackServer { request in
                guard request.path == "/bomb" else { return .text("small") }
                let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
                return .init(steps: [.send(head + gzipHead), .sendRepeatedly(block, times: size), .close])
            }
        }

        @Test func aBombMeetsTheLimitBeforeItFillsMemory() async throws {
            let server = try bomb(1 << 10)
            resetPeak()
            let memory = residentBytes()
            let options = RequestOptions(sizeLimit: 4 << 20)
            let request = HTTPRequest(url: server.url.appending(path: "bomb"), options: options)
            let error = await #expect(throws: TransportError.self) { try await engine.perform(request) }
            #expect(error?.code == .bodyTooLarge)
            #expect(peakBytes() - memory < 32 << 20)
        }

        @Test func aBombWaitsForTheReaderOfAStream() async throws {
            let server = try bomb(1 << 10)
            resetPeak()
            let memory = residentBytes()
            let options = RequestOptions(sizeLimit: 4 << 20)
            let request = HTTPRequest(url: server.url.appending(path: "bomb"), options: options, delivery: .stream)
            var pieces = try await engine.perform(request).body.bytes.makeAsyncIterator()
            var count = 0
            while count < 16 << 20 {
                count += try #require(try await pieces.next()).count
                _ = try await engine.perform(HTTPRequest(url: server.url))
            }
            #expect(peakBytes() - memory < 32 << 20)
        }

        /// Has the system count the peak anew.
        private func resetPeak() {
            try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"), options: [])
        }

        /// The most that the process had in memory; 0 if the system does not report it.
        private func peakBytes() -> Int {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 << 10 } ?? 0
        }
    }
}

private enum Deflated {
    /// Blocks of deflate that may stand anywhere, and be repeated.
    static let mebibyteOfZeros: Data = {
        var stream = z_stream()
        var zeros = [UInt8](repeating: 0, count: 1 << 20)
        var output = [UInt8](repeating: 0, count: 1 << 16)
        let size = Int32(MemoryLayout<z_stream>.size)
        deflateInit2_(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        let count = zeros.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, Z_FULL_FLUSH)
                return output.count - Int(stream.avail_out)
            }
        }
        deflateEnd(&stream)
        return Data(output[..<count])
    }()
}
