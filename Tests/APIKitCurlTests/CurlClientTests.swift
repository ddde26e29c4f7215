#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import Foundation
import EngineConformance
import TestTraits
import Testing

/// What the contract of engines leaves open.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlClientTests {
    private func client(_ change: (inout CurlClient.Configuration) -> Void = { _ in }) -> CurlClient {
        var configuration = CurlClient.Configuration()
        change(&configuration)
        return CurlClient(configuration)
    }

    // MARK: - Requests

    @Test func configuredHeadersAreDefaults() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let client = client { $0.headers = ["X-Team": "blue", .userAgent: "Shop/1.0"] }
        _ = try await client.perform(HTTPRequest(url: server.url))
        _ = try await client.perform(HTTPRequest(url: server.url, headers: ["X-Team": "red"]))
        #expect(server.requests.map { $0.values(of: "X-Team") } == [["blue"], ["red"]])
        #expect(server.requests.map { $0.values(of: "User-Agent") } == [["Shop/1.0"], ["Shop/1.0"]])
    }

    @Test func requestNamesItsProgramAndTheCodings() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        _ = try await client().perform(HTTPRequest(url: server.url))
        let request = try #require(server.requests.first)
        #expect(request.values(of: "User-Agent").first?.hasSuffix(" libcurl") == true)
        #expect(request.values(of: "Accept-Encoding").first?.hasPrefix("gzip") == true)
        // Some servers send it in a format that is not read.
        #expect(request.values(of: "Accept-Encoding").first?.contains("deflate") == false)
    }

    @Test func limitMayBeTheLargestNumber() async throws {
        let client = client {
            $0.connectionsPerHost = .max
            $0.connections = .max
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(try LoopbackServer.unusedPort())/"))
        let error = await #expect(throws: TransportError.self) { try await client.perform(HTTPRequest(url: url)) }
        #expect(error?.code == .cannotConnect)
    }

    @Test func limitIsForEachHost() async throws {
        let gate = Gate()
        let slow = try LoopbackServer { _ in ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("slow").steps) }
        let quick = try LoopbackServer { _ in .text("quick") }
        let client = client { $0.connectionsPerHost = 1 }
        async let waiting = client.perform(HTTPRequest(url: slow.url))
        await slow.waitForRequests(1)
        let options = RequestOptions(timeout: .seconds(5))
        let response = try await client.perform(HTTPRequest(url: quick.url, options: options))
        #expect(response.body.text == "quick")
        gate.open()
        #expect(try await waiting.body.text == "slow")
    }

    /// libcurl says of it that no memory is left.
    @Test func headerThatIsTooLongIsNotAFaultOfTheResponse() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let request = HTTPRequest(url: server.url, headers: ["X-Long": String(repeating: "x", count: 2 << 20)])
        let error = await #expect(throws: TransportError.self) { try await client().perform(request) }
        #expect(error?.code == .other)
        #expect(error?.message?.contains("1 MiB") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func blankHeaderIsSent() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        _ = try await client().perform(HTTPRequest(url: server.url, headers: ["X-Blank": " ", "X-Empty": ""]))
        let request = try #require(server.requests.first)
        #expect(request.values(of: "X-Blank") + request.values(of: "X-Empty") == ["", ""])
    }

    /// A program that is started meanwhile would keep the connection open.
    @Test func connectionsAreClosedInPrograms() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = client()
        _ = try await client.perform(HTTPRequest(url: server.url))
        let inherited = (Int32(3)..<1024).filter { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isPeer = withUnsafeMutableBytes(of: &address) { bytes in
                getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size) == 0
            }
            guard isPeer, Int(UInt16(bigEndian: address.sin_port)) == server.port else { return false }
            return fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
        }
        #expect(inherited == [])
        withExtendedLifetime(client) {}
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"] as [HTTPMethod])
    func requestWithoutABodyHasNoType(method: HTTPMethod) async throws {
        let server = try LoopbackServer { _ in .status(204) }
        _ = try await client().perform(HTTPRequest(method: method, url: server.url))
        let request = try #require(server.requests.first)
        #expect(request.values(of: "Content-Type") == [])
        #expect(request.values(of: "Expect") == [])
        // RFC 9110, section 8.6.
        let isExpectedToHaveOne = [HTTPMethod.post, .put, .patch].contains(method)
        #expect(request.values(of: "Content-Length") == (isExpectedToHaveOne ? ["0"] : []))
    }

    @Test func postUsesAKeptConnection() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = client()
        var reuses: [Bool?] = []
        for count in [0, 10, 100_000] {
            let body = RequestBody.data(Data(count: count), contentType: nil)
            let response = try await client.perform(HTTPRequest(method: .post, url: server.url, body: body))
            reuses.append(response.timing.isConnectionReused)
        }
        #expect(reuses == [false, true, true])
        #expect(server.openConnections == 1)
    }

    @Test(
        arguments: [
            (HTTPRequest(method: .post, url: anywhere), 1),
            (HTTPRequest(method: .post, url: anywhere, options: RequestOptions(isIdempotent: true)), 2),
            (HTTPRequest(method: .post, url: anywhere, headers: [.idempotencyKey: "1"]), 2),
            (HTTPRequest(url: anywhere), 2),
        ] as [(HTTPRequest, Int)])
    func brokenConnectionIsReplacedForARepeatableRequest(request: HTTPRequest, count: Int) async throws {
        let server = try LoopbackServer { $0.path == "/" ? .text("ok") : ServerAnswer(steps: [.close]) }
        let client = client()
        _ = try await client.perform(HTTPRequest(url: server.url))
        let lost = HTTPRequest(
            method: request.method, url: server.url.appendingPathComponent("lost"), headers: request.headers,
            options: request.options)
        await #expect(throws: TransportError.self) { try await client.perform(lost) }
        #expect(server.requests.count { $0.path == "/lost" } == count)
    }

    // MARK: - Responses

    @Test func headersKeepTheirOrderAndRepetitions() async throws {
        let head =
            "HTTP/1.1 200 OK\r\nX-B: 1\r\nset-cookie: a=1\r\nX-A: \r\nSet-Cookie: b=2\r\nX-Folded: one\r\n two\r\n"
        let server = try LoopbackServer { _ in .raw("\(head)Content-Length: 0\r\n\r\n") }
        let headers = try await client().perform(HTTPRequest(url: server.url)).head.headers
        #expect(headers.map(\.name.rawValue).prefix(4) == ["X-B", "set-cookie", "X-A", "Set-Cookie"])
        #expect(headers.values(for: .setCookie) == ["a=1", "b=2"])
        #expect(headers["X-A"] == "")
        #expect(headers["X-Folded"] == "one two")
    }

    /// libcurl 7.83 to 7.88 would add such a line to a header of the handle's last response, which is gone.
    @Test(arguments: ["", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"])
    func headersThatBeginWithAFoldedLineAreRefused(before: String) async throws {
        let server = try LoopbackServer { request in
            let long = "X-Long: \(String(repeating: "a b ", count: 10_000))"
            let first = request.path == "/good" ? long : " X-Long: 1"
            return .raw("\(before)HTTP/1.1 200 OK\r\n\(first)\r\nContent-Length: 2\r\n\r\nok")
        }
        let client = client()
        for _ in 0..<3 {
            let good = HTTPRequest(url: server.url.appendingPathComponent("good"))
            #expect(try await client.perform(good).head.headers["X-Long"]?.utf8.count == 39_999)
            let error = await #expect(throws: TransportError.self) {
                try await client.perform(HTTPRequest(url: server.url))
            }
            #expect(error?.code == .badResponse)
        }
    }

    /// Lines that responses repeat are shared.
    @Test func headersThatDifferLittleAreNotMixedUp() async throws {
        let server = try LoopbackServer { request in
            let name = request.path.dropFirst()
            let fields = (0..<100).map { "X-Field-Of-Some-Length-\($0): \(name)-\($0)-and-so-on\r\n" }.joined()
            return .raw("HTTP/1.1 200 OK\r\n\(fields)content-length: \(name.count)\r\n\r\n\(name)")
        }
        let client = client()
        for name in ["a", "b", "a", "cc", "a"] {
            let url = server.url.appendingPathComponent(name)
            let response = try await client.perform(HTTPRequest(url: url, headers: ["X-Name": name]))
            #expect(response.body.text == name)
            for index in 0..<100 {
                let field = HTTPHeaders.Name(rawValue: "x-field-of-some-length-\(index)")
                #expect(response.head.headers[field] == "\(name)-\(index)-and-so-on")
            }
        }
        let names = server.requests.map { $0.values(of: "X-Name") }
        #expect(names == [["a"], ["b"], ["a"], ["cc"], ["a"]])
    }

    /// What is equal for `==` may differ in bytes, and goes to the server as it is.
    @Test func headersAreSentByteByByte() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let client = client()
        let values = ["\u{E9}", "e\u{301}", "\u{F900}", "\u{8C48}", "K", "\u{212A}"]
        for value in values { _ = try await client.perform(HTTPRequest(url: server.url, headers: ["X-Name": value])) }
        let received = server.requests.flatMap { $0.values(of: "X-Name") }.map { Array($0.utf8) }
        #expect(received.count == values.count)
        #expect(Set(received).count == values.count)
    }

    @Test func postWithoutBodyHasNoTypeAfterGETWithTheSameHeaders() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let client = client()
        for method in [HTTPMethod.get, .post, .get] {
            _ = try await client.perform(HTTPRequest(method: method, url: server.url))
        }
        #expect(server.requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(server.requests.flatMap { $0.values(of: "Content-Type") } == [])
    }

    private func answer(trailers: String) -> ServerAnswer {
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\(trailers)\r\n")
    }

    @Test(
        arguments: [
            ("X-Sum: 1\r\nX-Sum:2\r\n", ["X-Sum: 1", "X-Sum: 2"]), ("", []),
            ("Transfer-Encoding: gzip\r\nContent-Length: 9\r\nTrailer: X\r\nHost: x\r\n", []),
            ("X-Blank:\r\n", ["X-Blank: "]),
        ] as [(String, [String])])
    func readsTrailers(lines: String, fields: [String]) async throws {
        let server = try LoopbackServer { [self] _ in answer(trailers: lines) }
        let body = try await client().perform(HTTPRequest(url: server.url)).body
        #expect(body.data == Data("ab".utf8))
        #expect(body.trailers.map { "\($0.name): \($0.value)" } == fields)
    }

    @Test(arguments: ["no colon\r\n", "X-Sum: a\0b\r\n", "X-Sum: a\rb\r\n"])
    func malformedTrailersAreABadResponse(lines: String) async throws {
        let server = try LoopbackServer { [self] _ in answer(trailers: lines) }
        let error = await #expect(throws: TransportError.self) {
            try await client().perform(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .badResponse)
    }

    @Test func endlessTrailersAreABadResponse() async throws {
        let line = Data("X-Long: \(String(repeating: "a", count: 1000))\r\n".utf8)
        let start = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n".utf8)
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.send(start), .sendRepeatedly(line, times: 10_000)])
        }
        let request = HTTPRequest(url: server.url, delivery: .stream)
        let error = await #expect(throws: TransportError.self) {
            try await client().perform(request).body.bytes.data(upTo: 10)
        }
        #expect(error.map { [.badResponse, .connectionLost].contains($0.code) } == true)
    }

    @Test func trailersOfACompressedBodyAreRead() async throws {
        let body = Self.gzipped
        let start = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        let end = Data("\r\n0\r\nX-Sum: 1\r\n\r\n".utf8)
        let bytes = Data("\(start)\(String(body.count, radix: 16))\r\n".utf8) + body + end
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.send(bytes), .close]) }
        let response = try await client().perform(HTTPRequest(url: server.url))
        #expect(response.body.text == String(repeating: "a", count: 20))
        #expect(response.body.trailers == ["X-Sum": "1"])
    }

    @Test func endlessHeadIsABadResponse() async throws {
        let line = Data("X-Long: \(String(repeating: "a", count: 1000))\r\n".utf8)
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.send(Data("HTTP/1.1 200 OK\r\n".utf8)), .sendRepeatedly(line, times: 10_000)])
        }
        let error = await #expect(throws: TransportError.self) {
            try await client().perform(HTTPRequest(url: server.url))
        }
        #expect(error.map { [.badResponse, .connectionLost].contains($0.code) } == true)
    }

    /// Twenty letters a.
    private static let gzipped = Data([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0x4B, 0x4C, 0xC4, 4, 0, 0xCE, 0x8B, 0x6F, 0x26, 20, 0, 0, 0,
    ])

    @Test(arguments: [ResponseBody.Delivery.data, .stream, .file])
    func compressedBodyThatEndsEarlyIsABadResponse(delivery: ResponseBody.Delivery) async throws {
        for count in 1..<Self.gzipped.count {
            let server = try LoopbackServer { _ in
                .status(200, headers: [("Content-Encoding", "gzip")], body: Self.gzipped.prefix(count))
            }
            let error = await #expect(throws: TransportError.self) {
                try await client().perform(HTTPRequest(url: server.url, delivery: delivery)).body.bytes.data(upTo: 100)
            }
            #expect(error?.code == .badResponse, "\(count) bytes")
        }
    }

    @Test func gzipBodyOfSeveralMembersIsDecoded() async throws {
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Encoding", "gzip")], body: Self.gzipped + Self.gzipped)
        }
        let response = try await client().perform(HTTPRequest(url: server.url))
        #expect(response.body.data == Data(repeating: 0x61, count: 40))
    }

    @Test func timingKnowsTheConnection() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = client()
        let first = try await client.perform(HTTPRequest(url: server.url)).timing
        #expect(first.isConnectionReused == false)
        #expect(first.connect.map { $0 < .seconds(1) } == true)
        #expect(first.secureHandshake == nil)
        let second = try await client.perform(HTTPRequest(url: server.url)).timing
        #expect(second.isConnectionReused == true)
        #expect(second.nameLookup == nil && second.connect == nil)
    }

    // MARK: - Connections

    @Test func proxyGetsTheWholeURL() async throws {
        let proxy = try LoopbackServer { _ in .text("from afar") }
        let client = client { $0.proxy = .server(proxy.url) }
        let response = try await client.perform(HTTPRequest(url: URL(string: "http://far.invalid/a?b=c")!))
        #expect(response.body.data == Data("from afar".utf8))
        #expect(proxy.requests.map(\.target) == ["http://far.invalid/a?b=c"])
    }

    @Test func environmentNamesAProxyIfThatIsConfigured() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { _ in .text("proxied") }
            let server = try LoopbackServer { _ in .text("direct") }
            setenv("http_proxy", proxy.url.absoluteString, 1)
            var configuration = CurlClient.Configuration()
            let direct = try await CurlClient(configuration).perform(HTTPRequest(url: server.url))
            #expect(direct.body.data == Data("direct".utf8))
            configuration.proxy = .system
            let proxied = try await CurlClient(configuration).perform(HTTPRequest(url: server.url))
            #expect(proxied.body.data == Data("proxied".utf8))
        }
    }

    @Test func connectionsInAllAreLimited() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps) }
        let client = client { $0.connections = 2 }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await client.perform(HTTPRequest(url: server.url)).head.status } }
            await server.waitForRequests(2)
            #expect(server.openConnections == 2)
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func transferTimeoutHoldsForAStream() async throws {
        let head = Data("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.send(head), .sendForever(Data("a".utf8), pause: .milliseconds(20))])
        }
        let client = client { $0.transferTimeout = .milliseconds(300) }
        let response = try await client.perform(HTTPRequest(url: server.url, delivery: .stream))
        let error = await #expect(throws: TransportError.self) { try await response.body.bytes.data(upTo: .max) }
        #expect(error?.code == .timedOut)
    }

    @Test func unusedConnectionsAreClosed() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = client { $0.idleTimeout = .milliseconds(50) }
        for _ in 0..<3 {
            _ = try await client.perform(HTTPRequest(url: server.url))
            await server.waitUntilIdle()
        }
        withExtendedLifetime(client) {}
    }

    @Test func releasedClientEndsItsRequestsFirst() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps) }
        var client: CurlClient? = client()
        let stream = Task { [client] in try await client?.perform(HTTPRequest(url: server.url, delivery: .stream)) }
        await server.waitForRequests(1)
        client = nil
        gate.open()
        let response = try #require(try await stream.value)
        #expect(try await response.body.bytes.data(upTo: 10) == Data("ok".utf8))
        await server.waitUntilIdle()
    }
}

private let anywhere = URL(string: "http://127.0.0.1/")!  // a valid literal
#endif
