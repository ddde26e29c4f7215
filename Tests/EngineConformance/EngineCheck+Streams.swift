import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let streams = [
        EngineCheck("a stream delivers each piece before the next one is sent", delivering: .stream) { engine in
            let gates = [Gate(), Gate()]
            let server = try LoopbackServer { _ in
                let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n".utf8)
                return .init(steps: [
                    .send(head), .waitFor(gates[0]), .send(Data("one".utf8)), .waitFor(gates[1]),
                    .send(Data("two".utf8)),
                ])
            }
            let response = try await engine.perform("/", on: server, delivery: .stream)
            #expect(response.head.status == 200)
            #expect(response.body.data == nil)
            var iterator = response.body.bytes.makeAsyncIterator()
            gates[0].open()
            #expect(try await iterator.next() == Data("one".utf8))
            gates[1].open()
            #expect(try await iterator.next() == Data("two".utf8))
            #expect(try await iterator.next() == nil)
            #expect(try await iterator.next() == nil)
        },
        EngineCheck(
            "a stream is complete with a length, in chunks, until the connection closes, and empty", delivering: .stream
        ) { engine in
            let server = try LoopbackServer { completeAnswer(to: $0) }
            for target in ["/length", "/chunks", "/close"] {
                let response = try await engine.perform(target, on: server, delivery: .stream)
                #expect(try await response.body.bytes.data(upTo: .max) == bytes(300_000), "\(target)")
            }
            let empty = try await engine.perform("/empty", on: server, delivery: .stream)
            #expect(try await empty.body.bytes.data(upTo: 0) == Data())
        },
        EngineCheck("a rejected status is delivered as data", delivering: .stream) { engine in
            let server = try LoopbackServer { _ in .text("no such thing", status: 404) }
            for delivery in [.stream, .file] as [ResponseBody.Delivery] {
                let response = try await engine.perform("/", on: server, delivery: delivery)
                #expect(response.text == "no such thing")
            }
        },
        EngineCheck(
            "a stream that is truncated or stalls throws after the bytes that have arrived", delivering: .stream
        ) { engine in
            let server = try LoopbackServer { faultyAnswer(to: $0) }
            let options = RequestOptions(timeout: .milliseconds(600))
            for (target, code) in bodyFaults {
                let error = await #expect(throws: TransportError.self) {
                    let response = try await engine.perform(target, on: server, options: options, delivery: .stream)
                    return try await response.body.bytes.data(upTo: .max)
                }
                #expect(error?.code == code, "\(target)")
            }
        },
        EngineCheck(
            "cancelling the task, leaving the loop and releasing the stream unread each end its transfer",
            delivering: .stream
        ) { engine in
            let head = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n".utf8)
            let server = try LoopbackServer { _ in .init(steps: [.send(head), .waitForClient]) }
            // Unread.
            _ = try await engine.perform("/", on: server, delivery: .stream)
            await server.waitUntilIdle()
            // Left, while the stream is still referenced.
            let kept = try await engine.perform("/", on: server, delivery: .stream)
            for try await chunk in kept.body.bytes {
                #expect(chunk == Data("one".utf8))
                break
            }
            await server.waitUntilIdle()
            await #expect(throws: TransportError.self) { try await kept.body.bytes.data(upTo: .max) }
            // Cancelled.
            let response = try await engine.perform("/", on: server, delivery: .stream)
            let (arrivals, arrival) = AsyncStream.makeStream(of: Data.self)
            let task = Task { for try await chunk in response.body.bytes { arrival.yield(chunk) } }
            for await chunk in arrivals {
                #expect(chunk == Data("one".utf8))
                break
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await server.waitUntilIdle()
        },
        EngineCheck("a slow reader applies back-pressure or exceeds the limit", delivering: .stream) { engine in
            let hasBackPressure = !engine.quirks.contains(.hasNoBackPressure)
            let (count, total) = hasBackPressure ? (64, 64) : (400, 1 << 20)
            let server = try LoopbackServer { _ in
                let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(total << 20)\r\n\r\n".utf8)
                // A URLSession on Linux can cancel nothing while more is always there to be read.
                return .init(steps: [.send(head), .sendRepeatedly(bytes(1 << 20), times: count), .waitForClient])
            }
            let options = RequestOptions(sizeLimit: 1 << 20)
            let response = try await engine.perform("/", on: server, options: options, delivery: .stream)
            if hasBackPressure {
                #expect(try await response.body.bytes.data(upTo: .max).count == total << 20)
                return
            }
            await server.waitUntilIdle()  // the limit ends the transfer, since nothing reads it
            let error = await #expect(throws: TransportError.self) { try await response.body.bytes.data(upTo: .max) }
            #expect(error?.code == .bodyTooLarge)
        },
    ]

    /// A body of 300,000 bytes, or an empty one, framed as the path says.
    static func completeAnswer(to request: ReceivedRequest) -> ServerAnswer {
        let whole = bytes(300_000)
        return switch request.path {
        case "/length": .status(200, body: whole)
        case "/chunks": .chunked([whole.prefix(1), whole[1..<70_000], whole[70_000...]].map { Data($0) })
        case "/close": .init(steps: [.send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8)), .send(whole), .close])
        default: .status(200)
        }
    }

    /// Faults within a body, and the error codes that they cause.
    static let bodyFaults: [(target: String, code: TransportError.Code)] = [
        ("/truncated", .connectionLost), ("/cut", .connectionLost), ("/unterminated", .connectionLost),
        ("/reset", .connectionLost), ("/malformed", .badResponse), ("/stalled", .timedOut),
        ("/overflowing", .badResponse),
    ]

    static func faultyAnswer(to request: ReceivedRequest) -> ServerAnswer {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
        return switch request.path {
        case "/truncated": .short(then: .close)
        case "/cut": .raw("\(chunked)5\r\nab")
        case "/unterminated": .raw(chunked)
        case "/malformed": .raw("\(chunked)zz\r\nab\r\n0\r\n\r\n")
        case "/overflowing": .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nshort")
        case "/reset": .short(then: .reset)
        default: .short(then: .waitForClient)
        }
    }
}
