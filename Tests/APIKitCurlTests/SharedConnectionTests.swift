#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import EngineConformance
import Foundation
import TestTraits
import Testing

/// Connections that several requests share, over HTTP/2.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct SharedConnectionTests {
    private func request(_ url: String, timeout: RequestOptions.TimeLimit = .seconds(20)) throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: url)), options: RequestOptions(timeout: timeout))
    }

    private static let port = ProcessInfo.processInfo.environment["APIKIT_H2_PORT"]
    private static let nginx = ProcessInfo.processInfo.environment["APIKIT_NGINX_PORTS"]?.split(separator: " ").first

    /// One request may fail, since nobody can know before.
    @Test(.enabled(if: port != nil), arguments: [false, true])
    func silentConnectionGetsNoMoreRequests(hasDeadline: Bool) async throws {
        let client = CurlClient()
        let port = try #require(Self.port)
        let base = try #require(URL(string: "https://127.0.0.1:\(port)"))
        let path: URLPath = "silent/\(hasDeadline ? "deadline" : "timeout")"
        let url = "\(base)/silent/first"
        _ = try await client.perform(try request(url))
        for round in 1...2 {
            let options =
                hasDeadline
                ? RequestOptions(deadline: .milliseconds(1500)) : RequestOptions(timeout: .milliseconds(300))
            let silent = SilentRequest(base: APIBase(base), path: path, options: options)
            let error = await #expect(throws: APIError<String>.self, "round \(round)") { try await client.send(silent) }
            #expect(error?.transportCode == .timedOut)
            // Over another connection.
            let response = try await client.perform(try request(url))
            #expect(response.head.status == 200, "round \(round)")
        }
    }

    /// libcurl 7.76 drops them.
    @Test(
        .enabled(if: port != nil && dlsym(dlopen("libcurl.so.4", RTLD_NOW), "curl_easy_header") != nil),
        arguments: [ResponseBody.Delivery.data, .stream, .file])
    func trailersOverHTTP2(delivery: ResponseBody.Delivery) async throws {
        let url = "https://127.0.0.1:\(try #require(Self.port))/trailers/\(delivery)"
        var request = try request(url)
        request.delivery = delivery
        request.headers["TE"] = "trailers"
        let response = try await CurlClient().perform(request)
        #expect(try await response.body.bytes.data(upTo: 10) == Data("1".utf8))
        #expect(response.body.trailers == ["x-sum": "1"])
        #expect(response.head.headers["x-sum"] == nil)
    }

    @Test(.enabled(if: nginx != nil)) func manyRequestsNeedFewConnections() async throws {
        let client = CurlClient()
        let url = "https://127.0.0.1:\(try #require(Self.nginx))/"
        _ = try await client.perform(try request(url))
        let connections = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let body = try await client.perform(try request(url)).body.data
                    return String(decoding: body ?? Data(), as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(connections.count <= 2)
    }

    /// TLS 1.3 brings tickets along, which must not look like a response that nobody has asked for.
    @Test(.enabled(if: nginx != nil), arguments: [CurlClient.HTTPVersion.http1, .http2])
    func connectionWithTicketsIsKept(version: CurlClient.HTTPVersion) async throws {
        var configuration = CurlClient.Configuration()
        configuration.httpVersion = version
        let client = CurlClient(configuration)
        let url = "https://127.0.0.1:\(try #require(Self.nginx))/"
        var connections: Set<Data?> = []
        for _ in 0..<200 { connections.insert(try await client.perform(try request(url)).body.data) }
        #expect(connections.count == 1)
    }

    /// In `Tests/Environment/tls-server`, a second response follows the body within one record. The OpenSSL within the
    /// wheel of 7.76 cannot be asked whether something is left.
    @Test(.enabled(if: nginx != nil && ProcessInfo.processInfo.environment["APIKIT_LIBCURL"] != "7.76"))
    func responseInTheSameRecordIsNotTakenForTheNextOne() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["APIKIT_NGINX_FOLDER"])
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let server = Process()
        let (input, output) = (Pipe(), Pipe())
        server.executableURL = root.appending(path: "Environment/tls-server")
        server.arguments = ["good.crt", "good.key"].map { "\(folder)/\($0)" }
        (server.standardInput, server.standardOutput) = (input, output)
        try server.run()
        defer { try? input.fileHandleForWriting.close() }
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)
        let client = CurlClient()
        for user in 1...20 {
            let first = try await client.perform(try request("https://127.0.0.1:\(port)/twice"))
            #expect(first.body.data == Data("first".utf8))
            var next = try request("https://127.0.0.1:\(port)/")
            next.headers[.authorization] = "Basic \(user)"
            #expect(try await client.perform(next).body.data == Data("Basic \(user)".utf8))
        }
    }

    /// All wait to learn whether the first connection can be shared, but not for long.
    @Test func stalledHandshakeHoldsUpNoOthers() async throws {
        let gate = Gate()
        // The tunnel is a part of what comes before the handshake.
        let proxy = try LoopbackServer { _ in ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.status(502).steps) }
        var configuration = CurlClient.Configuration()
        configuration.proxy = .server(proxy.url)
        let client = CurlClient(configuration)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { _ = try? await client.perform(try request("https://far.invalid/")) }
            }
            await proxy.waitForRequests(10)
            gate.open()
        }
        #expect(proxy.requests.count >= 10)
    }
}

private struct SilentRequest: APIRequest {
    typealias Response = String
    typealias Failure = String
    var base: APIBase
    var path: URLPath
    var options: RequestOptions
}
#endif
