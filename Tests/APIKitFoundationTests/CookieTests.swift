#if os(Linux)
import Foundation
import Testing

@testable import APIKitFoundation

/// Cookies by RFC 6265, without a network.
@Suite struct CookieTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func origin(_ url: String) throws -> CookieOrigin {
        try #require(URL(string: url).flatMap(CookieOrigin.init))
    }

    /// The header of a request after responses of URLs.
    private func header(at url: String, after responses: [(url: String, field: String)]) throws -> String {
        var memory = CookieMemory()
        for response in responses {
            let origin = try origin(response.url)
            let cookie = Cookie(setBy: Array(response.field.utf8)[...], from: origin, at: now)
            memory.store(cookie.map { [$0] } ?? [], from: origin, at: now)
        }
        return String(decoding: memory.header(for: try origin(url), at: now), as: UTF8.self)
    }

    @Test(
        arguments: [
            // Sections 5.1.3 and 5.3: the host alone, or a domain that it belongs to.
            ("https://a.example.com/", "a=1", "https://a.example.com/", "a=1"),
            ("https://a.example.com/", "a=1", "https://b.a.example.com/", ""),
            ("https://a.example.com/", "a=1; Domain=.Example.COM", "https://b.example.com/", "a=1"),
            ("https://a.example.com/", "a=1; Domain=a.example.com", "https://b.a.example.com/", "a=1"),
            ("https://a.example.com/", "a=1; Domain=b.example.com", "https://b.example.com/", ""),
            ("https://a.example.com/", "a=1; Domain=com", "https://b.com/", ""),
            ("https://a.example.com/", "a=1; Domain=ample.com", "https://ample.com/", ""),
            ("https://a.example.com./", "a=1; Domain=com.", "https://b.com./", ""),
            ("http://localhost/", "a=1; Domain=localhost", "http://localhost/", "a=1"),
            ("http://localhost/", "a=1; Domain=localhost", "http://a.localhost/", ""),
            ("http://127.0.0.1/", "a=1; Domain=127.0.0.1", "http://127.0.0.1/", "a=1"),
            ("http://127.0.0.1/", "a=1; Domain=0.0.1", "http://127.0.0.1/", ""),
            // Section 5.1.4: paths.
            ("https://a.com/x/y", "a=1", "https://a.com/x/z", "a=1"),
            ("https://a.com/x/y", "a=1", "https://a.com/xz", ""),
            ("https://a.com/x", "a=1; Path=/foo", "https://a.com/foo", "a=1"),
            ("https://a.com/x", "a=1; Path=/foo", "https://a.com/foobar", ""),
            ("https://a.com/x", "a=1; Path=foo", "https://a.com/", "a=1"),
            // RFC 6265bis, sections 4.1.3 and 5.7.
            ("https://a.com/", "__Host-a=1; Secure; Path=/", "https://a.com/", "__Host-a=1"),
            ("https://a.com/", "__Host-a=1; Secure; Path=/; Domain=a.com", "https://a.com/", ""),
            ("https://a.com/", "__Host-a=1; Secure", "https://a.com/", ""),
            ("https://a.com/", "__Secure-a=1; Secure", "https://a.com/", "__Secure-a=1"),
            ("https://a.com/", "__Secure-a=1", "https://a.com/", ""),
            ("https://a.com/", "a=1; Secure", "http://a.com/", ""),
            ("http://a.com/", "a=1; Secure", "https://a.com/", ""),
            // RFC 6265bis, sections 5.6.3 and 5.7: an empty domain counts if it is the last one.
            ("https://a.example.com/", "a=1; Domain=example.com; Domain=", "https://b.example.com/", ""),
            ("https://a.example.com/", "a=1; Domain=example.com; Domain=", "https://a.example.com/", "a=1"),
            // What is malformed.
            ("https://a.com/", "a=1\u{1}", "https://a.com/", ""),
            ("https://a.com/", "=1", "https://a.com/", ""),
            ("https://a.com/", " a = 1 2 ;;; =; Unknown", "https://a.com/", "a=1 2"),
        ] as [(String, String, String, String)])
    func cookieIsForItsHostAndPath(setBy: String, field: String, sentTo: String, expected: String) throws {
        #expect(try header(at: sentTo, after: [(setBy, field)]) == expected)
    }

    @Test func cookieForTLSIsNotHiddenByOneWithout() throws {
        let responses = [("https://a.com/", "a=1; Secure"), ("http://a.com/", "a=2; Path=/x")]
        #expect(try header(at: "https://a.com/x", after: responses) == "a=1")
        // Another path is another cookie, which hides nothing.
        let others = [("https://a.com/x/", "a=1; Secure; Path=/x"), ("http://a.com/", "a=2")]
        #expect(try header(at: "http://a.com/", after: others) == "a=2")
    }

    @Test(
        arguments: [
            ("http://evil.example.com/x", "id=evil; Domain=example.com; Path=/login", "id=good"),
            ("http://evil.example.com/x", "id=evil; Domain=example.com; Path=/", "id=good"),
            ("http://example.com/x", "id=evil; Domain=example.com; Path=/login/x", "id=good"),
            ("http://secure.example.com/x", "id=evil; Path=/login", "id=good"),
            ("http://a.secure.example.com/x", "id=evil; Domain=secure.example.com; Path=/login", "id=good"),
            // These are not sent before it.
            ("http://evil.example.com/x", "other=1; Domain=example.com; Path=/login", "other=1; id=good"),
            ("https://evil.example.com/x", "id=other; Domain=example.com; Path=/login", "id=other; id=good"),
            ("http://evil.example.com/x", "id=evil; Path=/login", "id=good"),
        ] as [(String, String, String)])
    func siblingWithoutTLSSetsNothingBeforeASecureCookie(url: String, field: String, expected: String) throws {
        let responses = [("https://secure.example.com/", "id=good; Secure; Path=/"), (url, field)]
        #expect(try header(at: "https://secure.example.com/login/x", after: responses) == expected)
    }

    @Test func siblingDoesNotPushOutTheCookiesOfTheHostAlone() throws {
        let siblings = (0..<60).map { ("https://a.example.com/", "c\($0)=1; Domain=example.com") }
        let names = try header(at: "https://example.com/", after: [("https://example.com/", "session=1")] + siblings)
            .components(separatedBy: "; ")
        #expect(names == ["session=1"] + (10..<60).map { "c\($0)=1" })
    }

    @Test func longerPathsComeFirstThenOlderCookies() throws {
        let responses = [
            ("https://a.com/", "b=1"), ("https://a.com/", "a=1"), ("https://a.com/x/", "c=1; Path=/x"),
            ("https://a.com/", "b=2"),
        ]
        #expect(try header(at: "https://a.com/x/y", after: responses) == "c=1; b=2; a=1")
    }

    @Test func oldestCookiesOfADomainMakeRoom() throws {
        let responses = (0..<60).map { ("https://a.com/", "c\($0)=1") } + [("https://b.com/", "other=1")]
        let names = try header(at: "https://a.com/", after: responses).components(separatedBy: "; ")
        #expect(names == (10..<60).map { "c\($0)=1" })
        #expect(try header(at: "https://b.com/", after: responses) == "other=1")
    }

    // MARK: - The storage

    private func cookie(_ field: String, at url: String = "https://a.com/") throws -> Cookie {
        try #require(Cookie(setBy: Array(field.utf8)[...], from: try origin(url), at: now))
    }

    /// The names of the cookies that memory sends to a host.
    private func names(in memory: CookieMemory, at url: String = "https://a.com/") throws -> String {
        String(decoding: memory.header(for: try origin(url), at: now), as: UTF8.self)
    }

    /// Whether the storage differs from memory.
    private func hasChange(_ memory: CookieMemory) -> Bool {
        var memory = memory
        return memory.takeChange() != nil
    }

    @Test func storageGetsTheLatestStateOnce() throws {
        var memory = CookieMemory()
        let origin = try origin("https://a.com/")
        for field in ["a=1", "a=2", "b=1", "b=; Max-Age=0"] {
            memory.store([try cookie(field)], from: origin, at: now)
        }
        guard case .set(let cookie) = memory.takeChange(of: try cookie("a=1").id) else {
            Issue.record("there is no change")
            return
        }
        #expect(cookie.value == Array("2".utf8))
        guard case .delete = memory.takeChange() else {
            Issue.record("the storage may have the other cookie")
            return
        }
        #expect(!hasChange(memory))
        memory.didWrite(cookie)
        // The same again is not a change.
        memory.store([cookie], from: origin, at: now)
        #expect(!hasChange(memory))
    }

    @Test(
        arguments: [
            ("a=1; Max-Age=60", "a=1; Max-Age=90", true), ("a=1; Max-Age=60", "a=1; Max-Age=60", true),
            ("a=1", "a=1", true), ("a=1; Max-Age=60", "a=2; Max-Age=60", false), ("a=1; Max-Age=60", "a=1", false),
            ("a=1", "a=1; Max-Age=60", false), ("a=1; Max-Age=60", "a=1; Max-Age=0", false),
            ("a=1; Max-Age=60", "a=1; Max-Age=60; HttpOnly", false),
            ("a=1; Max-Age=60", "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", false),
        ] as [(String, String, Bool)])
    func responseDoesNotWaitForACookieThatIsStored(stored: String, field: String, isStored: Bool) throws {
        var memory = CookieMemory()
        let stored = try cookie(stored)
        memory.store([stored], from: try origin("https://a.com/"), at: now)
        #expect(!memory.isStored(stored, at: now))
        _ = memory.takeChange()
        memory.didWrite(stored)
        #expect(memory.isStored(try cookie(field), at: now) == isStored)
    }

    /// The storage still has the first cookie when the second one is deleted.
    @Test func cookieThatIsDeletedTwiceLeavesTheStorage() throws {
        var memory = CookieMemory()
        let first = try cookie("a=1")
        memory.store([first], from: try origin("https://a.com/"), at: now)
        _ = memory.takeChange()
        memory.didWrite(first)
        for field in ["a=; Max-Age=0", "a=2", "a=; Max-Age=0"] {
            memory.store([try cookie(field)], from: try origin("https://a.com/"), at: now)
        }
        #expect(memory.isUnwritten(first.id))
    }

    /// The program deletes the cookies that it sees. It means the ones that it cannot see yet too.
    @Test func deletionCoversWhatIsPending() throws {
        var memory = CookieMemory()
        let origin = try origin("https://a.com/")
        memory.store([try cookie("a=1"), try cookie("b=1")], from: origin, at: now)
        memory.store([try cookie("c=1", at: "https://b.com/")], from: try self.origin("https://b.com/"), at: now)
        let written = try cookie("a=1")
        let id = written.id
        _ = memory.takeChange(of: id)
        memory.didWrite(written)
        memory.store([try cookie("a=2")], from: origin, at: now)
        // The storage was read since the responses.
        _ = memory.takeRecent()
        memory.apply(StoredCookies.Changes(deleted: [id], emptiedDomains: ["a.com"]), since: [])
        #expect(try names(in: memory) == "")
        #expect(try names(in: memory, at: "https://b.com/") == "c=1")
        #expect(!memory.isUnwritten(id))
        memory.apply(StoredCookies.Changes(deleted: [id], hasDeletedAll: true), since: [])
        #expect(try names(in: memory, at: "https://b.com/") == "")
        #expect(!hasChange(memory))
    }

    /// A login after a logout, of which the jar learns only when the response has arrived.
    @Test func responseOutlivesAnEarlierDeletion() throws {
        var memory = CookieMemory()
        let origin = try origin("https://a.com/")
        let old = try cookie("a=1")
        memory.apply(StoredCookies.Changes(added: [old]), since: [])
        memory.store([try cookie("a=2")], from: origin, at: now)
        let recent = memory.takeRecent()
        memory.apply(
            StoredCookies.Changes(deleted: [old.id], emptiedDomains: ["a.com"], hasDeletedAll: true), since: recent)
        #expect(try names(in: memory) == "a=2")
        // The storage gets it again.
        #expect(memory.isUnwritten(old.id))
        // From the next reading on, a deletion is later.
        memory.apply(StoredCookies.Changes(deleted: [old.id]), since: memory.takeRecent())
        #expect(try names(in: memory) == "")
    }

    @Test func responseDeletesACookieThatTheProgramHasJustSet() throws {
        var memory = CookieMemory()
        let own = try cookie("a=1")
        memory.store([try cookie("a=; Max-Age=0")], from: try origin("https://a.com/"), at: now)
        memory.apply(StoredCookies.Changes(added: [own]), since: memory.takeRecent())
        #expect(try names(in: memory) == "")
        guard case .delete(own.id) = memory.takeChange(of: own.id) else {
            Issue.record("the storage keeps the cookie")
            return
        }
    }

    @Test func anyBytesAreReadOrIgnored() throws {
        let seed = Array("a=b; Path=/x; Domain=.a.com; Max-Age=-10; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure".utf8)
        let origin = try origin("https://www.a.com/x/y")
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var field = seed
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<field.count, using: &random)
                field[index] = Bool.random(using: &random) ? field.randomElement(using: &random)! : .random(in: 0...255)
            }
            let part = field[Int.random(in: 0..<field.count, using: &random)...]
            _ = CookieDate.date(Array(part))
            guard let cookie = Cookie(setBy: part, from: origin, at: now) else { continue }
            var memory = CookieMemory()
            memory.store([cookie], from: origin, at: now)
            let header = memory.header(for: origin, at: now)
            #expect(!header.contains { $0 < 0x09 || (0x0A..<0x20).contains($0) }, "\(Array(part))")
            #expect(origin.belongs(to: cookie.id.domain), "\(Array(part))")
        }
    }

    @Test func attributeOfMoreThan1024BytesIsIgnored() throws {
        let url = try #require(URL(string: "http://h.example/a/b"))
        let origin = try #require(CookieOrigin(url))
        let path = "/" + String(repeating: "x", count: 1023)
        for (path, expected) in [(path, path), (path + "x", "/a")] {
            let field = Array("a=1; Path=\(path)".utf8)
            let cookie = try #require(Cookie(setBy: field[...], from: origin, at: Date()))
            #expect(String(decoding: cookie.id.path, as: UTF8.self) == expected)
        }
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("06 nov 1994 8:49:37", 784_111_777),
            ("Wed, 01-Jan-2031 00:00:00 GMT", 1_924_992_000), ("1 Jan 31 0:0:0", 1_924_992_000),
        ] as [(String, Double)])
    func dateIsRead(text: String, seconds: Double) {
        #expect(CookieDate.date(Array(text.utf8))?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994", "31 Feb 2030 00:00:00", "06 Nov 1994 24:00:00", "06 Nov 1600 00:00:00",
        "99 Nov 1994 00:00:00", "06 Nov 99999 00:00:00", "06 Nov 1994 000:00:00",
        // A later token does not replace an invalid one.
        "06 Nov 1994 91:22:33 21:01:22", "32 06 Nov 1994 08:49:37",
    ])
    func otherTextIsNotADate(text: String) {
        #expect(CookieDate.date(Array(text.utf8)) == nil)
    }
}
#endif
