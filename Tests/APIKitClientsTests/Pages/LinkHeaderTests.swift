import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct LinkHeaderTests {
    private static func links(_ values: String..., from url: String = "https://api.example.com/v1/list") -> LinkHeader {
        LinkHeader(HTTPHeaders(values.map { .init(name: .link, value: $0) }), relativeTo: URL(string: url)!)
    }

    /// A header's value, and each link as its relations and its target.
    struct Vector: Sendable, CustomTestStringConvertible {
        let value: String
        let links: [String]
        var testDescription: String { value }

        init(_ value: String, _ links: String...) { (self.value, self.links) = (value, links) }
    }

    static let published: [Vector] = [
        // RFC 8288, section 3.5.
        Vector(
            #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
            "previous http://example.com/TheBook/chapter2"),
        Vector(#"</>; rel="http://example.net/foo""#, "http://example.net/foo https://api.example.com/"),
        Vector(##"</terms>; rel="copyright"; anchor="#foo""##),
        Vector(
            "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
            "previous https://api.example.com/TheBook/chapter2", "next https://api.example.com/TheBook/chapter4"),
        Vector(
            #"<http://example.org/>; rel="start http://example.net/relation/other""#,
            "start,http://example.net/relation/other http://example.org/"),
        // The cases of Python's requests.
        Vector(#"<http:/.../front.jpeg>; rel=front; type="image/jpeg""#, "front http:/.../front.jpeg"),
        Vector("<http://h/front.jpeg>"), Vector("<http://h/front.jpeg>;"),
        Vector(
            #"<http://h/front.jpeg>; type="image/jpeg",<http://h/back.jpeg>; rel=back;type="image/jpeg""#,
            "back http://h/back.jpeg"), Vector(""),
        // Mastodon and Sentry.
        Vector(
            #"<https://mastodon.example/api/v1/timelines/home?limit=2&max_id=1>; rel="next", "#
                + #"<https://mastodon.example/api/v1/timelines/home?limit=2&min_id=9>; rel="prev""#,
            "next https://mastodon.example/api/v1/timelines/home?limit=2&max_id=1",
            "prev https://mastodon.example/api/v1/timelines/home?limit=2&min_id=9"),
        Vector(
            #"<https://sentry.io/api/0/issues/?&cursor=1:0:1>; rel="previous"; results="false"; cursor="1:0:1""#,
            "previous https://sentry.io/api/0/issues/?&cursor=1:0:1"),
    ]

    static let syntax: [Vector] = [
        Vector("<a>;rel=next,<b>;rel=prev", "next https://api.example.com/v1/a", "prev https://api.example.com/v1/b"),
        Vector(
            " \t<a> \t; \trel \t= \tnext \t, <b> ; rel=\"prev\"", "next https://api.example.com/v1/a",
            "prev https://api.example.com/v1/b"),
        // No page is its own next one.
        Vector(
            #"<>; rel="next", < >; rel="next", <?page=2>; rel="next""#, "next https://api.example.com/v1/list?page=2"),
        Vector("<>; rel=next"), Vector("<>; rel=\"previous prev\""),
        Vector("<>; rel=\"first next last\"", "first,last https://api.example.com/v1/list"),
        Vector("<a>; REL=NEXT", "next https://api.example.com/v1/a"),
        Vector("<a>; rel=\" next  last\t\"", "next,last https://api.example.com/v1/a"),
        // A comma, a semicolon and an angle bracket within a target or a quoted string.
        Vector("<a,b;c>; rel=next", "next https://api.example.com/v1/a,b;c"),
        Vector(#"<a>; title="x, <b>; rel=prev"; rel=next"#, "next https://api.example.com/v1/a"),
        Vector(#"<a>; title="x\", <b>; rel=prev"; rel=next"#, "next https://api.example.com/v1/a"),
        // Only the first `rel` counts.
        Vector("<a>; rel=next; rel=prev", "next https://api.example.com/v1/a"),
        Vector("<a>; rel; rel=prev"), Vector("<a>; rel*=UTF-8''next"),
        // References.
        Vector("<>; rel=self", "self https://api.example.com/v1/list"),
        Vector("<?page=2>; rel=next", "next https://api.example.com/v1/list?page=2"),
        Vector("<../x/./y>; rel=next", "next https://api.example.com/x/y"),
        Vector("<//other.example/x>; rel=next", "next https://other.example/x"),
        Vector("<doc#part two>; rel=chapter", "chapter https://api.example.com/v1/doc#part%20two"),
        Vector("<ä b?q=[1]%20&r=%>; rel=next", "next https://api.example.com/v1/%C3%A4%20b?q=%5B1%5D%20&r=%25"),
        Vector("<https://user:secret@h/x>; rel=next", "next https://h/x"),
        Vector("<mailto:a@b.example>; rel=author", "author mailto:a@b.example"),
    ]

    // MARK: - Malformed

    static let malformed: [Vector] = [
        Vector("next"), Vector("<a"), Vector("<a>; rel=\"next", "next https://api.example.com/v1/a"),
        Vector("<a>; rel=\"next\\", "next\\ https://api.example.com/v1/a"), Vector("<a>; rel=\"\""),
        Vector("<a> rel=next, <b>; rel=prev", "prev https://api.example.com/v1/b"),
        Vector(
            "<a>; rel=\"next\" x; rel=prev, <b>; rel=prev", "next https://api.example.com/v1/a",
            "prev https://api.example.com/v1/b"),
        Vector("junk \", <x>; rel=next\", <b>; rel=prev", "prev https://api.example.com/v1/b"),
        Vector(",,, ,<a>;;; rel=next;;,,", "next https://api.example.com/v1/a"),
        Vector("<a>; =x; rel=next", "next https://api.example.com/v1/a"),
        Vector("<a>; rel=next; anchor=\"https://[/\""), Vector("<; rel=next"),
        Vector(
            ">x<a>; rel=next, y <b>; rel=prev", "next https://api.example.com/v1/a", "prev https://api.example.com/v1/b"
        ),
        // A `>` within a target.
        Vector(
            "</x?q=a>5&r=>=2&page=2>; rel=next, <b>; rel=prev",
            "next https://api.example.com/x?q=a%3E5&r=%3E=2&page=2", "prev https://api.example.com/v1/b"),
        Vector("<a>rel=next,<b>; rel=prev", "prev https://api.example.com/v1/b"),
        Vector("<a>>; rel=next", "next https://api.example.com/v1/a%3E"),
        Vector("<a>x; title=\">\"; rel=next"), Vector("<a>x"),
        // Spaces around a target.
        Vector("<\t https://h/x >; rel=next", "next https://h/x"),
        // Targets that are not valid URLs, which have their own scheme and host as a fragment.
        Vector(
            "<https://a\\b@evil.example/x?token=s3cret>; rel=next",
            "next about:invalid#https%3A%2F%2Fevil.example"),
        Vector("<h@x:/.//y>; rel=next", "next about:invalid#h%40x%3A"),
        Vector(
            "<https://[/>; rel=next, <b>; rel=prev", "next about:invalid#https%3A%2F%2F%5B",
            "prev https://api.example.com/v1/b"),
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
        // Relations ignore case, and a combining character does not hide a space between them.
        #expect(LinkHeader.Relation(rawValue: "NEXT") == .next)
        #expect(Self.links("<a>; rel=\"https://H/Rel\"")["https://h/rel"] != nil)
        #expect(Self.links("</2>; rel=\"next \u{301}x\"").map(\.relations) == [[.next, "\u{301}x"]])
    }

    @Test func validLinksPrecedeInvalidOnes() {
        let links = Self.links("<https://[/>; rel=\"next last\", <b>; rel=next")
        #expect(links[.next]?.absoluteString == "https://api.example.com/v1/b")
        #expect(links[.last]?.absoluteString == "about:invalid#https%3A%2F%2F%5B")
    }

    @Test func attributesIgnoreCase() throws {
        let value =
            #"<a>; rel=next; Type="text/html"; hreflang=en; HREFLANG="de"; results="true"; flag; title="a \"b\" \\""#
        let link = try #require(Self.links(value).first { _ in true })
        #expect(link["type"] == "text/html")
        #expect(link["hreflang"] == "en")
        #expect(link["RESULTS"] == "true")
        #expect(link["flag"] == "")
        #expect(link.title == #"a "b" \"#)
        #expect(link["media"] == nil)
    }

    @Test func skipsLinksOfOtherResources() {
        let links = Self.links("<a>; rel=next; anchor=\"#part\", <b>; rel=next; anchor=\"/v1/list\", <c>; rel=next")
        #expect(links.map(\.target.lastPathComponent) == ["b", "c"])
    }

    /// RFC 8288, appendix B.2.
    @Test func firstAnchorCounts() {
        let links = Self.links(
            "<a>; rel=next; anchor=\"/v1/list\"; anchor=\"#part\", <b>; rel=prev; anchor=\"#part\"; anchor=\"/v1/list\"",
            "<c>; rel=last; anchor=\"\"; ANCHOR=\"/other\"")
        #expect(links.map(\.target.lastPathComponent) == ["a", "c"])
    }

    /// RFC 8288, section 3.4.1, and RFC 8187, section 3.2.
    @Test(
        arguments: [
            ("title*=UTF-8'de'letztes%20Kapitel", "letztes Kapitel"), ("title*=UTF-8'de'n%c3%a4chstes", "nächstes"),
            ("title=plain; title*=utf-8''%E2%82%ac", "€"), ("TITLE*=UTF-8''a; title=plain", "a"),
            ("title*=iso-8859-1'en'%A3%20rates", "£ rates"), ("title*=UTF-8''a; title*=UTF-8''b", "a"),
            ("title*=UTF-8''it's", "it's"), ("title*=\"UTF-8''a b\"", "a b"), ("title*=UTF-8''", ""),
            // What cannot be read leaves the plain one.
            ("title=plain; title*=UTF-8''%C3", "plain"), ("title=plain; title*=UTF-8''%4", "plain"),
            ("title=plain; title*=x''a", "plain"), ("title=plain; title*=a", "plain"), ("title=plain; title*", "plain"),
            ("title*=UTF-8''%ZZ", nil), ("title*=UTF-8'a", nil), ("title*='", nil), ("title*=", nil),
        ] as [(String, String?)])
    func readsExtendedTitle(attributes: String, title: String?) throws {
        let link = try #require(Self.links("<a>; rel=next; \(attributes)").first { _ in true })
        #expect(link.title == title)
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
