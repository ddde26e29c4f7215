#if os(Linux)
import APIKit
import EngineConformance
import Testing

/// What a `CurlClient` can be configured with, against nginx, in `make interop`.
@Suite(.enabled(if: EngineCheck.hasSecureServer), .timeLimit(.minutes(10))) struct CurlTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// The server with a good certificate, and the one that wants a certificate of the client's.
    private static let (good, suspicious) = (url(0), url(5))

    private static func url(_ index: Int) -> URL {
        let ports = (environment["APIKIT_NGINX_PORTS"] ?? "").split(separator: " ")
        return URL(string: "https://127.0.0.1:\(ports.count > index ? ports[index] : "1")/")!  // a port is digits
    }

    private func file(_ name: String) -> URL {
        URL(filePath: Self.environment["APIKIT_NGINX_FOLDER"] ?? "/").appending(path: name)
    }

    private func client(_ change: (inout CurlClient.Configuration) -> Void) -> CurlClient {
        var configuration = CurlClient.Configuration()
        change(&configuration)
        return CurlClient(configuration)
    }

    private func get(
        _ url: URL, _ change: (inout CurlClient.Configuration) -> Void = { _ in }
    ) async throws -> (status: Int, text: String) {
        let response = try await client(change).perform(HTTPRequest(url: url))
        return (response.head.status, text(response))
    }

    private func expectNoTrust(in url: URL, _ change: (inout CurlClient.Configuration) -> Void) async {
        let error = await #expect(throws: TransportError.self) { try await get(url, change) }
        #expect(error?.code == .secureConnectionFailed)
    }

    private func text(_ response: HTTPResponse) -> String {
        String(decoding: response.body.data ?? Data(), as: UTF8.self)
    }

    @Test func rootCertificatesReplaceThoseOfTheSystem() async throws {
        #expect(try await get(Self.good) { $0.rootCertificates = file("root.crt") }.status == 200)
        await expectNoTrust(in: Self.good) { $0.rootCertificates = file("self.crt") }
    }

    @Test func serverMustHaveAPinnedKey() async throws {
        let pin = try String(contentsOf: file("pin"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let other = Data(count: 32).base64EncodedString()
        for pins in [PublicKeyPins(pin, backup: other), PublicKeyPins(other, backup: pin)] {
            try #require(pins != nil)
            #expect(try await get(Self.good) { $0.pins = pins }.status == 200)
        }
        await expectNoTrust(in: Self.good) { $0.pins = PublicKeyPins(other, backup: other) }
        let client = URLSession.api(pins: PublicKeyPins(other, backup: other))
        await #expect(throws: TransportError.self) { try await client.perform(HTTPRequest(url: Self.good)) }
    }

    @Test func clientPresentsItsCertificate() async throws {
        func certificate(_ name: String, _ key: String) -> CurlClient.ClientCertificate {
            CurlClient.ClientCertificate(certificate: file(name), key: file(key))
        }
        let status = try await get(Self.suspicious) { $0.clientCertificate = certificate("good.crt", "good.key") }
            .status
        #expect(status == 200)
        #expect(try await get(Self.suspicious).status == 400)
        await expectNoTrust(in: Self.suspicious) { $0.clientCertificate = certificate("nowhere", "nowhere") }
    }

    @Test func versionsAreChosen() async throws {
        #expect(try await get(Self.good) { $0.minimumTLSVersion = .v1_3 }.text.hasPrefix("TLSv1.3 HTTP/2.0"))
        #expect(try await get(Self.good) { $0.httpVersion = .http1 }.text.hasPrefix("TLSv1.3 HTTP/1.1"))
    }

    @Test func socketReplacesTheHost() async throws {
        let url = try #require(URL(string: "http://internal.example/"))
        #expect(try await get(url) { $0.unixSocket = file("socket").path }.text == "socket internal.example")
    }

    @Test(arguments: [CurlClient.HTTPVersion.http1, .http2])
    func postsOfWhichAThirdIsCancelledEndOnceEach(version: CurlClient.HTTPVersion) async throws {
        let client = client { $0.httpVersion = version }
        let body = RequestBody.data(Data(count: 300), contentType: nil)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<(EngineCheck.isSoaking ? 10_000 : 600) {
                if index >= 32 { await group.next() }
                group.addTask {
                    let request = HTTPRequest(method: .post, url: Self.good, body: body)
                    let task = Task { try await client.perform(request).head.status }
                    if index % 3 == 0 {
                        // At any time: the race is the point.
                        for _ in 0..<(index * 7919 % 400) { await Task.yield() }
                        task.cancel()
                    }
                    switch await task.result {
                    case .success(let status): #expect(status == 200)
                    case .failure(is CancellationError): #expect(index % 3 == 0)
                    case .failure(let error as TransportError): #expect(error.code == .connectionLost)
                    case .failure(let error): Issue.record(error)
                    }
                }
            }
        }
    }

    @Test(arguments: [CurlClient.HTTPVersion.http1, .http2])
    func postUsesAKeptConnection(version: CurlClient.HTTPVersion) async throws {
        let client = client { $0.httpVersion = version }
        var connections: Set<String> = []
        for count in 0..<20 {
            let response = try await client.perform(HTTPRequest(method: .post, url: Self.good))
            connections.insert(text(response))
            #expect(response.timing.isConnectionReused == (count > 0))
            #expect((response.timing.secureHandshake == nil) == (count > 0))
        }
        #expect(connections.count == 1)
    }
}
#endif
