import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let requests: [EngineCheck] = [
        EngineCheck("the method, target and headers are sent unchanged") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            let target = "/a%2Fb/%2E%2E/c;d=e,f/%E2%82%AC?q=%2B%20%26&r=a+b&r=:/@!$'()*"
            let headers: HTTPHeaders = [
                .accept: "application/json", "X-Mixed-Case": "Ünïcode", "X-Empty": "", .userAgent: "test",
            ]
            let methods: [HTTPMethod] = [.get, .post, .put, .patch, .delete, .options, .query, "PURGE"]
            for method in methods {
                _ = try await engine.perform(target, on: server, method: method, headers: headers)
            }
            #expect(server.requests.map(\.method) == methods.map(\.rawValue))
            for request in server.requests {
                #expect(request.target == target)
                #expect(request.values(of: "accept") == ["application/json"])
                #expect(request.values(of: "user-agent") == ["test"])
                #expect(request.values(of: "x-mixed-case").count == 1)
            }
        },
        EngineCheck("a repeated header is sent as a list, and cookies as one line") { engine in
            var headers: HTTPHeaders = ["X-Tag": "a", .cookie: "a=1"]
            headers.append("b", for: "X-Tag")
            headers.append("b=2", for: .cookie)
            let server = try LoopbackServer { _ in .status(204) }
            _ = try await engine.perform("/", on: server, headers: headers)
            let request = try #require(server.requests.first)
            #expect(request.values(of: "X-Tag").joined(separator: ", ") == "a, b")
            if engine.quirks.contains(.keepsCookies) { return }  // its cookie jar overrides the caller's header
            #expect(request.values(of: "Cookie").joined(separator: "; ") == "a=1; b=2")
        },
        EngineCheck("a body in memory or in a file is sent completely, with a Content-Length alone") { engine in
            let server = try LoopbackServer { request in .text("\(request.body.count)") }
            for count in [0, 1, 70_000, 300_000, 3_000_000] {
                let bytes = bytes(count)
                let file = try file(bytes)
                let longerFile = try EngineCheck.file(Data("before".utf8) + bytes + Data("after".utf8))
                let bodies: [RequestBody] = [
                    .data(bytes, contentType: .octetStream), .file(file.url),
                    .file(longerFile.url, range: 6..<(6 + count)),
                ]
                for body in bodies {
                    let headers: HTTPHeaders = [.contentType: "a/b"]
                    let response = try await engine.perform("/", on: server, method: .put, headers: headers, body: body)
                    #expect(response.text == "\(count)")
                    let request = try #require(server.requests.last)
                    #expect(request.body == bytes)
                    #expect(request.values(of: "Content-Length") == ["\(count)"])
                    #expect(request.values(of: "Transfer-Encoding") == [])
                    #expect(request.values(of: "Content-Type") == ["a/b"])
                }
            }
        },
        EngineCheck("a body has its own Content-Type, or application/octet-stream by default") { engine in
            let server = try LoopbackServer { _ in .status(204) }
            let bytes = bytes(5)
            let bodies: [RequestBody] = [
                .data(bytes, contentType: nil), .stream(length: 5, contentType: nil) { ByteStream([bytes]) },
                .data(bytes, contentType: .png),
            ]
            for body in bodies {
                _ = try await engine.perform("/", on: server, method: .post, body: body)
                let type = body.contentType ?? .octetStream
                #expect(server.requests.last?.values(of: "Content-Type") == [type.rawValue])
            }
        },
        EngineCheck("an invalid request is a RequestError, and nothing is sent") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let url = server.url
            let body = RequestBody.data(Data("x".utf8), contentType: nil)
            let headers: [HTTPHeaders] = [
                ["X\r\nEvil": "1"], ["X-A": "1\r\nEvil: 1"], ["X-A": "a\u{0}b"], ["X-A": "a\nb"], ["": "1"],
                [.contentLength: "3"], [.transferEncoding: "chunked"],
            ]
            let methods: [HTTPMethod] = ["GET / HTTP/1.1\r\nEvil: 1\r\n\r\n", ""]
            var requests = headers.map { HTTPRequest(url: url, headers: $0) }
            requests += methods.map { HTTPRequest(method: $0, url: url) }
            requests += [HTTPMethod.get, .head].map { HTTPRequest(method: $0, url: url, body: body) }
            let missing = try TemporaryFile().url  // removed with its last reference
            let files = [missing, missing.deletingLastPathComponent()]
            requests += files.map { HTTPRequest(method: .put, url: url, body: .file($0)) }
            requests += files.map { HTTPRequest(method: .put, url: url, body: .file($0, range: 0..<0)) }
            let short = try file(bytes(5))
            requests += [4..<6, -1..<2].map {
                HTTPRequest(method: .put, url: url, body: .file(short.url, range: $0))
            }
            for port in ["0", "65536", "99999", "18446744073709551617"] {
                requests.append(HTTPRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/"))))
            }
            for request in requests {
                await #expect(throws: RequestError.self) { try await engine.client.perform(request) }
            }
            #expect(server.requests.isEmpty)
        },
        EngineCheck("concurrent requests get their own responses") { engine in
            let server = try LoopbackServer { request in .text(request.target) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for target in (0..<200).map({ "/\($0)" }) {
                    group.addTask {
                        let response = try await engine.perform(target, on: server)
                        #expect(response.text == target)
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 200)
        },
        EngineCheck("compressed responses are accepted unless the request sets Accept-Encoding") { engine in
            let server = try LoopbackServer { _ in .text("") }
            _ = try await engine.perform("/", on: server)
            _ = try await engine.perform("/", on: server, headers: [.acceptEncoding: "identity"])
            let encodings = server.requests.map { $0.values(of: "Accept-Encoding") }
            #expect(encodings.first?.first?.contains("gzip") == true)
            #expect(encodings.last == ["identity"])
        },
        EngineCheck("a cookie that the server sets is not sent back") { engine in
            guard !engine.quirks.contains(.keepsCookies) else { return }
            let server = try LoopbackServer { _ in .status(200, headers: [("Set-Cookie", "id=1; Path=/")]) }
            _ = try await engine.perform("/", on: server)
            _ = try await engine.perform("/", on: server)
            #expect(server.requests.last?.values(of: "Cookie") == [])
        },
    ]
}
