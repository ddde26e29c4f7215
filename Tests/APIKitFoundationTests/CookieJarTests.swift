#if os(Linux)
import APIKit
import APIKitTestServer
import EngineConformance
import TestTraits
import Testing

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

    @Test(arguments: [
        // A comma belongs to the value.
        (["a=1,b=2"], "a=1,b=2"), (["prefs=x,session=evil; Path=/"], "prefs=x,session=evil"),
        // The names promise what these cookies are not.
        (["__Host-a=1; Path=/foo", "b=1"], "b=1"), (["__Secure-a=1", "__secure-b=1", "c=1"], "c=1"),
        // By their age, which a later cookie of the same name keeps.
        (["d=1", "a=1", "c=1", "b=1"], "d=1; a=1; c=1; b=1"), (["b=1", "a=1", "b=2"], "b=2; a=1"),
    ])
    func cookiesAreReadByTheirRules(fields: [String], expected: String) async throws {
        #expect(try await header(after: fields) == expected)
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
        // A cookie that is set while the response's is being written may be replaced by that.
        while storage.cookies?.isEmpty != false { await Task.yield() }
        let own = try #require(HTTPCookie(properties: [.name: "a", .value: "2", .domain: "127.0.0.1", .path: "/"]))
        storage.setCookie(own)
        try await get("next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == ["a=2"])
        storage.deleteCookie(own)
        try await get("next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == [])
    }

    @Test func cookieOfAResponseReachesTheStorage() async throws {
        let server = try server(setting: ["a=1; Max-Age=600; HttpOnly", "b=2; Path=/x"])
        let (session, storage) = session()
        try await get("set", on: server, session)
        while storage.cookies?.count != 2 { await Task.yield() }
        let cookies = try #require(storage.cookies).sorted { $0.name < $1.name }
        #expect(cookies.map(\.name) == ["a", "b"])
        #expect(cookies.map(\.value) == ["1", "2"])
        #expect(cookies.map(\.path) == ["/", "/x"])
        #expect(cookies.map(\.domain) == ["127.0.0.1", "127.0.0.1"])
        #expect(cookies[0].isHTTPOnly && cookies[0].expiresDate != nil)
        #expect(cookies[1].expiresDate == nil)
    }

    /// Several times, since the program may see the cookie before the jar has read the storage again.
    @Test func programDeletesTheCookieOfAResponse() async throws {
        let server = try server(setting: ["a=1"])
        for _ in 0..<20 {
            let (session, storage) = session()
            try await get("set", on: server, session)
            while storage.cookies?.isEmpty != false { await Task.yield() }
            for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
            try await get("next", on: server, session)
            #expect(server.requests.last?.values(of: "Cookie") == [])
        }
    }

    /// The second cookie waits for the end of a pause, so that the program cannot delete it.
    @Test func deletingAllCookiesAlsoForgetsThoseThatAreNotWrittenYet() async throws {
        let values = Locked(["a=1", "b=2"])
        let server = try LoopbackServer { request in
            guard request.path == "/set", let value = values.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return .text("ok")
            }
            return .status(200, headers: [("Set-Cookie", value)])
        }
        let (session, storage) = session()
        try await get("set", on: server, session)
        while storage.cookies?.isEmpty != false { await Task.yield() }
        // The pause has begun once the queue has done two more pieces of work.
        for _ in 0..<2 { try await get("next", on: server, session) }
        try await get("set", on: server, session)
        // Again if the pause ends meanwhile.
        while let cookie = storage.cookies?.first { storage.deleteCookie(cookie) }
        try await get("next", on: server, session)
        #expect(server.requests.last?.values(of: "Cookie") == [])
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
        while storage.cookies?.isEmpty == false { await Task.yield() }
    }

    /// A program that logs in may end right after the response.
    @Test func cookieOfTheLastResponseIsStoredBeforeTheProcessEnds() async throws {
        let name = "APIKitTests-\(UUID().uuidString)"
        await #expect(processExitsWith: .success) { [name = name as String] in
            let server = try LoopbackServer { _ in
                .status(200, headers: (0..<5).map { ("Set-Cookie", "a\($0)=1; Max-Age=600") })
            }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = .sharedCookieStorage(forGroupContainerIdentifier: name)
            _ = try await URLSession(configuration: configuration).perform(HTTPRequest(url: server.url))
            exit(0)
        }
        let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: name)
        #expect(storage.cookies?.count == 5)
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let names = FileManager.default.enumerator(at: try #require(folders.first), includingPropertiesForKeys: nil)
        for case let url as URL in try #require(names) where url.lastPathComponent == ".cookies.\(name)" {
            try FileManager.default.removeItem(at: url)
        }
    }
}
#endif
