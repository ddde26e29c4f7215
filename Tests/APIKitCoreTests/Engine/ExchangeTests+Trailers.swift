import APIKitCore
import Foundation
import TestSupport
import Testing

/// The fields after a body.
extension ExchangeTests {
    @Test(arguments: Kind.allCases, deliveries)
    func trailersFollowTheBody(kind: Kind, delivery: ResponseBody.Delivery) async throws {
        let (engine, task) = await begin(kind, .scripted(.get, delivery))
        engine.receive(body: "body")
        async let response = task.value
        engine.exchange.finish(trailers: ["X-Sum": "1", "X-Sum": "2"])
        let body = try await response.body
        let stream = body.bytes
        #expect(try await stream.data(upTo: 10) == Data("body".utf8))
        #expect(stream.trailers.values(for: "X-Sum") == ["1", "2"])
        #expect(body.trailers == stream.trailers)
        #expect(try await response.head.headers.isEmpty)
    }

    @Test func streamHasNoTrailersBeforeItsEnd() async throws {
        let (engine, stream) = try await open(.pausing)
        engine.receive("a")
        #expect(stream.trailers.isEmpty)
        engine.exchange.finish(trailers: ["X-Sum": "1"])
        #expect(try await stream.data(upTo: 10) == Data("a".utf8))
        #expect(stream.trailers == ["X-Sum": "1"])
    }

    /// RFC 9110, section 6.5.1.
    @Test func dropsTrailersThatOnlyAHeadMayHave() async throws {
        let (engine, task) = await begin(.pausing)
        engine.receive(body: "body")
        engine.exchange.finish(trailers: [
            "content-length": "9", "Transfer-Encoding": "chunked", "Set-Cookie": "a=b", "Location": "/x", "Age": "1",
            "Content-Type": "text/html", "Content-Encoding": "gzip", "Cache-Control": "no-store", "ETag": "\"a\"",
            "Content-Digest": "sha-256=:x:", "Authentication-Info": "a=b",
        ])
        let trailers = try await task.value.body.trailers
        #expect(trailers.map(\.name) == ["ETag", "Content-Digest", "Authentication-Info"])
    }

    @Test func failedStreamHasNoTrailers() async throws {
        let (engine, stream) = try await open(.pausing)
        engine.fail(Trouble())
        engine.exchange.finish(trailers: ["X-Sum": "1"])
        #expect(await thrown { try await stream.data(upTo: 10) } == "Trouble")
        #expect(stream.trailers.isEmpty)
    }

    @Test func clientsThatReadAStreamKeepItsTrailers() async throws {
        let (engine, stream) = try await open(.pausing)
        let body = ResponseBody(stream).keeping(Lease {}).keeping(Lease {})
        engine.exchange.finish(trailers: ["X-Sum": "1"])
        #expect(try await body.bytes.data(upTo: 0).isEmpty)
        #expect(body.trailers == ["X-Sum": "1"])
    }

    @Test func bodyInMemoryHasTheTrailersItWasCreatedWith() async throws {
        let body = ResponseBody(Data("a".utf8), trailers: ["X-Sum": "1"])
        #expect(body.trailers == ["X-Sum": "1"])
        #expect(body.bytes.trailers == ["X-Sum": "1"])
        #expect(body != ResponseBody(Data("a".utf8)))
        #expect(body == ResponseBody(Data("a".utf8), trailers: ["x-sum": "1"]))
    }
}
