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
        EngineCheck("an engine that was held up reads before it judges a timeout", delivering: .stream) { engine in
            // A loaded machine may need longer than the timeout to get there.
            for attempt in 1...3 {
                do { return try await holdUp(engine) } catch { if attempt == 3 { throw error } }
            }
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

    /// Keeps the engine's thread busy for longer than the timeout of requests whose responses arrive meanwhile.
    private static func holdUp(_ engine: Engine) async throws {
        let gate = Gate()
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8)
        let server = try LoopbackServer { request in
            request.path.hasPrefix("/slow")
                ? .init(steps: [.send(head), .waitFor(gate), .send(Data("late".utf8))]) : .text("ok")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let options = RequestOptions(timeout: .milliseconds(500))
                    let response = try await engine.perform("/slow\(index)", on: server, options: options)
                    #expect(response.text == "late")
                }
            }
            await server.waitForRequests(8)
            HeldUp.gate.withLock { $0 = gate }
            _ = try await engine.client.send(HoldUp(base: APIBase(server.url)))
            try await group.waitForAll()
        }
    }
}

/// A response that keeps whoever asks whether it is a success, the engine's thread, waiting for a while.
private struct HeldUp: APIResponse {
    static let delivery = ResponseBody.Delivery.stream
    /// Opened once the thread is held up.
    static let gate = Locked<Gate?>(nil)

    static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        if let gate = gate.withLock({ $0.take() }) {
            gate.open()
            Thread.sleep(forTimeInterval: 0.8)
        }
        return head.status == 200
    }

    static func process(data: Data) throws -> HeldUp { HeldUp() }
}

private struct HoldUp: APIRequest {
    typealias Response = HeldUp
    typealias Failure = NoContent
    let base: APIBase
    let path: URLPath = "hold-up"
}
