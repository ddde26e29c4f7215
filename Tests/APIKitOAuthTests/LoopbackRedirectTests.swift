import APIKitCore
import APIKitSupport
import Foundation
import Testing

@testable import APIKitOAuth

@Suite(.timeLimit(.minutes(10))) struct LoopbackRedirectTests {
    private let page = URL(string: "https://auth.example.com/authorize?client_id=app&state=s%2B1")!

    // MARK: - The redirect

    @Test func redirectArrives() async throws {
        let session = try await session { port in
            let text = request("/callback?code=secret&state=s%2B1", port)
            let response = try await LoopbackClient.exchange(text, port: port)
            #expect(response.hasPrefix("HTTP/1.1 200 "))
            #expect(response.contains("You can close this window"))
            #expect(!response.contains("secret"))
            for header in [
                "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
                "Content-Security-Policy: default-src 'none'",
            ] {
                #expect(response.contains("\r\n\(header)\r\n"))
            }
        }
        let url = try await session.present(page)
        #expect(url.absoluteString == session.redirectURI + "?code=secret&state=s%2B1")
    }

    /// Everything else gets an error page, and the sign-in goes on.
    @Test(
        arguments: [
            ("GET / HTTP/1.1", 404), ("GET /callback/x?state=s%2B1 HTTP/1.1", 404), ("GET /favicon.ico HTTP/1.1", 404),
            ("GET http://127.0.0.1/callback?state=s%2B1 HTTP/1.1", 404), ("POST /callback?state=s%2B1 HTTP/1.1", 404),
            ("HEAD /callback?state=s%2B1 HTTP/1.1", 404), ("GET /callback HTTP/1.1", 400),
            ("GET /callback?code=evil HTTP/1.1", 400), ("GET /callback?state= HTTP/1.1", 400),
            ("GET /callback?state=s%2B1&state=s%2B1 HTTP/1.1", 400),
            ("GET /callback?state=s%2B1#x HTTP/1.1", 400), ("GET /callback?state=s%2B1\u{7F} HTTP/1.1", 400),
            ("GET /callback?state=s%2B1 HTTP/2.0", 400), ("GET /callback?state=s%2B1", 400), ("", 400), ("\u{0}", 400),
        ] as [(String, Int)])
    func otherRequestsAreRefused(line: String, status: Int) async throws {
        let session = try await session { port in
            let response = try await LoopbackClient.exchange("\(line)\r\nHost: 127.0.0.1:\(port)\r\n\r\n", port: port)
            #expect(response.hasPrefix("HTTP/1.1 \(status) "))
            #expect(!response.contains("evil"))
            try await complete(port)
        }
        #expect(try await session.present(page).query()?.contains("code=right") == true)
    }

    @Test(
        arguments: [
            ("Host: 127.0.0.1:PORT", 200), ("hOST:LocalHost:PORT ", 200), ("Host: 127.0.0.1", 400), ("X: y", 400),
            ("Host: evil.example:PORT", 400), ("Host: 127.0.0.1:PORT\r\nHost: 127.0.0.1:PORT", 400),
            ("Host: 127.0.0.1:PORT.evil.example", 400), ("X: y\nHost: 127.0.0.1:PORT", 400),
        ] as [(String, Int)])
    func hostMustBeTheListener(header: String, status: Int) async throws {
        let session = try await session { port in
            let host = header.replacing("PORT", with: "\(port)")
            let line = "GET /callback?code=right&state=s%2B1 HTTP/1.1"
            let response = try await LoopbackClient.exchange("\(line)\r\n\(host)\r\n\r\n", port: port)
            #expect(response.hasPrefix("HTTP/1.1 \(status) "))
            if status != 200 { try await complete(port) }
        }
        _ = try await session.present(page)
    }

    @Test func requestMayArriveInPieces() async throws {
        let session = try await session { port in
            let client = try LoopbackClient(port: port)
            for character in request("/callback?code=right&state=s%2B1", port).utf8 {
                client.send(String(decoding: [character], as: UTF8.self))
            }
            #expect(await client.response().hasPrefix("HTTP/1.1 200 "))
        }
        _ = try await session.present(page)
    }

    // MARK: - Limits

    /// More of them than are served at once, as browsers open them in advance.
    @Test func silentConnectionsDoNotDelayTheRedirect() async throws {
        let session = try await session { port in
            let silent = try (0..<40).map { _ in try LoopbackClient(port: port) }
            try await complete(port)
            // The oldest was closed for a newer one.
            #expect(await silent[0].response().isEmpty)
        }
        _ = try await session.present(page)
    }

    @Test func silentConnectionsAreClosedInTime() async throws {
        let listener = try LoopbackSocket.listening(port: 0)
        let client = try LoopbackClient(port: Int(try listener.port))
        let wakePipe = try WakePipe()
        let loop = LoopbackLoop(
            listener, request: LoopbackRequest(port: 1, path: "/", state: nil), wakePipe: wakePipe,
            deadline: .now + .seconds(600), connectionTimeout: .milliseconds(1))
        Thread.detachNewThread { _ = loop.run() }
        #expect(await client.response().isEmpty)
        wakePipe.wake()
    }

    @Test func largeHeadIsRefused() async throws {
        let session = try await session { port in
            let padding = "X: " + String(repeating: "x", count: 20_000)
            let text = "GET /callback?code=evil&state=s%2B1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(padding)\r\n\r\n"
            #expect(try await LoopbackClient.exchange(text, port: port).hasPrefix("HTTP/1.1 431 "))
            try await complete(port)
        }
        #expect(try await session.present(page).query()?.contains("code=right") == true)
    }

    // MARK: - The end

    @Test func cancellationClosesThePort() async throws {
        let opened = Waiter<Void>()
        let session = try await session { _ in opened.resume(with: .success(())) }
        let task = Task { try await session.present(page) }
        try await opened.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try expectClosed(session)
    }

    @Test func timeoutClosesThePort() async throws {
        let presentation = AuthorizationPresentation.loopback(timeout: .zero) { _ in }
        let session = try await presentation.begin(nil)
        let error = await #expect(throws: OAuthError.self) { try await session.present(page) }
        #expect(error?.code == .timedOut)
        try expectClosed(session)
    }

    @Test func failureToOpenThePageClosesThePort() async throws {
        struct Failure: Error {}
        let session = try await session { _ in throw Failure() }
        await #expect(throws: Failure.self) { try await session.present(page) }
        try expectClosed(session)
    }

    @Test func endClosesThePort() async throws {
        let session = try await session { _ in }
        session.end()
        try expectClosed(session)
        await #expect(throws: CancellationError.self) { try await session.present(page) }
    }

    @Test func endStopsAPresentation() async throws {
        let opened = Waiter<Void>()
        let session = try await session { _ in opened.resume(with: .success(())) }
        let task = Task { try await session.present(page) }
        try await opened.value()
        session.end()
        await #expect(throws: CancellationError.self) { try await task.value }
        try expectClosed(session)
    }

    /// A browser that is started during the sign-in would keep the port otherwise.
    @Test func startedProgramsDoNotInheritTheSockets() throws {
        let listener = try LoopbackSocket.listening(port: 0)
        defer { listener.close() }
        let client = try LoopbackClient(port: Int(try listener.port))
        let accepted = try #require(listener.accept())
        defer { accepted.close() }
        for socket in [listener, accepted] { #expect(fcntl(socket.descriptor, F_GETFD) == FD_CLOEXEC) }
        withExtendedLifetime(client) {}
    }

    // MARK: - Ports

    @Test func registeredPortIsUsedAgain() async throws {
        let presentation = AuthorizationPresentation.loopback { try await complete(Self.port(of: $0)) }
        let first = try await presentation.begin(nil)
        // The connection of a completed sign-in does not keep the port.
        _ = try await first.present(page(for: first))
        let second = try await presentation.begin(first.redirectURI)
        #expect(second.redirectURI == first.redirectURI)
        let third = try await presentation.begin(first.redirectURI)
        #expect(third.redirectURI != first.redirectURI)
        second.end()
        third.end()
    }

    @Test(arguments: [
        "http://127.0.0.1:PORT/other", "http://localhost:PORT/callback", "com.example:/callback", "", "::",
    ])
    func otherRedirectURIsAreIgnored(uri: String) async throws {
        let presentation = AuthorizationPresentation.loopback { _ in }
        let first = try await presentation.begin(nil)
        let port = Self.port(of: first)
        first.end()
        let second = try await presentation.begin(uri.replacing("PORT", with: "\(port)"))
        #expect(second.redirectURI != first.redirectURI)
        second.end()
    }

    /// For servers that do not accept an address as the host.
    @Test func hostOfTheRedirectURIMayBeLocalhost() async throws {
        let port = LockedBox(0)
        let presentation = AuthorizationPresentation.loopback(host: .localhost) { _ in try await complete(port.value) }
        let session = try await presentation.begin(nil)
        port.update { $0 = Self.port(of: session) }
        #expect(session.redirectURI == "http://localhost:\(port.value)/callback")
        let redirect = try await session.present(page)
        #expect(redirect.absoluteString.hasPrefix("\(session.redirectURI)?code="))
        let next = try await presentation.begin(session.redirectURI)
        #expect(next.redirectURI == session.redirectURI)
        next.end()
    }

    @Test func fixedPortMustBeFree() async throws {
        let first = try await session { _ in }
        let presentation = AuthorizationPresentation.loopback(port: Self.port(of: first), path: "/done") { _ in }
        let error = await #expect(throws: OAuthError.self) { try await presentation.begin(nil) }
        #expect(error?.code == .presentationFailed)
        first.end()
        let second = try await presentation.begin(nil)
        #expect(second.redirectURI == first.redirectURI.replacing("/callback", with: "/done"))
        second.end()
    }

    @Test(arguments: [-1, 65_536, .max])
    func invalidPortIsAnError(port: Int) async throws {
        let error = await #expect(throws: OAuthError.self) {
            try await AuthorizationPresentation.loopback(port: port) { _ in }.begin(nil)
        }
        #expect(error?.code == .presentationFailed)
    }

    // MARK: - Helpers

    /// Begins a presentation whose page is "opened" by a closure that gets the port.
    private func session(
        open: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> AuthorizationPresentation.Session {
        let port = LockedBox(0)
        let session = try await AuthorizationPresentation.loopback { _ in try await open(port.value) }.begin(nil)
        port.update { $0 = Self.port(of: session) }
        return session
    }

    private func page(for session: AuthorizationPresentation.Session) -> URL {
        page.appending(queryItems: [URLQueryItem(name: "redirect_uri", value: session.redirectURI)])
    }

    private static func port(of session: AuthorizationPresentation.Session) -> Int {
        URLComponents(string: session.redirectURI)?.port ?? 0
    }

    /// The port of the redirect URI in an authorization URL.
    private static func port(of page: URL) -> Int {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
        let uri = items?.first { $0.name == "redirect_uri" }?.value
        return uri.flatMap { URLComponents(string: $0)?.port } ?? 0
    }

    private func request(_ target: String, _ port: Int) -> String {
        "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: text/html\r\n\r\n"
    }

    /// Sends the redirect of this sign-in.
    private func complete(_ port: Int) async throws {
        let response = try await LoopbackClient.exchange(request("/callback?code=right&state=s%2B1", port), port: port)
        #expect(response.hasPrefix("HTTP/1.1 200 "))
    }

    private func expectClosed(_ session: AuthorizationPresentation.Session) throws {
        let error = #expect(throws: POSIXError.self) { try LoopbackClient(port: Self.port(of: session)) }
        #expect(error?.code == .ECONNREFUSED)
    }
}
