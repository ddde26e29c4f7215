import APIKitCore
import Foundation
import Testing

extension EngineCheck {
    /// Whether the environment names the servers for ``secure``.
    public static var hasSecureServer: Bool { SecureServer.environment["APIKIT_NGINX_PORTS"] != nil }

    /// The path of the root certificate, in PEM, that the engine must trust for ``secure``; nil if it is not set.
    ///
    /// It is the value of the variable `APIKIT_NGINX_CA`.
    public static var secureServerRoot: String? { SecureServer.environment["APIKIT_NGINX_CA"] }

    /// The clauses about TLS and HTTP/2, which need an nginx with certificates created for them.
    ///
    /// The variable `APIKIT_NGINX_PORTS` names its five ports on 127.0.0.1. `Tests/Environment/with-nginx` of this
    /// package's repository runs a command beside such an nginx. Enable the test if ``hasSecureServer``:
    ///
    /// ```swift
    /// @Test(.enabled(if: EngineCheck.hasSecureServer), arguments: EngineCheck.secure)
    /// func conforms(check: EngineCheck) async throws {
    ///     try await check.run(Engine("MyEngine", engineThatTrusts(EngineCheck.secureServerRoot)))
    /// }
    /// ```
    public static let secure: [EngineCheck] = [
        EngineCheck("TLS 1.3 and HTTP/2 are negotiated") { engine in
            let connection = try await engine.load(from: .good)
            #expect(connection.hasPrefix("TLSv1.3 HTTP/2.0 "))
        },
        EngineCheck("64 concurrent requests share one connection") { engine in
            let first = try await engine.load(from: .good)
            let connections = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<64 { group.addTask { try await engine.load(from: .good) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(connections.count == 64)
            #expect(Set(connections) == [first])
        },
        EngineCheck("a connection that the server closes after each request is replaced") { engine in
            var connections: Set<String> = []
            for _ in 0..<20 { connections.insert(try await engine.load(from: .closing)) }
            #expect(connections.count == 20)
        },
        EngineCheck("a body is sent over HTTP/2") { engine in
            let body = RequestBody.data(Data(count: 30_000), contentType: nil)
            let response = try await engine.client.perform(try SecureServer.good.request(method: .post, body: body))
            #expect(response.head.status == 200)
        },
        EngineCheck("a stream that the server resets fails as connectionLost, and other requests succeed") { engine in
            for _ in 0..<3 {
                let code = await engine.failureCode {
                    try await engine.client.perform(try SecureServer.good.request(path: "reset"))
                }
                let isMistaken = engine.quirks.contains(.takesResetsForMalformedHeads) && code == .badResponse
                #expect(code == .connectionLost || isMistaken)
                _ = try await engine.load(from: .good)
            }
        },
        EngineCheck("a certificate that is expired, self-signed or another host's is refused") { engine in
            for server in [SecureServer.expired, .selfSigned, .otherHost] {
                let code = await engine.failureCode { try await engine.client.perform(try server.request()) }
                #expect(code == .secureConnectionFailed, "\(server)")
            }
        },
    ]
}

/// The servers of the nginx, in the order of their ports.
private enum SecureServer: Int {
    case good, closing, expired, selfSigned, otherHost

    static let environment = ProcessInfo.processInfo.environment

    func request(method: HTTPMethod = .get, path: String = "", body: RequestBody? = nil) throws -> HTTPRequest {
        let ports = (Self.environment["APIKIT_NGINX_PORTS"] ?? "").split(separator: " ")
        let url = try #require(URL(string: "https://127.0.0.1:\(ports[rawValue])/\(path)"))
        return HTTPRequest(method: method, url: url, body: body)
    }
}

extension Engine {
    /// The server's description of the connection: its protocols and its number.
    fileprivate func load(from server: SecureServer) async throws -> String {
        let response = try await client.perform(try server.request())
        #expect(response.head.status == 200)
        return response.text
    }
}
