import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite struct LinkHeaderTests {
    private static func links(_ values: String..., from url: String = "https://api.example.com/v1/list") -> LinkHeader {
        LinkHeader(HTTPHeaders(values.map { .init(name: .link, value: $0) }), relativeTo: URL(string: url)!)
    }

    /// A header's value, and each link as its relations and its target.
    struct Vector: Sendable, CustomTestStringConvertible {
        let value: String
        let links: [String]
        var testDescription: String { value }
    }

    @Test func combiningCharactersDoNotHideSpacesBetweenRelations() throws {
        let link = try #require(Self.links("</2>; rel=\"next \u{301}x\"").first { _ in true })
        #expect(link.relations == [.next, "\u{301}x"])
    }

    // MARK: - Published vectors

    static let published = [
        // RFC 8288, section 3.5.
        Vector(
            value: #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
            links: ["previous http://example.com/TheBook/chapter2"]),
        Vector(
            value: #"</>; rel="http://example.net/foo""#, links: ["http://example.net/foo https://api.example.com/"]),
        Vector(
            value: ##"</terms>; rel="copyright"; anchor="#foo""##, links: ["copyright https://api.example.com/terms"]),
        Vector(
            value: "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
            links: [
                "previous https://api.example.com/TheBook/chapter2", "next https://api.example.com/TheBook/chapter4",
            ]),
        Vector(
            value: #"<http://example.org/>; rel="start http://example.net/relation/other""#,
            links: ["start,http://example.net/relation/other http://example.org/"]),
        Vector(
            value: #"<https://example.org/>; rel="start", <https://example.org/index>; rel="index""#,
            links: ["start https://example.org/", "index https://example.org/index"]),
        // GitHub's documentation of pagination.
        Vector(
            value: #"<https://api.github.com/repositories/1300192/issues?page=2>; rel="prev", "#
                + #"<https://api.github.com/repositories/1300192/issues?page=4>; rel="next", "#
                + #"<https://api.github.com/repositories/1300192/issues?page=515>; rel="last", "#
                + #"<https://api.github.com/repositories/1300192/issues?page=1>; rel="first""#,
            links: [
                "prev https://api.github.com/repositories/1300192/issues?page=2",
                "next https://api.github.com/repositories/1300192/issues?page=4",
                "last https://api.github.com/repositories/1300192/issues?page=515",
                "first https://api.github.com/repositories/1300192/issues?page=1",
            ]),
        // The cases of Python's requests.
        Vector(value: #"<http:/.../front.jpeg>; rel=front; type="image/jpeg""#, links: ["front http:/.../front.jpeg"]),
        Vector(value: "<http://h/front.jpeg>", links: []), Vector(value: "<http://h/front.jpeg>;", links: []),
        Vector(
            value: #"<http://h/front.jpeg>; type="image/jpeg",<http://h/back.jpeg>; rel=back;type="image/jpeg""#,
            links: ["back http://h/back.jpeg"]), Vector(value: "", links: []),
        // Mastodon, GitLab and Sentry.
        Vector(
            value: #"<https://mastodon.example/api/v1/timelines/home?limit=2&max_id=1>; rel="next", "#
                + #"<https://mastodon.example/api/v1/timelines/home?limit=2&min_id=9>; rel="prev""#,
            links: [
                "next https://mastodon.example/api/v1/timelines/home?limit=2&max_id=1",
                "prev https://mastodon.example/api/v1/timelines/home?limit=2&min_id=9",
            ]),
        Vector(
            value: #"<https://sentry.io/api/0/issues/?&cursor=1:0:1>; rel="previous"; results="false"; cursor="1:0:1""#,
            links: ["previous https://sentry.io/api/0/issues/?&cursor=1:0:1"]),
    ]

    // MARK: - Syntax

    static let syntax = [
        Vector(
            value: "<a>;rel=next,<b>;rel=prev",
            links: ["next https://api.example.com/v1/a", "prev https://api.example.com/v1/b"]),
        Vector(
            value: " \t<a> \t; \trel \t= \tnext \t, <b> ; rel=\"prev\"",
            links: ["next https://api.example.com/v1/a", "prev https://api.example.com/v1/b"]),
        Vector(value: "<a>; REL=NEXT", links: ["next https://api.example.com/v1/a"]),
        Vector(value: "<a>; rel=\" next  last\t\"", links: ["next,last https://api.example.com/v1/a"]),
        // A comma, a semicolon and an angle bracket within a target or a quoted string.
        Vector(value: "<a,b;c>; rel=next", links: ["next https://api.example.com/v1/a,b;c"]),
        Vector(value: #"<a>; title="x, <b>; rel=prev"; rel=next"#, links: ["next https://api.example.com/v1/a"]),
        Vector(value: #"<a>; title="x\", <b>; rel=prev"; rel=next"#, links: ["next https://api.example.com/v1/a"]),
        // Only the first `rel` counts.
        Vector(value: "<a>; rel=next; rel=prev", links: ["next https://api.example.com/v1/a"]),
        Vector(value: "<a>; rel; rel=prev", links: []), Vector(value: "<a>; rel*=UTF-8''next", links: []),
        // References.
        Vector(value: "<>; rel=self", links: ["self https://api.example.com/v1/list"]),
        Vector(value: "<?page=2>; rel=next", links: ["next https://api.example.com/v1/list?page=2"]),
        Vector(value: "<../x/./y>; rel=next", links: ["next https://api.example.com/x/y"]),
        Vector(value: "<//other.example/x>; rel=next", links: ["next https://other.example/x"]),
        Vector(value: "<doc#part two>; rel=chapter", links: ["chapter https://api.example.com/v1/doc#part%20two"]),
        Vector(
            value: "<ä b?q=[1]%20&r=%>; rel=next",
            links: ["next https://api.example.com/v1/%C3%A4%20b?q=%5B1%5D%20&r=%25"]),
        Vector(value: "<https://user:secret@h/x>; rel=next", links: ["next https://h/x"]),
        Vector(value: "<mailto:a@b.example>; rel=author", links: ["author mailto:a@b.example"]),
    ]

    // MARK: - Malformed

    static let malformed = [
        Vector(value: "next", links: []), Vector(value: "<a", links: []),
        Vector(value: "<a>; rel=\"next", links: ["next https://api.example.com/v1/a"]),
        Vector(value: "<a>; rel=\"next\\", links: ["next\\ https://api.example.com/v1/a"]),
        Vector(value: "<a>; rel=\"\"", links: []),
        Vector(value: "<a> rel=next, <b>; rel=prev", links: ["prev https://api.example.com/v1/b"]),
        Vector(
            value: "<a>; rel=\"next\" x; rel=prev, <b>; rel=prev",
            links: ["next https://api.example.com/v1/a", "prev https://api.example.com/v1/b"]),
        Vector(value: "junk \", <x>; rel=next\", <b>; rel=prev", links: ["prev https://api.example.com/v1/b"]),
        Vector(value: ",,, ,<a>;;; rel=next;;,,", links: ["next https://api.example.com/v1/a"]),
        Vector(value: "<a>; =x; rel=next", links: ["next https://api.example.com/v1/a"]),
        Vector(value: "<https://a\\@evil.example/>; rel=next", links: []),
        Vector(value: "<https://[/>; rel=next, <b>; rel=prev", links: ["prev https://api.example.com/v1/b"]),
        Vector(value: "<a>; rel=next; anchor=\"https://[/\"", links: []),
    ]

    @Test(arguments: published + syntax + malformed) func reads(vector: Vector) {
        let links = Self.links(vector.value)
        #expect(links.map(Self.text) == vector.links)
    }

    private static func text(_ link: LinkHeader.Link) -> String {
        "\(link.relations.map(\.rawValue).joined(separator: ",")) \(link.target.absoluteString)"
    }

    @Test func readsEveryFieldInOrder() {
        let links = Self.links("<a>; rel=next", "<b>; rel=\"next prev\", <c>; rel=last")
        #expect(links.map(\.target.lastPathComponent) == ["a", "b", "c"])
        #expect(links[.next]?.lastPathComponent == "a")
        #expect(links[.previous]?.lastPathComponent == "b")
        #expect(links[.last]?.lastPathComponent == "c")
        #expect(links[.first] == nil)
        #expect(Self.links()[.next] == nil)
    }

    @Test func attributesIgnoreCaseAndRepeat() throws {
        let value =
            #"<a>; rel=next; Type="text/html"; hreflang=en; HREFLANG="de"; results="true"; flag; title="a \"b\" \\""#
        let link = try #require(Self.links(value).first { _ in true })
        #expect(link["type"] == "text/html")
        #expect(link.values(for: "hreflang") == ["en", "de"])
        #expect(link["RESULTS"] == "true")
        #expect(link["flag"] == "")
        #expect(link.title == #"a "b" \"#)
        #expect(link["media"] == nil)
        #expect(link["rel"] == nil)
    }

    @Test(arguments: [
        ("title=plain; title*=UTF-8'de'n%c3%a4chstes%20Kapitel", "nächstes Kapitel"),
        ("title*=utf-8''%e2%82%ac%20rates; title=plain", "€ rates"), (#"title*="UTF-8''quoted%21""#, "quoted!"),
        ("title*=ISO-8859-1'en'%A3; title=plain", "plain"), ("title*=UTF-8''%FF; title=plain", "plain"),
        ("title*=UTF-8''%2; title=plain", "plain"), ("title*=UTF-8''%zz", nil), ("title*=plain", nil), ("title*", nil),
    ]) func decodesExtendedAttributes(parameters: String, title: String?) throws {
        let link = try #require(Self.links("<a>; rel=next; \(parameters)").first { _ in true })
        #expect(link.title == title)
    }

    @Test func linksOfOtherResourcesAreNotThoseOfTheResponse() throws {
        let links = Self.links("<a>; rel=next; anchor=\"#part\", <b>; rel=next; anchor=\"/v1/list\", <c>; rel=next")
        #expect(links.map(\.anchor?.absoluteString) == ["https://api.example.com/v1/list#part", nil, nil])
        #expect(links[.next]?.lastPathComponent == "b")
    }

    @Test func relationsIgnoreCase() {
        #expect(LinkHeader.Relation(rawValue: "NEXT") == .next)
        #expect(Self.links("<a>; rel=\"https://H/Rel\"")["https://h/rel"] != nil)
    }

    @Test func headAndReplyHaveLinks() async throws {
        let stub = StubClient(.json("[]", headers: [.link: "<?since=9>; rel=next"]))
        let reply = try await stub.reply(to: AccountsRequest())
        #expect(reply.links[.next]?.absoluteString == "https://api.example.com/accounts?since=9")
        #expect(reply.head.links == reply.links)
    }

    @Test func descriptionsMaskSecrets() {
        let links = Self.links("<a?access_token=s3cret>; rel=next, <b>; rel=last")
        #expect(!"\(links)".contains("s3cret"))
        #expect("\(links)".hasSuffix("<https://api.example.com/v1/b>; rel=\"last\""))
    }

    @Test func readsAnyText() {
        var texts = SeededText(seed: 8288)
        for _ in 0..<2000 {
            let text = texts.next()
            _ = Array(Self.links(text))
            // Whatever stands before it, a link after a comma is found, unless a quotation mark or a `<` is open.
            let isOpen = text.contains("<") || text.utf8.contains(UInt8(ascii: "\""))
            let next = Self.links("\(text), <z>; rel=z")["z"]
            #expect(isOpen || next?.lastPathComponent == "z", "\(text.debugDescription)")
        }
    }
}
