import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let faults: [EngineCheck] = [
        EngineCheck("a body that breaks or stalls is an error, as data, as a stream and as a file") { engine in
            let server = try LoopbackServer { faultyAnswer(to: $0) }
            let options = RequestOptions(timeout: .milliseconds(600))
            for delivery in deliveries(of: engine) {
                // Of data, the limit may be reached first.
                for (target, code) in bodyFaults where delivery != .data || target != "/overflowing" {
                    let error = await #expect(throws: TransportError.self) {
                        let response = try await engine.perform(
                            target, on: server, options: options, delivery: delivery)
                        return try await response.body.bytes.data(upTo: .max)
                    }
                    #expect(error?.code == code, "\(target) as \(delivery)")
                }
            }
            await server.waitUntilIdle()
            await expectNoTemporaryFiles()
        },
        failures(
            "a connection that closes before the response, or is reset, fails as connectionLost", .connectionLost,
            [.init(steps: [.close]), .init(steps: [.reset])]),
        failures(
            "a response that is not valid HTTP fails as badResponse", .badResponse,
            [
                .raw("HELLO WORLD\r\n\r\n"),
                .raw("HTTP/1.1 200 OK\r\nthis is not a header\r\nContent-Length: 2\r\n\r\nhi"),
            ]),
        failures(
            "an invalid Content-Length fails as badResponse", .badResponse,
            [
                ["5", "2"], ["2", "5"], ["0x2"], ["1e1"], ["+2"], ["-2"], ["2, 5"], ["2 2"], ["a"], ["5,"], [",5"],
                ["5", ""],
            ]
            .map { lengths in
                .raw("HTTP/1.1 200 OK\r\n\(lengths.map { "Content-Length: \($0)\r\n" }.joined())\r\nabcde")
            }),
        EngineCheck("trailers come with the body and never become headers") { engine in
            let server = try LoopbackServer { _ in
                let trailers = "X-Sum: 1\r\nContent-Encoding: gzip\r\nSet-Cookie: trailer=1\r\n"
                return .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\(trailers)\r\n")
            }
            let expected: HTTPHeaders = engine.quirks.contains(.hasNoTrailers) ? [:] : ["X-Sum": "1"]
            let hasStreams = !engine.quirks.contains(.deliversDataAlone)
            for delivery in hasStreams ? [ResponseBody.Delivery.data, .stream, .file] : [.data] {
                let response = try await engine.perform("/", on: server, delivery: delivery)
                #expect(try await response.body.bytes.data(upTo: 10) == Data("ab".utf8))
                #expect(response.body.trailers == expected)
                #expect(response.head.headers.map(\.name) == [.transferEncoding])
            }
            #expect(!server.requests.flatMap { $0.values(of: "Cookie") }.contains { $0.contains("trailer") })
        },
        EngineCheck("a blank header value and one in Latin-1 are accepted") { engine in
            let head = Data("HTTP/1.1 200 OK\r\nX-Blank:  \r\nX-Name: caf".utf8) + [0xE9]
            let server = try LoopbackServer { _ in
                ServerAnswer(steps: [.send(head + Data("\r\nContent-Length: 2\r\n\r\nab".utf8)), .close])
            }
            let response = try await engine.perform("/", on: server)
            #expect(response.text == "ab")
            #expect(response.head.headers["X-Blank"] == "")
            #expect(response.head.headers["X-Name"]?.hasPrefix("caf") == true)
        },
        EngineCheck("a closed port fails as cannotConnect, an unknownHost host as nameNotResolved") { engine in
            let port = try LoopbackServer.unusedPort()
            let closedPort = HTTPRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
            #expect(await engine.failureCode { try await engine.client.perform(closedPort) } == .cannotConnect)
            let unknownHost = HTTPRequest(url: try #require(URL(string: "http://no-such-host.invalid/")))
            #expect(await engine.failureCode { try await engine.client.perform(unknownHost) } == .nameNotResolved)
        },
        EngineCheck("an error names its request and keeps the underlying error") { engine in
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
        EngineCheck("an https request to a plain HTTP server is an error") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
            let request = HTTPRequest(url: url, options: RequestOptions(timeout: .seconds(1)))
            let code = await engine.failureCode { try await engine.client.perform(request) }
            #expect(code == .secureConnectionFailed || code == .timedOut || code == .connectionLost)
        },
    ]

    /// Faults within a body, and the error codes that they cause.
    private static let bodyFaults: [(target: String, code: TransportError.Code)] = [
        ("/truncated", .connectionLost), ("/cut", .connectionLost), ("/unterminated", .connectionLost),
        ("/reset", .connectionLost), ("/malformed", .badResponse), ("/stalled", .timedOut),
        ("/overflowing", .badResponse),
    ]

    private static func faultyAnswer(to request: ReceivedRequest) -> ServerAnswer {
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

    /// A check that a request fails with one code, whichever of the answers it gets.
    static func failures(
        _ description: String, _ code: TransportError.Code, _ answers: [ServerAnswer]
    ) -> EngineCheck {
        EngineCheck(description) { engine in
            for answer in answers {
                let server = try LoopbackServer { _ in answer }
                await engine.expectFailure(code, "/", on: server, "\(answer)")
            }
        }
    }
}
