import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let streams: [EngineCheck] = [
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
}
