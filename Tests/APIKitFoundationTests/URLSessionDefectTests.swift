#if canImport(FoundationNetworking)
import APIKitFoundation
import APIKitTesting
import APIKitTestServer
import Testing

/// What Foundation's `URLSession` on Linux does wrong and nothing above it can mend, as the documentation says. Each
/// test fails once a release of Foundation mends its defect; then the quirk and the sentence can go.
///
/// Those that end the process run in one of their own.
@Suite(.timeLimit(.minutes(2))) struct URLSessionDefectTests {
    /// Shows that the tests below see what they are meant to see.
    @Test func aPlainResponseEndsNothing() async {
        await #expect(processExitsWith: .success) {
            await URLSessionDefectTests.receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
        }
    }

    @Test func aTrailerFieldEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            await URLSessionDefectTests.receive(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n")
        }
    }

    @Test func anEnormousContentLengthEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            await URLSessionDefectTests.receive("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nab")
        }
    }

    @Test func aConnectionThatClosesAmidTheHeadersEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            await URLSessionDefectTests.receive("HTTP/1.1 200 OK\r\nContent-")
        }
    }

    @Test func aLateResponseIsTakenForTheNextRequests() async throws {
        // It is late only if the first response has been read, so it waits for that, and the test tries again.
        for _ in 0..<200 {
            let isRead = Gate()
            let server = try LoopbackServer { request in
                guard request.path == "/first" else { return .text("second") }
                return ServerAnswer(
                    steps: ServerAnswer.text("first").steps + [.waitFor(isRead)] + ServerAnswer.text("late").steps)
            }
            _ = try await URLSession.api.send(Probe<String>(baseURL: server.url, path: "first"))
            isRead.open()
            for _ in 0..<1_000 { await Task.yield() }
            if try await URLSession.api.send(Probe<String>(baseURL: server.url, path: "second")) == "late" { return }
        }
        Issue.record("no late response was taken for another's")
    }

    @Test func aBlankHeaderValueAndOneInLatin1AreBadResponses() async throws {
        for value in [[UInt8](" ".utf8), [0xE9]] {
            let head = Data("HTTP/1.1 200 OK\r\nX-Value: ".utf8) + value
            let server = try LoopbackServer { _ in
                ServerAnswer(steps: [.send(head + Data("\r\nContent-Length: 2\r\n\r\nab".utf8)), .close])
            }
            let error = await #expect(throws: TransportError.self) {
                try await URLSession.api.perform(HTTPRequest(url: server.url))
            }
            #expect(error?.code == .badResponse)
        }
    }

    @Test func aBodyWithoutALocationIsLost() async throws {
        let server = try LoopbackServer { _ in .status(302, body: Data("ab".utf8)) }
        let response = try await URLSession.api.perform(HTTPRequest(url: server.url))
        #expect(response.head.status == 302)
        #expect(response.body.data == Data())
    }

    /// RFC 1952, section 2.2, allows them.
    @Test func severalMembersOfGzipAreABadResponse() async throws {
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Encoding", "gzip")], body: Data(gzipped + gzipped))
        }
        let error = await #expect(throws: TransportError.self) {
            try await URLSession.api.perform(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .badResponse)
    }

    /// A gzip body that ends early in complete framing arrives short; one that goes to a file is not asked for in gzip.
    @Test func aCompressedBodyThatEndsEarlyArrivesShort() async throws {
        let server = try LoopbackServer { _ in
            .status(200, headers: [("Content-Encoding", "gzip")], body: Data(gzipped.prefix(13)))
        }
        let response = try await URLSession.api.perform(HTTPRequest(url: server.url))
        #expect((response.body.data?.count ?? .max) < 20)
        let file = try await URLSession.api.perform(HTTPRequest(url: server.url, delivery: .file))
        #expect(file.head.status == 200)
        #expect(server.requests.map { $0.values(of: "Accept-Encoding").contains("identity") } == [false, true])
    }

    /// Twenty letters a.
    private let gzipped: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0x4B, 0x4C, 0xC4, 4, 0, 0xCE, 0x8B, 0x6F, 0x26, 20, 0, 0, 0,
    ]

    private static func receive(_ answer: String) async {
        // try?: what comes of it is whether the process goes on.
        guard let server = try? LoopbackServer({ _ in .raw(answer) }) else { return }
        _ = try? await URLSession.api.perform(HTTPRequest(url: server.url))
    }

    @Test func withoutDescriptorsItCannotConnect() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer { _ in .text("ok") }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var codes: [TransportError.Code?] = []
            // A descriptor that was given back meanwhile lets it connect to a server that cannot accept.
            for _ in 0..<5 where !codes.contains(.cannotConnect) {
                while open("/dev/null", O_RDONLY) >= 0 {}
                let request = HTTPRequest(url: server.url, options: RequestOptions(timeout: .seconds(1)))
                let error = await #expect(throws: TransportError.self) { try await URLSession.api.perform(request) }
                codes.append(error?.code)
            }
            #expect(codes.contains(.cannotConnect))
        }
    }
}
#endif
