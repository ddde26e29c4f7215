import APIKitFoundation
import APIKitTestServer
import APIKitTesting
import Testing

#if canImport(Glibc) || canImport(Darwin)
/// Lines for curl, as a real shell and a real curl read them. They run in a process of their own: Foundation's
/// `Process` on Linux passes open sockets on to the shell, which other tests would find open once they have closed
/// them.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: ProcessInfo.processInfo.environment["APIKIT_SHELL"] != nil, "run by make curl"))
struct CURLShellTests {
    private static let file = FileManager.default.temporaryDirectory.appending(path: "curl 'file' \(UUID()).bin")

    private struct Call: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: @Sendable (URL) -> HTTPRequest

        init(_ name: String, _ request: @escaping @Sendable (URL) -> HTTPRequest) {
            testDescription = name
            self.request = request
        }
    }

    private static let calls: [Call] = [
        Call("GET") { HTTPRequest(url: $0) },
        Call("HEAD") { HTTPRequest(method: .head, url: $0) },
        Call("DELETE") { HTTPRequest(method: .delete, url: $0) },
        Call("a method of its own") { HTTPRequest(method: "PURGE", url: $0) },
        Call("what a shell and curl would read otherwise") { url in
            HTTPRequest(
                url: URL(string: "\(url)/a%20b/{c,d}/%5B1-3%5D/it's;$HOME&`x`/%2e%2e/e?x=1&y=a|b")
                    ?? URL(string: "\(url)/a%20b/it's;$HOME&/%2e%2e/e?x=1&y=$(ls)")!)
        },
        Call("headers") {
            HTTPRequest(
                url: $0,
                headers: [
                    .accept: "text/html", .userAgent: "App/1.0", .authorization: "Bearer 1'\"$x`", "X-Empty": "",
                    "X-Quote": "it's \\ \"here\"", "X-At": "@file", .contentType: "text/plain",
                ])
        },
        Call("a form") { HTTPRequest(method: .post, url: $0, body: .form(["a": "1 2", "p": "100%", "q": "it's"])) },
        Call("JSON") { HTTPRequest(method: .put, url: $0, body: .json(["a\n'\\": "%d\t\u{0}é😀"])) },
        Call("all bytes") {
            HTTPRequest(method: .post, url: $0, body: .data(Data((0...255).map(UInt8.init)), contentType: nil))
        },
        Call("an at sign") { HTTPRequest(method: .patch, url: $0, body: .data(Data("@x".utf8), contentType: nil)) },
        Call("an empty body") { HTTPRequest(method: .post, url: $0, body: .data(Data(), contentType: nil)) },
        Call("a file") { HTTPRequest(method: .post, url: $0, body: .file(file)) },
        Call("a form with a file") { url in
            var form = MultipartForm()
            form.append("it's", for: "na'me")
            form.append(FilePart(file), for: "file")
            form.append(FilePart(Data([0, 1, 0xFF]), filename: "a%.bin"), for: "bytes")
            return HTTPRequest(method: .post, url: url, body: .multipart(form))
        },
        Call("a large body") {
            HTTPRequest(method: .post, url: $0, body: .data(Data(repeating: 0x61, count: 50_000), contentType: nil))
        },
    ]

    @Test(arguments: calls)
    private func shellSendsTheSameRequest(call: Call) async throws {
        try Data("a file's bytes\n".utf8).write(to: Self.file)
        defer { try? FileManager.default.removeItem(at: Self.file) }
        let server = try LoopbackServer { _ in .text("ok") }
        let request = try call.request(server.url.appending(path: "path")).validated()
        try run(request.curlCommand(showingSecrets: true))
        let sent = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(sent.method == request.method.rawValue)
        #expect("\(server.url)\(sent.target)" == request.url.absoluteString)
        let expected = try await request.body?.bytes.data(upTo: 1 << 20)
        #expect(sent.body == expected ?? Data())
        var headers = request.headers
        headers["Host"] = "127.0.0.1:\(server.port)"
        if let expected { headers["Content-Length"] = "\(expected.count)" }
        #expect(
            Set(sent.headers.map { "\($0.name.lowercased()): \($0.value)" })
                == Set(headers.map { "\($0.name.rawValue.lowercased()): \($0.value)" }))
    }

    private func run(_ command: String) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "\(command) --silent --max-time 20 --output /dev/null"]
        shell.standardInput = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }
}
#endif
