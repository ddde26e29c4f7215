import APIKitCore
import Dispatch
import Foundation
import Testing

/// What an exchange lets go of at its end, and that no report holds up anybody else.
@Suite(.timeLimit(.minutes(1)), .serialized) struct ExchangeReleaseTests {
    private struct Trouble: Error {}

    /// Ways to end: how the request is made, and what happens behind its sending.
    enum Ending: CaseIterable {
        case finished, failed, cancelled, cancelledBefore, tooLarge, badResponse, timedOut
        case streamRead, streamFailed, streamDropped, streamLeft, streamCancelled, file, fileFailed, fileCancelled

        var delivery: ResponseBody.Delivery {
            switch self {
            case .streamRead, .streamFailed, .streamDropped, .streamLeft, .streamCancelled: .stream
            case .file, .fileFailed, .fileCancelled: .file
            default: .data
            }
        }
    }

    private func run(_ ending: Ending, progress lease: Lease, engine engineLease: Lease) async {
        let request = HTTPRequest.told(
            .get, ending.delivery, timeout: ending == .timedOut ? .zero : .seconds(60), limit: 10,
            progress: { _ in _ = lease })
        let engine = ToldEngine(request, lease: engineLease)
        let task = Task {
            if ending == .cancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
            do {
                return try await engine.answer()
            } catch {
                engine.sending.fire()
                throw error
            }
        }
        await engine.sending.wait()
        if [.cancelled].contains(ending) { task.cancel() }
        if ending != .badResponse { engine.receive() }
        engine.receive("abc")
        switch ending {
        case .failed, .fileFailed, .streamFailed: engine.fail(Trouble())
        case .tooLarge: engine.receive("01234567890")
        case .timedOut: engine.tell { _ = $0.checkSilence() }
        case .fileCancelled: task.cancel()
        case .finished, .file, .streamRead, .badResponse: engine.finish()
        default: break
        }
        guard let response = try? await task.value else { return }
        switch ending {
        case .streamDropped: break
        case .streamLeft: await readOne(response.body.bytes)
        case .streamCancelled:
            let reading = Task { await Outcome(of: response.body.bytes) }
            reading.cancel()
            _ = await reading.value
        default: _ = await Outcome(of: response.body.bytes)
        }
    }

    private func readOne(_ stream: ByteStream) async {
        var iterator = stream.makeAsyncIterator()
        _ = try? await iterator.next()
    }

    @Test(arguments: Ending.allCases)
    func nothingIsHeldBehindTheEnd(ending: Ending) async {
        let (closureGone, engineGone) = (Signal(), Signal())
        await run(ending, progress: Lease { closureGone.fire() }, engine: Lease { engineGone.fire() })
        await engineGone.wait()
        await closureGone.wait()
        #expect(!Task.isCancelled)
    }

    // MARK: - Reports that take their time

    /// Reports that wait until they are let go, the first of them having begun.
    private final class Slow: Sendable {
        let reports = Recorder<TransferProgress>()
        let begun = Signal()
        private let gate = DispatchSemaphore(value: 0)

        @Sendable func report(_ progress: TransferProgress) {
            if reports.append(progress) > 1 { return }
            begun.fire()
            gate.wait()
        }

        func release() {
            gate.signal()
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCancelDoesNotWaitForAReport() async throws {
        let slow = Slow()
        let engine = ToldEngine(.told(progress: slow.report))
        let task = await engine.begin()
        engine.tell { $0.sent(0) }
        await slow.begun.wait()
        engine.receive(200, [:])
        engine.finish()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        slow.release()
    }

    @Test func ofReportsThatComeTooFastTheLastIsTold() async throws {
        let slow = Slow()
        let engine = ToldEngine(.told(progress: slow.report))
        let task = await engine.begin()
        engine.tell { $0.sent(0) }
        await slow.begun.wait()
        engine.receive(200, [.contentLength: "100"])
        for _ in 0..<100 { engine.receive("x") }
        engine.finish()
        #expect(slow.reports.values.count == 1)
        slow.release()
        #expect(try await task.value.body.data?.count == 100)
        #expect(
            slow.reports.values == [
                TransferProgress(totalBytesToSend: 0),
                TransferProgress(totalBytesToSend: 0, bytesReceived: 100, totalBytesToReceive: 100),
            ])
    }

    @Test func aReportHoldsUpNoOtherExchangeAndNoFailure() async throws {
        let slow = Slow()
        let engine = ToldEngine(.told(progress: slow.report))
        let task = await engine.begin()
        engine.receive()
        await slow.begun.wait()
        let reports = Recorder<TransferProgress>()
        let other = ToldEngine(.told(progress: { reports.append($0) }))
        let otherTask = await other.begin()
        other.receive()
        other.receive("abc")
        other.finish()
        #expect(try await otherTask.value.body.data?.count == 3)
        #expect(reports.values.last?.bytesReceived == 3)
        engine.fail(Trouble())
        #expect(await thrown { try await task.value } == "Trouble")
        slow.release()
    }

    @Test func aReportHoldsUpNoPieceOfAStream() async throws {
        let slow = Slow()
        let engine = ToldEngine(.told(.get, .stream, progress: slow.report))
        let task = await engine.begin()
        engine.receive()
        await slow.begun.wait()
        var iterator = try await task.value.body.bytes.makeAsyncIterator()
        engine.receive("abc")
        #expect(try await iterator.next() == Data("abc".utf8))
        engine.finish()
        #expect(engine.isOver)
        slow.release()
        #expect(try await iterator.next() == nil)
        #expect(slow.reports.values.last?.totalBytesToReceive == 3)
    }
}
