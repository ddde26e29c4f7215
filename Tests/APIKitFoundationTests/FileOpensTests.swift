#if os(Linux)
import APIKit
import APIKitTestServer
import APIKitTesting
import Glibc
import TestTraits
import Testing

/// A file that is sent is opened once each time it is sent.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct FileOpensTests {
    /// Counts how often a file is opened.
    private final class OpenCounter {
        private let descriptor: Int32

        init(of file: URL) throws {
            descriptor = inotify_init1(Int32(IN_NONBLOCK))
            // Equal events in a row are reported as one: what is done with the file separates them.
            let mask = UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
            let watch = inotify_add_watch(descriptor, file.path, mask)
            try #require(watch >= 0)
        }

        deinit { close(descriptor) }

        /// How often it was opened since the last call.
        func count() -> Int {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let size = read(descriptor, &buffer, buffer.count)
            guard size > 0 else { return 0 }
            return buffer.withUnsafeBytes { bytes in
                // The events of a watched file have no names, and so one size.
                stride(from: 0, to: size, by: MemoryLayout<inotify_event>.size)
                    .map { bytes.loadUnaligned(fromByteOffset: $0, as: inotify_event.self) }
                    .count { $0.mask & UInt32(IN_OPEN) != 0 }
            }
        }
    }

    enum Kind: CaseIterable, Sendable {
        case file, range, form

        func body(_ file: URL) -> RequestBody {
            switch self {
            case .file: return .file(file)
            case .range: return .file(file, range: 0..<FileOpensTests.size)
            case .form: break
            }
            var form = MultipartForm()
            form.append("Beach", for: "title")
            form.append(FilePart(file, filename: "beach.jpg"), for: "photo")
            return .multipart(form)
        }
    }

    private static let size = 600_000

    /// Runs `work` with a file, and returns how often it was opened.
    private func opens(of kind: Kind, _ work: (RequestBody) async throws -> Void) async throws -> Int {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("opens-\(UUID().uuidString)")
        try Data(count: Self.size).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let counter = try OpenCounter(of: file)
        try await work(kind.body(file))
        return counter.count()
    }

    @Test func countsEachOpen() async throws {
        let opens = try await opens(of: .file) { body in
            for _ in 0..<3 { _ = try Data(contentsOf: #require(body.file)) }
        }
        #expect(opens == 3)
    }

    @Test(arguments: Kind.allCases, [1, 2]) func sentFileIsOpenedOnceForEachHop(kind: Kind, hops: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/first" && hops == 2 ? .status(307, headers: [("Location", "/second")]) : .status(204)
        }
        let opens = try await opens(of: kind) { body in
            _ = try await URLSession.api.send(Upload(base: APIBase(server.url), body: body))
        }
        #expect(opens == hops)
        #expect(server.requests.count == hops)
        #expect(Set(server.requests.map(\.body)).count == 1)
        #expect(server.requests.allSatisfy { $0.bodyLength >= Self.size })
    }
}
#endif
