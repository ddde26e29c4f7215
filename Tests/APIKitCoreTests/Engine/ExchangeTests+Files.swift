import APIKitCore
import Foundation
import TestSupport
import Testing

/// Responses that are delivered as files.
extension ExchangeTests {
    @Test(arguments: Kind.allCases) func fileIsWholeAndIsRemovedWithTheResponse(kind: Kind) async throws {
        let engine = ScriptedEngine(kind)
        var task: Task? = await engine.start(.scripted(.get, .file, limit: 3))
        engine.receive(200, [.contentLength: "8"], body: "abc")
        await waitWhilePaused(engine)
        engine.receive("defgh")
        engine.finish()
        var response = try await task?.value
        task = nil
        let url = try #require(response?.body.file)
        #expect(response?.body.data == nil)
        #expect(try Data(contentsOf: url) == Data("abcdefgh".utf8))
        #expect(try #require(response?.timing.finished) >= #require(response?.timing.firstByte))
        response = nil
        #expect(!url.exists)
    }

    @Test(arguments: Kind.allCases) func fileMayBeLargerThanTheLimit(kind: Kind) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, .file, limit: 1 << 20))
        engine.receive(200, [.contentLength: "\(16 << 20)"])
        for _ in 0..<64 {
            await waitWhilePaused(engine)
            engine.receive(Data(count: 256 << 10))
        }
        engine.finish()
        let response = try await task.value
        let file = try #require(response.body.file)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int == 16 << 20)
        #expect(engine.resumes > 0 || kind == .unpausing)
    }

    private func waitWhilePaused(_ engine: ScriptedEngine) async {
        while engine.shouldPause, !Task.isCancelled { await Task.yield() }
    }

    @Test func fileIsWrittenAsItArrivesIfTheEngineCannotPause() async throws {
        let (engine, task) = await begin(.unpausing, .scripted(.get, .file))
        engine.receive()
        var text = ""
        for _ in 0..<3 {
            let piece = UUID().uuidString
            text += piece
            engine.receive(piece)
            #expect(temporaryFiles(holding: Data(text.utf8)).count == 1)
        }
        engine.finish()
        #expect(try await task.value.body.bytes.data(upTo: .max) == Data(text.utf8))
    }

    @Test(arguments: Kind.allCases, ["fail", "cancel", "timeout"])
    func noFileIsLeftOfOneThatIsNotWhole(kind: Kind, ending: String) async throws {
        for pieces in [0, 2] {
            let before = temporaryFiles
            let engine = ScriptedEngine(kind)
            let timeout = ending == "timeout" ? Duration.nanoseconds(1) : .seconds(60)
            let task = await engine.start(.scripted(.get, .file, timeout: timeout))
            engine.receive()
            for _ in 0..<pieces { engine.receive("abc") }
            switch ending {
            case "fail": engine.fail(TransportError(.connectionLost))
            case "cancel": task.cancel()
            default: while engine.exchange.checkTimeout() > .zero {}
            }
            let name = ["fail": "connectionLost", "cancel": "CancellationError"][ending] ?? "timedOut"
            #expect(await thrown { try await task.value } == name)
            #expect(engine.isOver)
            #expect(engine.stops == 1)
            // Those of other tests are removed too.
            let made = temporaryFiles.subtracting(before)
            while !made.isDisjoint(with: temporaryFiles), !Task.isCancelled { await Task.yield() }
            #expect(!Task.isCancelled, "a file is left")
        }
    }

    // Each needs a process of its own: the environment, a limit and the descriptors are the whole process's.
    #if os(Linux)
    // Not on macOS, where the temporary folder does not depend on the environment.
    @Test func fileThatCannotBeCreatedFails() async {
        await #expect(processExitsWith: .success) {
            setenv("TMPDIR", "/nonexistent", 1)
            for kind in Kind.allCases {
                await ExchangeTests.expectFileFailed(kind, .create, ENOENT) { engine in
                    engine.answer(body: "abc")
                }
            }
        }
    }

    #endif

    #if os(Linux) || os(macOS)
    @Test func fileThatCannotBeWrittenFails() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4, rlim_max: 4)
            #if os(Linux)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #else
            #expect(setrlimit(RLIMIT_FSIZE, &limit) == 0)
            #endif
            for kind in Kind.allCases {
                await ExchangeTests.expectFileFailed(kind, .write, EFBIG) { engine in
                    engine.answer(body: "abc", "def")
                }
            }
        }
    }

    @Test func fileThatCannotBeFlushedFails() async {
        await #expect(processExitsWith: .success) {
            await ExchangeTests.expectFileFailed(.unpausing, .write, ExchangeTests.errnoOfFlushedPipe) { engine in
                let text = UUID().uuidString
                engine.receive()
                engine.receive(text)
                let paths = temporaryFiles(holding: Data(text.utf8)).map(\.path)
                #expect(paths.count == 1)
                var (wanted, pipes) = (stat(), [Int32](repeating: -1, count: 2))
                #expect(stat(paths[0], &wanted) == 0 && pipe(&pipes) == 0)
                // A pipe cannot be written to disk.
                var isReplaced = false
                for descriptor in Int32(3)..<65_536 {
                    var status = stat()
                    guard fstat(descriptor, &status) == 0, status.st_dev == wanted.st_dev,
                        status.st_ino == wanted.st_ino
                    else { continue }
                    isReplaced = dup2(pipes[0], descriptor) == descriptor
                }
                #expect(isReplaced)
                // Without a free descriptor, a file is written to disk instead of being closed.
                ExchangeTests.limitDescriptors(to: 0)
                engine.finish()
            }
        }
    }

    /// The error of `fsync` for a pipe.
    private static var errnoOfFlushedPipe: Int32 {
        #if os(Linux)
        EINVAL
        #else
        ENOTSUP
        #endif
    }

    private static func limitDescriptors(to count: rlim_t) {
        var limit = rlimit(rlim_cur: count, rlim_max: 1_024)
        #if os(Linux)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #else
        #expect(setrlimit(RLIMIT_NOFILE, &limit) == 0)
        #endif
    }

    private static func expectFileFailed(
        _ kind: Kind, _ operation: OpenFile.Operation, _ errno: Int32, _ events: (ScriptedEngine) -> Void
    ) async {
        let engine = ScriptedEngine(kind)
        let task = await engine.start(.scripted(.get, .file))
        let exchange = engine.exchange
        events(engine)
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .fileFailed)
        #expect(error?.url == exchange.request.url)
        #expect(error?.message?.hasPrefix("cannot \(operation.rawValue) ") == true)
        #expect(error?.errno == errno)
        #expect(exchange.isOver)
        #expect(temporaryFiles.isEmpty)
    }
    #endif
}
