import APIKitCore
import APIKitTestServer
import Foundation
import TestTraits
import Testing

extension EngineCheck {
    static let cancellation: [EngineCheck] = [
        EngineCheck("a request that is cancelled before its start is not sent") { engine in
            let server = try LoopbackServer { _ in .text("") }
            // Also over an existing connection, which could send the request immediately.
            let body = RequestBody.data(Data(), contentType: nil)
            for count in [0, 1] {
                for _ in 0..<50 {
                    let task = Task {
                        withUnsafeCurrentTask { $0?.cancel() }
                        return try await engine.perform("/", on: server, method: .post, body: body)
                    }
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
                #expect(server.requests.count == count)
                _ = try await engine.perform("/", on: server)
            }
        },
        EngineCheck("a cancel while waiting for the head or the body ends the request and its connection") { engine in
            for answer in [ServerAnswer(steps: [.waitForClient]), .short(then: .waitForClient)] {
                let server = try LoopbackServer { $0.path == "/ok" ? .text("ok") : answer }
                let isPrompt = try await isPrompt(besides: { _ = try await engine.perform("/ok", on: server) }) {
                    try await timeToCancel(engine, server)
                }
                #expect(isPrompt)
                await server.waitUntilIdle()
            }
        },
        requestsWithRacingCancels(Effort.rounds(200, thorough: 2_000)),
        EngineCheck("streams and files that end in any way leave nothing open", delivering: .stream) { engine in
            let chunks = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n".utf8)
            let server = try LoopbackServer { request in
                guard request.path == "/whole" else { return .init(steps: [.send(chunks), .waitForClient]) }
                return .init(steps: [.send(chunks), .send(Data("0\r\n\r\n".utf8)), .close])
            }
            let (releases, release) = AsyncStream.makeStream(of: Void.self)
            let count = Effort.rounds(120, thorough: 1_000)
            await forEach(0..<count, width: 16) { index in
                await end(Ending.allCases[index % Ending.allCases.count], index, engine, server, Mark(release))
            }
            await server.waitUntilIdle()
            for await _ in releases.prefix(count) {}
            await expectNoTemporaryFiles()
        },
    ]

    static func requestsWithRacingCancels(_ count: Int) -> EngineCheck {
        EngineCheck("each of \(count) requests with racing cancels ends once") { engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            let server = try LoopbackServer { _ in .text("ok") }
            await forEach(0..<count, width: 32) { index in
                let task = Task { try await engine.perform("/", on: server).text }
                if index % 4 != 0 { await cancelAnyTime(task, index) }
                switch await task.result {
                case .success(let text): #expect(text == "ok")
                case .failure(let error): #expect(error is CancellationError && index % 4 != 0, "\(error)")
                }
            }
        }
    }

    /// How a transfer ends, early or complete.
    private enum Ending: CaseIterable {
        case cancelledAnyTime, cancelledAtEnd, leftAfterFirstPiece, releasedUnread, cancelledFile, readToEnd
    }

    private static func end(
        _ ending: Ending, _ index: Int, _ engine: Engine, _ server: LoopbackServer, _ mark: Mark
    ) async {
        let target = ending == .readToEnd || ending == .cancelledAtEnd ? "/whole" : "/endless"
        let task = Task {
            let response = try await engine.perform(
                target, on: server, delivery: ending == .cancelledFile ? .file : .stream
            ) { _ in _ = mark }
            if ending == .releasedUnread { return }
            for try await _ in response.body.bytes where ending == .leftAfterFirstPiece { return }
        }
        if [.cancelledAnyTime, .cancelledAtEnd, .cancelledFile].contains(ending) { await cancelAnyTime(task, index) }
        let result = await task.result
        if case .failure(let error) = result, !(error is CancellationError) { Issue.record("\(ending): \(error)") }
    }

    /// Sends one request, cancels it once it has arrived, and returns how long the cancel takes.
    private static func timeToCancel(_ engine: Engine, _ server: LoopbackServer) async throws -> Duration {
        let count = server.requests.count
        let task = Task { try await engine.perform("/", on: server) }
        await server.waitForRequests(count + 1)
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        return start.duration(to: .now)
    }

    /// Cancels a task at a time that depends on an index: the race is the point.
    static func cancelAnyTime<Success: Sendable>(_ task: Task<Success, any Error>, _ index: Int) async {
        for _ in 0..<(index * 7919 % 500) { await Task.yield() }
        task.cancel()
    }
}

/// Reports that its last reference is released.
private final class Mark: Sendable {
    private let release: AsyncStream<Void>.Continuation

    init(_ release: AsyncStream<Void>.Continuation) { self.release = release }

    deinit { release.yield() }
}
