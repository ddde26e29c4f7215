import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let limits: [EngineCheck] = [
        EngineCheck("a body over the limit fails as bodyTooLarge, by its Content-Length or its bytes") { engine in
            let server = try LoopbackServer { request in
                switch request.path {
                case "/claimed": .raw("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n01234567890")
                case "/chunks": .chunked([Data("012345".utf8), Data("67890".utf8)])
                case "/exact": .text("0123456789")
                default: .raw("HTTP/1.1 200 OK\r\n\r\n01234567890")
                }
            }
            let options = RequestOptions(sizeLimit: 10)
            for target in ["/claimed", "/chunks", "/close"] {
                await engine.expectFailure(.bodyTooLarge, target, on: server, options: options, "\(target)")
            }
            #expect(try await engine.perform("/exact", on: server, options: options).text == "0123456789")
        },
        EngineCheck("a huge claimed length with few bytes is an error, with and without a size limit") { engine in
            let claims = ["1000000000000", "9223372036854775807", "9223372036854775808", "100000000000000000000000000"]
            for claim in claims {
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(claim)"
                let server = try LoopbackServer { _ in .raw("\(head)\r\n\r\nshort") }
                for limit in [nil, 1 << 20] {
                    let options = RequestOptions(sizeLimit: limit)
                    let code = await engine.failureCode { try await engine.perform("/", on: server, options: options) }
                    #expect([.badResponse, .bodyTooLarge, .connectionLost].contains(code), "\(claim)")
                }
            }
        },
        EngineCheck("a stall before the head that is longer than the timeout fails as timedOut") { engine in
            let server = try LoopbackServer { _ in .init(steps: [.waitForClient]) }
            let options = RequestOptions(timeout: .milliseconds(600))
            await engine.expectFailure(.timedOut, "/", on: server, options: options)
            await server.waitUntilIdle()
        },
        manyCookies,
        EngineCheck("zero, negative and huge timeouts do not trap") { engine in
            let server = try LoopbackServer { _ in .text("ok") }
            let timeouts: [Duration] = [.seconds(Int64.max), .seconds(1e12), .zero, .seconds(-5), .nanoseconds(1)]
            for timeout in timeouts {
                _ = try? await engine.perform("/", on: server, options: RequestOptions(timeout: .after(timeout)))
            }
            #expect(try await engine.perform("/", on: server).text == "ok")
        },
    ]

    static let manyCookies = EngineCheck("30,000 cookies of a response keep no request to another host waiting") {
        engine in
        let gate = Gate()
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(cookies(30_000))\r\n".utf8)
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.send(head), .waitFor(gate), .send(Data("ok".utf8))])
        }
        let other = try LoopbackServer { _ in .text("ok") }
        // The cookies of this host are not sent in other checks.
        let address = server.url.absoluteString.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let request = HTTPRequest(url: try #require(URL(string: address)))
        let flood = Task { try await engine.client.perform(request) }
        await server.waitForRequests(1)
        for _ in 0..<50 { #expect(try await engine.perform("/", on: other).text == "ok") }
        gate.open()
        // An engine may refuse a head of this size.
        if case .success(let response) = await flood.result { #expect(response.text == "ok") }
    }

    /// Different cookies, as short as they can be, so that they fit into 512 KiB.
    private static func cookies(_ count: Int) -> String {
        let names = (0..<count).map { String($0 + 36 * 36, radix: 36) }
        return names.map { "Set-Cookie:\($0)=\r\n" }.joined()
    }
}
