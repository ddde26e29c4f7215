import APIKit
import APIKitSupport
import APIKitTestServer
import TestTraits
import Testing

@testable import APIKitCore

/// Ranges of files, as the platform's engine sends them.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct FileRangeUploadTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("range-\(UUID().uuidString)")
    private static let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// Runs a test with a file that was last changed long ago.
    private func withFile(_ bytes: Data = Self.bytes, _ test: () async throws -> Void) async throws {
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let longAgo = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: file.path)
        try await test()
    }

    private func upload(_ range: Range<Int>, to server: LoopbackServer, version: FileVersion? = nil) -> Upload {
        var body = RequestBody.file(file, range: range)
        if let version { body = .file(file, range: range, version: version, contentType: nil) }
        return Upload(base: APIBase(server.url), body: body)
    }

    @Test(arguments: [0..<0, 0..<1, 1..<300_000, 1_000_000..<3_000_000])
    func sendsRange(range: Range<Int>) async throws {
        try await withFile {
            let server = try LoopbackServer { _ in .status(204) }
            _ = try await URLSession.api.send(upload(range, to: server))
            _ = try await URLSession.api.send(upload(range, to: server, version: FileVersion.of(file)))
            #expect(server.requests.map(\.body) == Array(repeating: Self.bytes[range], count: 2))
            #expect(server.requests.allSatisfy { $0.values(of: "Content-Length") == ["\(range.count)"] })
        }
    }

    @Test func sendsRangeAgainAfterRedirect() async throws {
        try await withFile {
            let server = try LoopbackServer { request in
                request.path == "/first" ? .status(307, headers: [("Location", "/second")]) : .status(204)
            }
            _ = try await URLSession.api.send(upload(10..<2_000_010, to: server))
            #expect(server.requests.map(\.path) == ["/first", "/second"])
            #expect(server.requests.map(\.body) == Array(repeating: Self.bytes[10..<2_000_010], count: 2))
        }
    }

    private struct RenewedToken: CredentialSource {
        func credential() async throws -> Credential? { .bearer("old") }
        func replacement(for refused: Credential) async throws -> Credential? { .bearer("new") }
    }

    @Test func sendsRangeAgainWithRenewedToken() async throws {
        try await withFile {
            let server = try LoopbackServer { request in
                request.values(of: "Authorization") == ["Bearer new"] ? .status(204) : .status(401)
            }
            let client = URLSession.api.authorized(by: RenewedToken(), for: APIBase(server.url))
            _ = try await client.send(upload(10..<2_000_010, to: server, version: FileVersion.of(file)))
            #expect(server.requests.map(\.body) == Array(repeating: Self.bytes[10..<2_000_010], count: 2))
        }
    }

    @Test func rangeBeyondEndIsNotSent() async throws {
        try await withFile(Data("abc".utf8)) {
            let server = try LoopbackServer { _ in .status(204) }
            let error = try await #require(throws: APIError<ServerError>.self) {
                try await URLSession.api.send(upload(2..<10, to: server))
            }
            let message = error.requestError?.message ?? ""
            #expect(message.contains("has 3 bytes") && message.contains("the 10"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test func fileThatChangesWhileSentEndsUpload() async throws {
        let size = 16 << 20
        try await withFile(Data(count: size)) {
            let server = try LoopbackServer { _ in .status(204) }
            let handle = try FileHandle(forUpdating: file)
            let isUnchanged = Locked<Bool?>(true)
            let request = upload(0..<size, to: server, version: try FileVersion.of(file))
            let error = try await #require(throws: APIError<ServerError>.self) {
                try await URLSession.api.send(
                    request,
                    progress: .anywhere { report in
                        guard report.bytesSent > 0, isUnchanged.withLock({ $0.take() }) == true else { return }
                        // Its last byte; the size stays the same.
                        _ = try? handle.seek(toOffset: UInt64(size - 1))
                        try? handle.write(contentsOf: Data([1]))
                    })
            }
            #expect(error.transportError?.code == .requestBodyFailed)
            #expect("\(error)".contains("has changed since its upload began"))
            #expect(server.requests.isEmpty)
        }
    }

    // 5 GiB are more than 32 bits can count.
    @Test func sendsEndOfLargeFile() async throws {
        try await withFile(Data()) {
            let size = 5 << 30
            let handle = try FileHandle(forUpdating: file)
            try handle.seek(toOffset: UInt64(size - 3))
            try handle.write(contentsOf: Data("end".utf8))
            try handle.close()
            let server = try LoopbackServer { _ in .status(204) }
            _ = try await URLSession.api.send(upload((size - 5)..<size, to: server))
            #expect(server.requests.map(\.body) == [Data("\0\0end".utf8)])
        }
    }
}
