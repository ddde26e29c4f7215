import APIKitCore
import Foundation
import TestSupport
import Testing

extension EngineCheck {
    static let faults = [
        EngineCheck("a body that breaks off is an error, never short") { engine in
            let answers = [
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            ]
            for answer in answers {
                let server = try LoopbackServer { _ in .raw(answer) }
                let code = await engine.failureCode { try await engine.perform("/", on: server) }
                #expect(code == .connectionLost, "\(answer)")
            }
        },
        EngineCheck("a connection that closes before an answer, or is reset, is lost") { engine in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
            let answers = [
                ServerAnswer(steps: [.close]), ServerAnswer(steps: [.reset]),
                ServerAnswer(steps: [.send(Data(head.utf8)), .reset]),
            ]
            for answer in answers {
                let server = try LoopbackServer { _ in answer }
                let code = await engine.failureCode { try await engine.perform("/", on: server) }
                #expect(code == .connectionLost)
            }
        },
        EngineCheck("what is not HTTP is a bad response") { engine in
            let answers = [
                "HELLO WORLD\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nthis is no header\r\nContent-Length: 2\r\n\r\nhi",
            ]
            for answer in answers {
                let server = try LoopbackServer { _ in .raw(answer) }
                let code = await engine.failureCode { try await engine.perform("/", on: server) }
                #expect(code == .badResponse, "\(answer)")
            }
        },
        EngineCheck("nobody listening is cannotConnect, an unknown host nameNotResolved") { engine in
            let port = try LoopbackServer.unusedPort()
            let nobody = HTTPRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
            #expect(await engine.failureCode { try await engine.client.perform(nobody) } == .cannotConnect)
            let unknown = HTTPRequest(url: try #require(URL(string: "http://no-such-host.invalid/")))
            #expect(await engine.failureCode { try await engine.client.perform(unknown) } == .nameNotResolved)
        },
        EngineCheck("an error names the request and keeps what is behind it") { engine in
            let port = try LoopbackServer.unusedPort()
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/users?token=abc123"))
            let error = await #expect(throws: TransportError.self) {
                try await engine.client.perform(HTTPRequest(method: .delete, url: url))
            }
            #expect(error?.method == .delete)
            #expect(error?.url == url)
            #expect(error?.underlying != nil)
            #expect(error?.description.contains("abc123") == false)
        },
        EngineCheck("a plain server under https is an error") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            let request = HTTPRequest(url: url, options: RequestOptions(timeout: .seconds(1)))
            let code = await engine.failureCode { try await engine.client.perform(request) }
            #expect(code == .secureConnectionFailed || code == .timedOut || code == .connectionLost)
        },
    ]
}
