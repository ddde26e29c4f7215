import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

#if canImport(Glibc) || os(macOS)
/// Lines for curl, as a real shell and a real curl read them. They run in a process of their own: Foundation's
/// `Process` on Linux passes open sockets on to the shell, which other tests would find open once they have closed
/// them.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ProcessInfo.processInfo.environment["APIKIT_SHELL"] != nil, "run by make curl"))
struct CURLShellTests {
    private static let file = FileManager.default.temporaryDirectory.appending(path: "curl 'file' \(UUID()).bin")

    private struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: @Sendable (URL) -> HTTPRequest

        init(_ name: String, _ request: @escaping @Sendable (URL) -> HTTPRequest) {
            (testDescription, self.request) = (name, request)
        }
    }

    private static let calls: [Call] = [
        call("GET", .get), call("HEAD", .head), call("DELETE", .delete), call("a POST without a body", .post),
        call("a PATCH without a body", .patch), call("a method of its own", "PURGE"),
        Call("what a shell and curl would read otherwise") { url in
            HTTPRequest(
                url: URL(string: "\(url)/a%20b/{c,d}/%5B1-3%5D/it's;$HOME&`x`/%2e%2e/e?x=1&y=a|b")
                    ?? URL(string: "\(url)/a%20b/it's;$HOME&/%2e%2e/e?x=1&y=$(ls)")!)
        },
        Call("headers") {
            let headers: HTTPHeaders = [
                .accept: "text/html", .userAgent: "App/1.0", .authorization: "Bearer 1'\"$x`", "X-Empty": "",
                "X-Quote": "it's \\ \"here\"", "X-At": "@file", .contentType: "text/plain",
            ]
            return HTTPRequest(url: $0, headers: headers)
        },
        call("a form", .post, .form(["a": "1 2", "p": "100%", "q": "it's"])),
        call("JSON", .put, .json(["a\n'\\": "%d\t\u{0}é😀"])),
        call("all bytes", .post, .data(Data((0...255).map(UInt8.init)), contentType: nil)),
        call("an at sign", .patch, .data(Data("@x".utf8), contentType: nil)),
        call("an empty body", .post, .data(Data(), contentType: nil)), call("a file", .post, .file(file)),
        call("a range of a file", .post, .file(file, range: 2..<9)),
        call("a range to the end of a file", .post, .file(file, range: 0..<15)),
        call("an empty range of a file", .post, .file(file, range: 3..<3)),
        Call("a form with a file") { url in
            var form = MultipartForm()
            form.append("it's", for: "na'me")
            form.append(FilePart(file), for: "file")
            form.append(FilePart(.file(file, range: 2..<9), filename: "chunk.bin"), for: "chunk")
            form.append(FilePart(Data([0, 1, 0xFF]), filename: "a%.bin"), for: "bytes")
            return HTTPRequest(method: .post, url: url, body: .multipart(form))
        },
        call("a large body", .post, .data(Data(repeating: 0x61, count: 50_000), contentType: nil)),
    ]

    private static func call(_ name: String, _ method: HTTPMethod, _ body: RequestBody? = nil) -> Call {
        Call(name) { HTTPRequest(method: method, url: $0, body: body) }
    }

    @Test(arguments: calls)
    private func shellSendsTheSameRequest(call: Call) async throws {
        try Data("a file's bytes\n".utf8).write(to: Self.file)
        defer { try? FileManager.default.removeItem(at: Self.file) }
        let server = try LoopbackServer { _ in .text("ok") }
        let request = try call.request(server.url.appending(path: "path")).prepared(in: APIKit.Call())
        let line = "\(request.curlCommand(showingSecrets: true)) --silent --max-time 20 --output /dev/null"
        try run("sh", ["-c", line])
        let sent = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(sent.method == request.method.rawValue)
        #expect("\(server.url)\(sent.target)" == request.url.absoluteString)
        let expected = try await request.body?.bytes.data(upTo: 1 << 20)
        #expect(sent.body == expected ?? Data())
        var headers = request.headers
        // Curl's own, unless the request has one.
        if headers[.userAgent] == nil { headers[.userAgent] = sent.headers.first { $0.name == "User-Agent" }?.value }
        #expect(headers[.userAgent]?.isEmpty == false)
        headers["Host"] = "127.0.0.1:\(server.port)"
        // What the library sends without a body: RFC 9110, section 8.6.
        let isEmpty = expected == nil && [.post, .put, .patch].contains(request.method)
        if let length = expected?.count ?? (isEmpty ? 0 : nil) { headers["Content-Length"] = "\(length)" }
        #expect(
            Set(sent.headers.map { "\($0.name.lowercased()): \($0.value)" })
                == Set(headers.map { "\($0.name.rawValue.lowercased()): \($0.value)" }))
    }

    private func run(
        _ name: String, _ arguments: [String], in folder: URL? = nil, to output: FileHandle = .nullDevice
    ) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/env")
        shell.arguments = [name] + arguments
        shell.currentDirectoryURL = folder
        shell.standardInput = FileHandle.nullDevice
        shell.standardOutput = output
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    // MARK: - Any request

    /// Each shell reads all lines in one process, with a `curl` that prints its arguments and its input. The masked
    /// lines are run for what else they might run.
    @Test func shellsReadTheWordsOfAnyRequest() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = RandomRequests(state: 19)
        let requests = (0..<2_000).map { _ in random.request() }
        let lines = requests.map { $0.curlCommand(showingSecrets: true) }
        let script = [
            #"curl() { printf '%s\0' "$@"; for last; do :; done; [ "$last" != @- ] || cat; }"#,
            lines.joined(separator: "\n"), "curl() { :; }", requests.map(\.curlCommand).joined(separator: "\n"),
        ]
        try Data(script.joined(separator: "\n").utf8).write(to: folder.appending(path: "script"))
        for shell in ["sh", "bash"] {
            let output = folder.appending(path: "output")
            try Data().write(to: output)
            let handle = try FileHandle(forWritingTo: output)
            try run(shell, ["script"], in: folder, to: handle)
            try handle.close()
            var printed = try Data(contentsOf: output)[...]
            for (request, line) in zip(requests, lines) {
                let expected = Self.printed(by: request)
                try #require(printed.prefix(expected.count) == expected, "\(shell): \(line.debugDescription)")
                printed = printed.dropFirst(expected.count)
            }
            #expect(printed.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["output", "script"])
        }
    }

    private static func printed(by request: HTTPRequest) -> Data {
        var words = ["--globoff", "--path-as-is"]
        if request.method != .get || request.body != nil { words += ["--request", request.method.rawValue] }
        words.append(request.url.absoluteString)
        for field in request.headers {
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            words += ["--header", isBlank ? "\(field.name);" : "\(field.name): \(field.value)"]
        }
        if request.body != nil { words += ["--header", "Content-Type: application/octet-stream"] }
        words += ["--header", "Accept:"]
        words += request.body == nil ? [] : ["--header", "Expect:", "--data-binary", "@-"]
        if request.body == nil, request.method == .post { words += ["--header", "Content-Length: 0"] }
        return Data(words.map { "\($0)\0" }.joined().utf8) + (request.body?.data ?? Data())
    }

    /// Requests full of what shells, `printf` and Unicode give a meaning, the same in every run.
    private struct RandomRequests: RandomNumberGenerator {
        var state: UInt64

        private static let pieces = [
            "'", "'\u{301}", "'\u{FE0F}", "'\u{200D}", "'\\''", "\"", "\"\u{301}", "\n", "\r\n", "\r", "\t", "\u{1}",
            "\u{7F}", "$", "$HOME", "$(touch pwned)", "${x:=y}", "`touch pwned`", "`\u{301}", "\\", "\\\n", "\\0",
            "\\c", "\\\u{301}", ";touch pwned;", "|touch pwned|", "&touch pwned&", "(", ")", "<", ">pwned", "!", "!!",
            "*", "?", "[a]", "{a,b}", "~", "#", "%", "%s", "%%", "%d%n", "=", "@", "-", "--", " ", "  ", "a", "Z", "0",
            "\u{301}", "\u{E9}", "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}", "\u{2028}", "\u{85}", "\u{FEFF}",
        ]

        /// Donald Knuth's MMIX generator, whose high bits are the better ones.
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 33)
        }

        private mutating func text() -> String {
            (0..<Int.random(in: 0...8, using: &self)).map { _ in Self.pieces.randomElement(using: &self) ?? "" }
                .joined()
        }

        mutating func request() -> HTTPRequest {
            let method: HTTPMethod =
                [.get, .post, .delete, HTTPMethod(rawValue: text())].randomElement(using: &self) ?? .get
            var headers = HTTPHeaders()
            for index in 0..<Int.random(in: 0...3, using: &self) {
                headers.append(text(), for: HTTPHeaders.Name(rawValue: "X-\(index)\(text())"))
            }
            let url = URL(string: "https://api.example.com/\(text())?\(text())") ?? URL(string: "https://h/")!
            var bytes = Data(text().utf8)
            if Bool.random(using: &self) { bytes += [0, 0xFF, 0x27, 0xCC, 0x81, 0] }
            let hasBody = method != .get && Int.random(in: 0..<4, using: &self) == 0
            return HTTPRequest(
                method: method, url: url, headers: headers, body: hasBody ? .data(bytes, contentType: nil) : nil)
        }
    }
}
#endif
