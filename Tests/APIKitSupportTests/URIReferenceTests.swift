import Foundation
import TestSupport
import Testing

@testable import APIKitSupport

@Suite struct URIReferenceTests {
    private func resolve(_ reference: String, against base: String = "http://a/b/c/d;p?q") -> String {
        URIReference(base).resolving(URIReference(reference)).text
    }

    // RFC 3986, 5.4.1; the fragment is never sent, so it is left out.
    @Test(
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
            // RFC 3986, 5.4.2.
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g"),
            ("g#s/../x", "http://a/b/c/g"), ("http:g", "http:g"),
        ] as [(String, String)])
    func resolvesExamplesOfTheStandard(reference: String, target: String) { #expect(resolve(reference) == target) }

    @Test(
        arguments: [
            ("http://a", "g", "http://a/g"), ("http://a", "", "http://a"), ("http://a", "?y", "http://a?y"),
            ("http://a", ".", "http://a/"), ("http://a", "../g", "http://a/g"), ("http://a/", "g", "http://a/g"),
            ("http://a/b", "g", "http://a/g"), ("http://a/b/", "g", "http://a/b/g"),
            ("http://a?x=/y/z", "g", "http://a/g"),
            ("http://a/b?x=/y/z", "g", "http://a/g"), ("http://a/b?x#f", "", "http://a/b?x"),
            ("http://a/b?", "", "http://a/b?"), ("http://a/b?q", "?", "http://a/b?"),
            // Ports and IPv6 hosts are kept.
            ("http://a:8080/b", "g", "http://a:8080/g"), ("http://[::1]:8080/b/c", "g", "http://[::1]:8080/b/g"),
            ("http://[2001:db8::7]/b", "//[::1]:81/x", "http://[::1]:81/x"), ("http://a:8080/b", "//g", "http://g"),
            ("https://a/b", "//g:444/x", "https://g:444/x"),
            // User information is not inherited.
            ("http://user:secret@a/b", "g", "http://a/g"), ("http://user:secret@a/b", "", "http://a/b"),
        ] as [(String, String, String)])
    func resolvesAgainstOtherBases(base: String, reference: String, target: String) {
        #expect(resolve(reference, against: base) == target)
    }

    @Test(
        arguments: [
            ("./a:b", "http://a/b/c/a:b"), ("/a:b", "http://a/a:b"), ("x/a:b", "http://a/b/c/x/a:b"),
            ("?a:b", "http://a/b/c/d;p?a:b"), ("g?a:b/c", "http://a/b/c/g?a:b/c"), ("#a:b", "http://a/b/c/d;p?q"),
            ("mailto:x", "mailto:x"), (":x", "http://a/b/c/:x"),
        ] as [(String, String)])
    func onlyColonInFirstSegmentEndsScheme(reference: String, target: String) {
        #expect(resolve(reference) == target)
    }

    @Test(
        arguments: [
            ("HTTPS://G/x", "https://G/x"), ("http://u:p@g/x", "http://g/x"), ("//u@g", "http://g"),
            ("//u:p@w@g/x", "http://g/x"), ("/@g", "http://a/@g"), ("//g/u@h", "http://g/u@h"),
        ] as [(String, String)])
    func lowercasesSchemeAndDropsUserInformation(reference: String, target: String) {
        #expect(resolve(reference) == target)
    }

    @Test(
        arguments: [
            ("g/../../../../../h/./i/..", "http://a/h/"), ("//g/a/../..", "http://g/"),
            ("http://g/a/../b/./c", "http://g/b/c"), ("/a//b", "http://a/a//b"), ("/a//../b", "http://a/a/b"),
            ("http://g", "http://g"), ("http://g?y", "http://g?y"),
            // RFC 3986, section 6.2.2.2, and libcurl 8: an encoded dot is a dot.
            ("%2e%2e/g", "http://a/b/g"), ("g/%2E%2e", "http://a/b/c/"), ("%2e./.%2E/g", "http://a/g"),
            ("%2E/g", "http://a/b/c/g"), ("g?%2e%2e/h", "http://a/b/c/g?%2e%2e/h"),
            ("%2e%2e%2Fg", "http://a/b/c/%2e%2e%2Fg"),
            // A path does not become an authority.
            ("x:/.//y", "x:/.//y"), ("x:/a/..//u@y", "x:/.//u@y"),
        ] as [(String, String)])
    func removesDotSegments(reference: String, target: String) { #expect(resolve(reference) == target) }

    @Test(
        arguments: [
            ("/a b", "/a%20b"), ("/caf\u{E9}", "/caf%C3%A9"), ("/a%20b", "/a%20b"), ("/a\"<>b", "/a%22%3C%3Eb"),
            ("https://a/?x={1}|2", "https://a/?x=%7B1%7D%7C2"), ("/a\\b", "/a%5Cb"), ("/a\u{7F}", "/a%7F"),
            ("http://[::1]:80/a[0]?b[1]", "http://[::1]:80/a%5B0%5D?b%5B1%5D"), ("/50%/%4g", "/50%25/%254g"),
            ("/e\u{301}/\u{301}", "/e%CC%81/%CC%81"), ("/\r\n", "/%0D%0A"),
        ] as [(String, String)])
    func encodesInvalidBytesOnce(text: String, encoded: String) {
        let once = URIReference(text).encodingStrayBytes
        #expect(once.text == encoded)
        #expect(once.encodingStrayBytes.text == encoded)
    }

    // As a Character, a delimiter with a combining accent does not equal the delimiter.
    @Test(
        arguments: [
            ("http://g/\u{301}@h/", "http://g/\u{301}@h/"), ("//g/\u{301}@h/", "http://g/\u{301}@h/"),
            ("/g?\u{301}y", "http://a/g?\u{301}y"), ("/g#\u{301}s", "http://a/g"), ("//\u{301}g", "http://\u{301}g"),
            ("/\u{301}g", "http://a/\u{301}g"), ("g/../\u{301}", "http://a/b/c/\u{301}"),
            ("http:\u{301}//g", "http:\u{301}//g"), ("//u@\u{301}g/", "http://\u{301}g/"),
            ("g/..\u{301}/h", "http://a/b/c/g/..\u{301}/h"),
        ] as [(String, String)])
    func combiningCharactersDoNotHideDelimiters(reference: String, target: String) {
        #expect(Array(resolve(reference).utf8) == Array(target.utf8))
    }

    @Test(
        arguments: [
            ("https://g\\@h/", true), ("https://g\\h/", true), ("//g\\h", true), ("//u\\p@g/", true), ("//g h/", true),
            ("//g\th", true), ("//g\r\nh", true), ("//%67/", true), ("//g%2F.h/", true), ("//g%00/", true),
            ("//g/a\\b", false), ("/a\\b", false), ("//g?a\\b", false), ("//u%40w@g/", false), ("//g%C3%A9/", false),
            ("//[::1]:80/", false), ("g", false), ("", false),
        ] as [(String, Bool)])
    func recognizesAmbiguousAuthority(reference: String, isDubious: Bool) {
        #expect(URIReference(reference).hasDubiousAuthority == isDubious)
    }

    @Test func resolvingKeepsBytesOfReference() {
        var random = SeededText(seed: 17)
        for _ in 0..<2_000 {
            let text = random.next()
            let path = text.utf8.prefix { !"?#".utf8.contains($0) }
            let resolved = Array(resolve("//g/" + text).utf8)
            #expect(resolved.starts(with: "http://g/".utf8), "\(text.debugDescription)")
            // Only dot segments are removed.
            guard !String(decoding: Array(path), as: UTF8.self).removingPercentEncodingOfASCII.contains(".") else {
                continue
            }
            let expected = Array("http://g/".utf8) + text.utf8.prefix { $0 != UInt8(ascii: "#") }
            #expect(resolved == expected, "\(text.debugDescription)")
        }
    }

    // Servers send these in `Location` although RFC 3986 does not allow them.
    @Test(
        arguments: [
            ("/a b?c d", "https://h/a%20b?c%20d"), ("/search?filter[a]=1", "https://h/search?filter%5Ba%5D=1"),
            ("/100%", "https://h/100%25"), ("/a[0]", "https://h/a%5B0%5D"), ("/caf\u{E9}", "https://h/caf%C3%A9"),
        ] as [(String, String)])
    func invalidLocationsBecomeURLs(location: String, target: String) throws {
        let text = URIReference("https://h/x").resolving(URIReference(location).encodingStrayBytes).text
        #expect(URL(strict: text)?.absoluteString == target)
    }
}
