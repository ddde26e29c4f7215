import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let responses: [EngineCheck] = [
        EngineCheck("any status is a response, with its body") { engine in
            for status in [200, 201, 299, 400, 401, 403, 404, 409, 418, 429, 500, 503, 599] {
                let server = try LoopbackServer { _ in .text("body of \(status)", status: status) }
                let response = try await engine.perform("/", on: server)
                #expect(response.head.status == status)
                #expect(response.text == "body of \(status)")
            }
        },
        EngineCheck("a response without a body has an empty one, whatever its headers say") { engine in
            let gzip = "Content-Encoding: gzip\r\nContent-Length:"
            let responses: [(HTTPMethod, Int, String)] = [
                (.get, 204, ""), (.get, 205, "Content-Length: 0\r\n"), (.get, 304, ""), (.get, 304, "\(gzip) 100\r\n"),
                (.get, 200, "\(gzip) 0\r\n"), (.head, 200, "\(gzip) 100\r\n"), (.head, 200, "Content-Length: 100\r\n"),
            ]
            for (method, status, fields) in responses {
                let head = "HTTP/1.1 \(status) OK\r\nETag: \"1\"\r\n\(fields)\r\n"
                let server = try LoopbackServer { _ in .init(steps: [.send(Data(head.utf8))]) }
                let options = RequestOptions(sizeLimit: method == .head ? 5 : nil)
                let response = try await engine.perform("/", on: server, method: method, options: options)
                #expect(response.head.status == status)
                #expect(response.head.headers[.eTag] == "\"1\"")
                #expect(response.body.data == Data(), "\(method) \(fields)")
                if fields == "Content-Length: 100\r\n" { #expect(response.head.headers[.contentLength] == "100") }
            }
        },
        EngineCheck("a redirect is returned, not followed") { engine in
            for status in [301, 302, 303, 307, 308] {
                let server = try LoopbackServer { request in
                    request.path == "/"
                        ? .status(status, headers: [("Location", "/next")], body: Data("moved".utf8)) : .text("")
                }
                let response = try await engine.perform("/", on: server)
                #expect(response.head.status == status)
                #expect(response.head.headers[.location] == "/next")
                if !engine.quirks.contains(.losesSomeBodies) { #expect(response.text == "moved") }
                #expect(server.requests.count == 1)
            }
        },
        EngineCheck("at most 64 KiB of the body of a redirect that is followed are received") { engine in
            let server = try LoopbackServer { _ in
                let head = "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: \(1 << 40)\r\n\r\n"
                return .init(steps: [.send(Data(head.utf8)), .sendForever(bytes(1 << 20), pause: .zero)])
            }
            let response = try await engine.perform("/", on: server)
            #expect(response.head.status == 302)
            #expect(response.body.data.map { $0.count <= 64 << 10 } == true)
            await server.waitUntilIdle()
        },
        EngineCheck("a redirect without a Location is a response, and keeps its body") { engine in
            for (status, text) in [300, 301, 302, 303, 306, 307, 308].map({ ($0, "") }) + [(302, "ab")] {
                let server = try LoopbackServer { _ in .status(status, body: Data(text.utf8)) }
                let response = try await engine.perform("/", on: server)
                #expect(response.head.status == status)
                #expect(response.body.data == Data(text.utf8))
            }
        },
        EngineCheck("a 401 with any scheme is returned without a wait") { engine in
            let challenges = [
                "Basic realm=\"x\"", "Basic", "Bearer", "Bearer realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"",
                "Negotiate", "Negotiate, Basic realm=\"x\"", "",
            ]
            for challenge in challenges {
                let headers = challenge.isEmpty ? [] : [("WWW-Authenticate", challenge)]
                let server = try LoopbackServer { request in
                    request.path == "/ok"
                        ? .text("ok") : .status(401, headers: headers, body: Data("who?".utf8))
                }
                let isPrompt = try await isPrompt(besides: { _ = try await engine.perform("/ok", on: server) }) {
                    try await ContinuousClock().measure { _ = try await engine.perform("/", on: server) }
                }
                #expect(isPrompt)
                let response = try await engine.perform("/", on: server)
                #expect(response.head.status == 401)
                #expect(response.head.headers[.wwwAuthenticate] ?? "" == challenge)
                if !engine.quirks.contains(.losesSomeBodies) { #expect(response.text == "who?") }
            }
        },
        EngineCheck("header names ignore case, and Set-Cookie keeps its value") { engine in
            let headers = [
                ("x-lower", "1"), ("X-EMPTY", ""), ("Set-Cookie", "a=1; Path=/"), ("X-Two", "1"), ("X-Two", "2"),
            ]
            let server = try LoopbackServer { _ in .status(200, headers: headers) }
            let response = try await engine.perform("/", on: server)
            #expect(response.head.headers["X-Lower"] == "1")
            #expect(response.head.headers["x-empty"] == "")
            #expect(response.head.headers[.setCookie] == "a=1; Path=/")
            #expect(response.head.headers["X-Two"]?.filter { $0 != " " } == "1,2")
            if !engine.quirks.contains(.joinsHeaders) {
                #expect(response.head.headers.values(for: "X-Two") == ["1", "2"])
            }
        },
        EngineCheck("an informational response is not the final response") { engine in
            let server = try LoopbackServer { _ in
                .raw("HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            }
            let response = try await engine.perform("/", on: server)
            #expect(response.head.status == 200)
            #expect(response.text == "hi")
        },
        EngineCheck("a body is complete however it is framed, as data, as a stream and as a file") { engine in
            let server = try LoopbackServer { request in
                let whole = bytes(300_000)
                return switch request.path {
                case "/length": .status(200, body: whole)
                case "/chunks": .chunked([whole.prefix(1), whole[1..<70_000], whole[70_000...]].map { Data($0) })
                case "/close": .init(steps: [.send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8)), .send(whole), .close])
                case "/drip":
                    .init(steps: [.drip(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow".utf8)), .close])
                default: .status(200)
                }
            }
            let bodies = ["/drip": Data("slow".utf8), "/empty": Data()]
            for delivery in deliveries(of: engine) {
                // The limit applies to memory only.
                let options = delivery == .file ? RequestOptions(sizeLimit: 10) : RequestOptions()
                for target in ["/length", "/chunks", "/close", "/drip", "/empty"] {
                    let response = try await engine.perform(target, on: server, options: options, delivery: delivery)
                    #expect((response.body.file != nil) == (delivery == .file))
                    if delivery == .file { #expect(response.body.data == nil) }
                    let body = try await response.body.bytes.data(upTo: .max)
                    #expect(body == bodies[target] ?? bytes(300_000), "\(target) as \(delivery)")
                }
            }
            await expectNoTemporaryFiles()
        },
        EngineCheck("a response has its URL and timing") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let response = try await engine.perform("/a?b=c", on: server)
            #expect(response.head.url.absoluteString == "\(server.url)/a?b=c")
            let timing = response.timing
            let (firstByte, finished) = (try #require(timing.firstByte), try #require(timing.finished))
            #expect(firstByte >= .zero)
            #expect(firstByte <= finished)
            if let sent = timing.sent {
                #expect(sent >= .zero)
                #expect(sent <= finished)
            }
        },
    ]
}
