import APIKitCore
import Foundation
import TestSupport
import Testing

/// What an exchange releases at its end.
extension ExchangeTests {
    /// How an exchange ends.
    enum Release: CaseIterable {
        case finished, failed, cancelled, cancelledBefore, tooLarge, badResponse, timedOut, retried
        case streamRead, streamFailed, streamDropped, streamLeft, streamCancelled, streamPaused
        case file, fileFailed, fileCancelled

        var delivery: ResponseBody.Delivery {
            switch self {
            case .streamRead, .streamFailed, .streamDropped, .streamLeft, .streamCancelled, .streamPaused: .stream
            case .file, .fileFailed, .fileCancelled: .file
            default: .data
            }
        }
    }

    /// Performs a request; the response, if there is one, is read as far as `release` says.
    private func perform(_ release: Release, _ engine: ScriptedEngine, progress lease: Lease) async -> HTTPResponse? {
        let request = ScriptedRequest.scripted(
            .get, release.delivery, timeout: release == .timedOut ? .zero : .seconds(60), limit: 10,
            progress: { _ in _ = lease })
        if release == .cancelledBefore {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await engine.response(to: request)
            }
            return try? await task.value
        }
        let task = await engine.start(request)
        switch release {
        case .cancelled: task.cancel()
        case .retried:
            engine.exchange.connected(isReused: true)
            engine.fail(TransportError(.connectionLost))
            await engine.waitForSend()
        default: break
        }
        if release != .badResponse { engine.receive() }
        engine.receive("abc")
        switch release {
        case .failed, .fileFailed, .streamFailed: engine.fail(Trouble())
        case .tooLarge: engine.receive("01234567890")
        case .timedOut: engine.exchange.checkTimeout()
        case .fileCancelled: task.cancel()
        case .streamPaused:
            engine.receive("0123456")
            engine.finish()
        case .finished, .file, .streamRead, .badResponse, .retried: engine.finish()
        default: break
        }
        guard let response = try? await task.value else { return nil }
        switch release {
        case .streamDropped: return nil
        case .streamLeft: await readOne(response.body.bytes)
        case .streamPaused: break
        case .streamCancelled:
            let reading = Task { await Outcome(of: response.body.bytes) }
            reading.cancel()
            _ = await reading.value
        default: _ = await Outcome(of: response.body.bytes)
        }
        return response
    }

    private func readOne(_ stream: ByteStream) async {
        var iterator = stream.makeAsyncIterator()
        _ = try? await iterator.next()
    }

    /// Also if the engine and the caller keep the exchange and the response.
    @Test(arguments: Kind.allCases, Release.allCases)
    func releasesTheClosuresAtTheEnd(kind: Kind, release: Release) async {
        let (progressGone, engineGone) = (Signal(), Signal())
        let engine = ScriptedEngine(kind, lease: Lease { engineGone.fire() })
        let response = await perform(release, engine, progress: Lease { progressGone.fire() })
        await progressGone.wait()
        // Of a request that is never sent the engine keeps its closures itself.
        if release != .cancelledBefore { await engineGone.wait() }
        #expect(!Task.isCancelled)
        withExtendedLifetime((engine, response)) {}
    }

    /// What a request leaves behind once nobody keeps its response.
    @Test(arguments: Kind.allCases, Release.allCases)
    func exchangeGoesWithTheLastReference(kind: Kind, release: Release) async {
        weak var exchange: Exchange?
        do {
            let engine = ScriptedEngine(kind)
            _ = await perform(release, engine, progress: Lease {})
            exchange = engine.attempts.first
        }
        while exchange != nil, !Task.isCancelled { await Task.yield() }
        #expect(!Task.isCancelled, "the exchange is kept")
    }
}
