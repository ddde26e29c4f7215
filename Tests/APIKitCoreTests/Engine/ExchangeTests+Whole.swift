import APIKitCore
import Foundation
import TestSupport
import Testing

/// Responses that an engine reports as a whole.
extension ExchangeTests {
    private func report(_ engine: ScriptedEngine, _ status: Int = 200, _ body: String = "whole") {
        let url = engine.exchange.request.url
        engine.exchange.finish(with: .init(status: status, headers: ["X-A": "1"], url: url), body: Data(body.utf8))
    }

    @Test(arguments: Kind.allCases, deliveries)
    func wholeResponseIsDeliveredAsRequested(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery))
        report(engine)
        #expect(engine.isOver)
        let response = try await task.value
        #expect((response.body.data != nil) == (delivery == .data))
        #expect((response.body.file != nil) == (delivery == .file))
        #expect(try await response.body.bytes.data(upTo: 10) == Data("whole".utf8))
        #expect(response.head.headers["X-A"] == "1")
        #expect(response.request == engine.exchange.request)
        #expect(response.timing.firstByte != nil)
        #expect((response.timing.finished != nil) == (delivery != .stream))
        #expect(engine.stops == 0)
    }

    @Test(arguments: Kind.allCases) func progressOfAWholeResponseIsReported(kind: Kind) async throws {
        let reports = Recorder<TransferProgress>()
        let (engine, task) = await begin(kind, .scripted(progress: { reports.append($0) }))
        report(engine)
        _ = try await task.value
        #expect(reports.values.last?.bytesReceived == 5)
        #expect(reports.values.last?.totalBytesToReceive == 5)
    }

    @Test(arguments: Kind.allCases) func wholeResponseAboveTheLimitFails(kind: Kind) async throws {
        let (engine, task) = await begin(kind, .scripted(limit: 4))
        report(engine)
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .bodyTooLarge)
        #expect(engine.stops == 1)
    }

    @Test(arguments: Kind.allCases) func wholeResponseAfterTheEndIsIgnored(kind: Kind) async throws {
        let (engine, task) = await begin(kind)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        report(engine)
        #expect(engine.stops == 1)
        let (second, result) = await begin(kind)
        report(second, 200, "first")
        report(second, 404, "second")
        #expect(try await result.value.body.text == "first")
    }

    @Test(arguments: Kind.allCases, deliveries)
    func wholeResponseMayHaveTrailers(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery))
        let head = HTTPResponse.Head(status: 200, url: engine.exchange.request.url)
        engine.exchange.finish(with: head, body: Data("whole".utf8), trailers: ["X-Sum": "1", .setCookie: "a=b"])
        let body = try await task.value.body
        #expect(try await body.bytes.data(upTo: 10) == Data("whole".utf8))
        #expect(body.trailers == ["X-Sum": "1"])
    }

    /// A client that asks again learns of the head.
    @Test(arguments: Kind.allCases) func wholeResponseMayBeReplaced(kind: Kind) async throws {
        let heads = Recorder<Int>()
        var request = ScriptedRequest.scripted()
        request.mayReplace = {
            heads.append($0.status)
            return true
        }
        let (engine, task) = await begin(kind, request)
        report(engine, 503, String(repeating: "a", count: 100_000))
        #expect(try await task.value.body.data?.count == 64 << 10)
        #expect(heads.values == [503])
    }
}
