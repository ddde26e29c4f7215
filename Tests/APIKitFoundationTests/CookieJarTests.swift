#if os(Linux)
import APIKitSupport
import APIKit
import APIKitTestServer
import EngineConformance
import TestTraits
import Testing

@testable import APIKitFoundation

/// The cookies of sessions on Linux, beside those in `URLSessionTests`.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct CookieJarTests {
    private func session() -> (session: URLSession, storage: HTTPCookieStorage) {
        let configuration = URLSessionConfiguration.ephemeral
        // A session of such a configuration has a storage.
        return (URLSession(configuration: configuration), configuration.httpCookieStorage!)
    }

    /// Answers a request for `/set` with cookies, and others with none.
    private func server(setting fields: [String]) throws -> LoopbackServer {
        try LoopbackServer { request in
            .status(200, headers: request.path == "/set" ? fields.map { ("Set-Cookie", $0) } : [])
        }
    }

    private func get(_ path: String, on server: LoopbackServer, _ session: URLSession) async throws {
        _ = try await session.perform(HTTPRequest(url: server.url.appendingPathComponent(path)))
    }

    /// The `Cookie` header of a request after a response with some cookies.
    private func header(after fields: [String]) async throws -> String? {
        let server = try server(setting: fields)
        let (session, _) = session()
        for path in ["set", "next"] { try await get(path, on: server, session) }
        return server.requests.last?.values(of: "Cookie").first
    }

    @Test(
        arguments: [
            // A comma belongs to the value.
            (["a=1,b=2"], "a=1,b=2"), (["prefs=x,session=evil; Path=/"], "prefs=x,session=evil"),
            // The names promise what these cookies are not.
            (["__Host-a=1; Path=/foo", "b=1"], "b=1"), (["__Secure-a=1", "__secure-b=1", "c=1"], "c=1"),
            // By their age, which a later cookie of the same name keeps.
            (["d=1", "a=1", "c=1", "b=1"], "d=1; a=1; c=1; b=1"), (["b=1", "a=1", "b=2"], "b=2; a=1"),
        ] as [([String], String)])
    func cookiesAreReadByTheirRules(fields: [String], expected: String) async throws {
        #expect(try await header(after: fields) == expected)
    }

    /// RFC 6265bis, section 5.6. libcurl itself refuses a NUL.
    @Test(arguments: ["\r", "\u{1}", "\u{7F}"])
    func cookieWithAControlCharacterIsIgnored(character: String) async throws {
        let cookies = "Set-Cookie: a=1\(character)2\r\nSet-Cookie: b=2\r\n"
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(cookies)\r\n".utf8)
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.send(head)]) }
        let (session, _) = session()
        for _ in 0..<2 { try await get("", on: server, session) }
        #expect(server.requests.last?.values(of: "Cookie") == ["b=2"])
    }

    @Test func valueKeepsItsBytes() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=".utf8) + [0xE9] + Data("\r\n\r\n".utf8)
        let server = try LoopbackServer { _ in ServerAnswer(steps: [.send(head)]) }
        let (session, _) = session()
        for _ in 0..<2 { try await get("", on: server, session) }
        // The server reads Latin-1.
        #expect(server.requests.last?.values(of: "Cookie") == ["a=\u{E9}"])
    }

    @Test func cookiesOfADomainAreLimited() async throws {
        let fields = (0..<1000).map { "c\($0)=1" }
        let header = try await header(after: fields)
        #expect(header?.split(separator: ";").count == 50)
    }

    @Test func longCookieIsIgnored() async throws {
        let long = String(repeating: "x", count: 4096)
        #expect(try await header(after: ["a=\(long)", "b=\(long.dropFirst())"]) == "b=\(long.dropFirst())")
    }

    // MARK: - The storage

    @Test func cookieThatTheProgramSetsIsSentFromThenOn() async throws {
        let server = try server(setting: ["a=1"])
        let (session, storage) = session()
        try await get("set", on: server, session)
        let own = try #require(HTTPCookie(properties: [.name: "a", .value: "2", .domain: "127.0.0.1", .path: "/"]))
        storage.setCookie(own)
        try await get("next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == ["a=2"])
        storage.deleteCookie(own)
        try await get("next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == [])
    }

    @Test func storageHasTheCookiesOfADeliveredResponse() async throws {
        let server = try server(setting: ["a=1; Max-Age=600; HttpOnly", "b=2; Path=/x"])
        let (session, storage) = session()
        try await get("set", on: server, session)
        let cookies = try #require(storage.cookies).sorted { $0.name < $1.name }
        #expect(cookies.map(\.name) == ["a", "b"])
        #expect(cookies.map(\.value) == ["1", "2"])
        #expect(cookies.map(\.path) == ["/", "/x"])
        #expect(cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1"])
        #expect(cookies[0].isHTTPOnly && cookies[0].expiresDate != nil)
        #expect(cookies[1].expiresDate == nil)
    }

    /// The first response makes the jar write once before the login.
    @Test func programDeletesTheCookiesOfALogin() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/start": .status(200, headers: [("Set-Cookie", "csrf=1; Max-Age=600")])
            case "/login": .status(200, headers: [("Set-Cookie", "a=1"), ("Set-Cookie", "b=1; Path=/; Max-Age=600")])
            default: .text("ok")
            }
        }
        for _ in 0..<20 {
            let (session, storage) = session()
            for path in ["start", "login"] { try await get(path, on: server, session) }
            let cookies = try #require(storage.cookies(for: server.url))
            #expect(cookies.count == 3)
            for cookie in cookies { storage.deleteCookie(cookie) }
            for path in ["next", "login", "next"] { try await get(path, on: server, session) }
            let sent = server.requests.suffix(3).map { $0.values(of: "Cookie") }
            #expect(sent == [[], [], ["a=1; b=1"]])
            storage.removeCookies(since: .distantPast)
            try await get("next", on: server, session)
            #expect(server.requests.last?.values(of: "Cookie") == [])
            #expect(storage.cookies == [])
        }
    }

    @Test func headerHasABoundedLength() async throws {
        let long = String(repeating: "x", count: 4000)
        let header = try #require(try await header(after: (0..<20).map { "a\($0)=\(long)" }))
        #expect(header.utf8.count <= 16_384)
        #expect(header.hasPrefix("a0=x"))
    }

    @Test func responseDeletesTheCookieOfTheProgram() async throws {
        let server = try server(setting: ["a=; Max-Age=0"])
        let (session, storage) = session()
        let own = try #require(HTTPCookie(properties: [.name: "a", .value: "1", .domain: "127.0.0.1", .path: "/"]))
        storage.setCookie(own)
        for path in ["set", "next"] { try await get(path, on: server, session) }
        #expect(server.requests.map { $0.values(of: "Cookie") } == [["a=1"], []])
        #expect(storage.cookies == [])
    }

    /// A logout that deletes the cookies that the program sees leaves none that would be written later.
    @Test func storageHasAllCookiesOfADeliveredResponse() async throws {
        let server = try server(setting: (0..<50).map { "a\($0)=1" })
        let (session, storage) = session()
        try await get("set", on: server, session)
        #expect(storage.cookies?.count == 50)
    }

    /// The storage tells cookies apart by a text that is `127.0.0.1/ab` for both.
    @Test(arguments: [["ab=1; Path=/", "b=2; Path=/a"], ["b=2; Path=/a", "ab=1; Path=/"]])
    func cookieThatTheStorageTakesForAnotherOneIsSent(fields: [String]) async throws {
        let server = try server(setting: fields)
        let (session, storage) = session()
        for path in ["set", "a/next", "a/next"] { try await get(path, on: server, session) }
        #expect(server.requests.suffix(2).map { $0.values(of: "Cookie") } == [["b=2; ab=1"], ["b=2; ab=1"]])
        #expect(storage.cookies?.count == 1)
        storage.removeCookies(since: .distantPast)
        try await get("a/next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == [])
    }

    // MARK: - While a cookie is written

    /// A storage that is slow to write, and a server that sets a cookie for `/set`.
    private struct SlowWrites {
        let server: LoopbackServer
        let session: URLSession
        let storage: HTTPCookieStorage
        let cookie: SlowCookie

        /// Makes a response set a cookie, and waits until that is being written, which ends with ``finish(_:)``.
        func begin() async -> Task<HTTPResponse, any Error> {
            cookie.isSlow.withLock { $0 = true }
            let task = Task { try await session.perform(request) }
            while !cookie.hasBegun.withLock({ $0 }) { await Task.yield() }
            return task
        }

        var request: HTTPRequest { HTTPRequest(url: server.url.appendingPathComponent("set")) }

        func finish(_ task: Task<HTTPResponse, any Error>) async throws {
            cookie.end.signal()
            _ = try await task.value
            #expect(storage.cookies?.contains { $0.name == "a" } == true)
        }
    }

    private func slowWrites() async throws -> SlowWrites {
        let server = try server(setting: ["a=1; Max-Age=600"])
        let (session, storage) = session()
        let cookie = try #require(SlowCookie())
        storage.setCookie(cookie)
        // The jar now knows the slow cookie.
        try await get("next", on: server, session)
        return SlowWrites(server: server, session: session, storage: storage, cookie: cookie)
    }

    @Test func requestDoesNotWaitForAWrite() async throws {
        let slow = try await slowWrites()
        let response = await slow.begin()
        let other = try #require(URL(string: "http://localhost:\(slow.server.port)/next"))
        // A request that waited would be sent after a second.
        var shortest = Duration.seconds(60)
        for _ in 0..<3 {
            let time = try await ContinuousClock().measure {
                _ = try await slow.session.perform(HTTPRequest(url: other))
            }
            shortest = min(shortest, time)
        }
        #expect(shortest < CookieJar.longestRead)
        // The cookie is sent before it is in the storage.
        try await get("next", on: slow.server, slow.session)
        #expect(slow.server.requests.last?.values(of: "Cookie") == ["a=1"])
        try await slow.finish(response)
    }

    @Test func cancelEndsTheWaitForAWrite() async throws {
        let slow = try await slowWrites()
        let response = await slow.begin()
        let other = Task { try await slow.session.perform(slow.request) }
        await slow.server.waitForAnswers(3)
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
        // The other response waits for the same cookie.
        try await slow.finish(response)
    }

    /// The timeout ends the wait, and the response is delivered. Its cookie is sent from then on.
    @Test func timeoutEndsTheWaitForAWrite() async throws {
        let slow = try await slowWrites()
        let response = await slow.begin()
        var request = slow.request
        request.options.timeout = .after(.seconds(1))
        #expect(try await slow.session.perform(request).head.status == 200)
        try await slow.finish(response)
    }

    @Test func timeLimitsEndTheWaitForTheStorage() {
        let limit = Duration.seconds(5)
        let minute = Duration.seconds(60)
        #expect(limit.limited(by: minute, nil) == .seconds(5))
        #expect(limit.limited(by: .milliseconds(100), nil) == .milliseconds(100))
        #expect(limit.limited(by: minute, .milliseconds(50)) == .milliseconds(50))
        #expect(limit.limited(by: minute, minute) == .seconds(5))
    }

    // MARK: - The end of the process

    /// A program that logs in may end right after the response. The cookies are written before, so the end of the
    /// process has nothing to do for them.
    @Test func cookieOfADeliveredResponseIsInTheFile() async throws {
        let name = "APIKitTests-\(UUID().uuidString)"
        await #expect(processExitsWith: .success) { [name = name as String] in
            let server = try LoopbackServer { _ in .status(200, headers: [("Set-Cookie", "a=1; Max-Age=600")]) }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = .sharedCookieStorage(forGroupContainerIdentifier: name)
            _ = try await URLSession(configuration: configuration).perform(HTTPRequest(url: server.url))
            _exit(0)
        }
        let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: name)
        #expect(storage.cookies?.map(\.name) == ["a"])
        try removeFile(ofStorage: name)
    }

    /// A response does not wait for cookies that only expire at another time. They are written while the process exits.
    @Test func cookiesAreWrittenWhenTheProcessExits() async throws {
        let name = "APIKitTests-\(UUID().uuidString)"
        await #expect(processExitsWith: .success) { [name = name as String] in
            let server = try LoopbackServer { request in
                let life = request.path == "/renew" ? 6000 : 600
                return .status(200, headers: (0..<15).map { ("Set-Cookie", "a\($0)=1; Max-Age=\(life)") })
            }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = .sharedCookieStorage(forGroupContainerIdentifier: name)
            let session = URLSession(configuration: configuration)
            for path in ["login", "renew"] {
                _ = try await session.perform(HTTPRequest(url: server.url.appendingPathComponent(path)))
            }
            exit(0)
        }
        let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: name)
        let dates = try #require(storage.cookies).map(\.expiresDate)
        #expect(dates.count == 15)
        #expect(dates.allSatisfy { ($0 ?? .distantPast) > Date() + 3000 })
        try removeFile(ofStorage: name)
    }

    /// Removes the file of a storage that a test has created.
    private func removeFile(ofStorage name: String) throws {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let names = FileManager.default.enumerator(at: try #require(folders.first), includingPropertiesForKeys: nil)
        for case let url as URL in try #require(names) where url.lastPathComponent == ".cookies.\(name)" {
            try FileManager.default.removeItem(at: url)
        }
    }
}

/// A cookie that makes its storage slow: while another cookie is set, the storage asks each one when it expires.
///
/// `@unchecked Sendable`: all properties are constants.
private final class SlowCookie: HTTPCookie, @unchecked Sendable {
    /// Whether the next one who asks has to wait.
    let isSlow = Locked(false)
    /// Whether someone waits.
    let hasBegun = Locked(false)
    /// Ends the wait.
    let end = DispatchSemaphore(value: 0)

    convenience init?() {
        self.init(properties: [.name: "slow", .value: "1", .domain: "slow.example.com", .path: "/"])
    }

    override var expiresDate: Date? {
        if isSlow.withLock({ $0 }) {
            let isFirst = hasBegun.withLock { hasBegun in
                let isFirst = !hasBegun
                hasBegun = true
                return isFirst
            }
            if isFirst { end.wait() }
        }
        return nil
    }
}
#endif
