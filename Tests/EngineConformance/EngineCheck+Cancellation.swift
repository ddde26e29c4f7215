import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let cancellation = [
        EngineCheck("cancelled before the start, nothing is sent") { engine in
            let server = try LoopbackServer { _ in .text("") }
            // Over a connection that is there already, too, where nothing keeps it from going out at once.
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
        EngineCheck("cancelled while waiting for the head or the body, it ends at once and leaves nothing behind") {
            engine in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".utf8)
            for steps in [[.waitForClient], [.send(head), .waitForClient]] as [[ServerAnswer.Step]] {
                let server = try LoopbackServer { _ in .init(steps: steps) }
                var slowest: [Duration] = []
                let isPrompt = try await isWithin(.milliseconds(50)) {
                    var times: [Duration] = []
                    for _ in 0..<9 { times.append(try await timeToCancel(engine, server)) }
                    times.sort()
                    slowest.append(times[8])
                    return times[4]
                }
                #expect(isPrompt)
                #expect(slowest.contains { $0 < .seconds(1) })
                await server.waitUntilIdle()
            }
        },
        requestsWithRacingCancels(2_000),
        EngineCheck("1,000 streams and files that end in every way at every moment leave nothing behind") { engine in
            guard await delivers(.stream, engine) else { return }
            let chunks = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n".utf8)
            let server = try LoopbackServer { request in
                guard request.path == "/whole" else { return .init(steps: [.send(chunks), .waitForClient]) }
                return .init(steps: [.send(chunks), .send(Data("0\r\n\r\n".utf8)), .close])
            }
            let living = Living()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<1_000 {
                    if index >= 16 { await group.next() }
                    group.addTask { await end(Ending.allCases[index % 6], index, engine, server, living) }
                }
            }
            await server.waitUntilIdle()
            while living.count > 0 { await Task.yield() }
            await expectNoTemporaryFiles()
        },
    ]

    static func requestsWithRacingCancels(_ count: Int) -> EngineCheck {
        EngineCheck("\(count) requests with racing cancels: each ends once, as its response or as cancelled") {
            engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            let server = try LoopbackServer { _ in .text("ok") }
            await forEach(0..<count, width: 32) { index in
                #expect(await isAnsweredOrCancelled(engine, server, index))
            }
        }
    }

    /// How a transfer ends before its time, or in time.
    private enum Ending: CaseIterable {
        case cancelledAnyTime, cancelledAtTheEnd, leftAfterTheFirst, droppedUnread, fileCancelled, readToTheEnd
    }

    private static func end(
        _ ending: Ending, _ index: Int, _ engine: Engine, _ server: LoopbackServer, _ living: Living
    ) async {
        let mark = living.mark()
        let target = ending == .readToTheEnd || ending == .cancelledAtTheEnd ? "/whole" : "/endless"
        let task = Task {
            let response = try await engine.perform(
                target, on: server, delivery: ending == .fileCancelled ? .file : .stream
            ) { _ in _ = mark }
            if ending == .droppedUnread { return }
            for try await _ in response.body.bytes where ending == .leftAfterTheFirst { return }
        }
        if [.cancelledAnyTime, .cancelledAtTheEnd, .fileCancelled].contains(ending) {
            for _ in 0..<(index * 7919 % 300) { await Task.yield() }
            task.cancel()
        }
        let result = await task.result
        if case .failure(let error) = result, !(error is CancellationError) { Issue.record("\(ending): \(error)") }
    }

    /// Sends one request, cancels it once it has arrived, and tells how long its end took.
    private static func timeToCancel(_ engine: Engine, _ server: LoopbackServer) async throws -> Duration {
        let count = server.requests.count
        let task = Task { try await engine.perform("/", on: server) }
        await server.waitForRequests(count + 1)
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        return start.duration(to: .now)
    }

    /// Sends one request and cancels it after a number of yields of its own; true for an answer and for a cancel.
    private static func isAnsweredOrCancelled(_ engine: Engine, _ server: LoopbackServer, _ index: Int) async -> Bool {
        let task = Task { try await engine.perform("/", on: server).text }
        if index % 4 != 0 {
            for _ in 0..<(index * 7919 % 300) { await Task.yield() }
            task.cancel()
        }
        do {
            return try await task.value == "ok"
        } catch is CancellationError {
            return index % 4 != 0
        } catch {
            Issue.record("\(error)")
            return false
        }
    }
}

/// Counts what is still held by somebody.
private final class Living: Sendable {
    final class Mark: Sendable {
        private let living: Living

        fileprivate init(_ living: Living) {
            self.living = living
        }

        deinit {
            living.update { $0 -= 1 }
        }
    }

    // nonisolated(unsafe): reached under the lock alone.
    private nonisolated(unsafe) var value = 0
    private let lock = NSLock()

    var count: Int { lock.withLock { value } }

    func mark() -> Mark {
        update { $0 += 1 }
        return Mark(self)
    }

    private func update(_ change: (inout Int) -> Void) {
        lock.withLock { change(&value) }
    }
}
