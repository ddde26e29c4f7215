import APIKitCore
import TestSupport
import Testing

@Suite struct MIMETypeTests {
    @Test(
        arguments: [
            ("application/json", "application/json"), ("Application/JSON", "application/json"),
            ("text/html; charset=utf-8", "text/html"), ("text/html;charset=utf-8", "text/html"),
            ("Text/HTML ; Charset=\"utf-8\"", "text/html"), (" text/plain", "text/plain"), ("", ""), (";", ""),
            ("application/vnd.github+json; version=3", "application/vnd.github+json"),
            ("text/plain;\u{301}charset=utf-8", "text/plain"), ("text/plain \u{301}", "text/plain\u{301}"),
        ] as [(String, String)])
    func essenceIsLowercaseWithoutParameters(raw: String, essence: String) {
        #expect(MIMEType(rawValue: raw).essence == essence)
    }

    // RFC 9110, 8.3.1, 5.6.4 and 5.6.6: a quoted value may contain semicolons and backslash escapes.
    @Test(
        arguments: [
            ("text/html;x=utf-8", "utf-8"), ("Text/HTML;X=\"utf-8\"", "utf-8"), ("text/html; x=\"utf-8\"", "utf-8"),
            ("text/html; a=b; x=utf-8", "utf-8"), ("text/html;\tx=utf-8 ; a=b", "utf-8"), ("text/html", nil),
            ("text/html;", nil), ("text/html; x", nil), ("text/html; xx=utf-8", nil), ("", nil), ("x=utf-8", nil),
            ("text/plain;\u{301}x=utf-8", nil), ("a/b; x=\"1;2\"; y=3", "1;2"), (#"a/b; x="say \"hi\"""#, #"say "hi""#),
            ("a/b; y=\"; x=wrong\"; x=right", "right"), ("a/b; x=\"\"", ""), ("a/b; x=1=2", "1=2"),
            ("a/b; x=1;\u{301}y=2", "1"), ("a/b; x=\u{301}1", "\u{301}1"), ("a/b;y=\"\u{301};\";x=1", "1"),
            ("a/b; x=\"1\"\u{301};x=2", "1"), ("a/b; x=caf\u{E9} ", "caf\u{E9}"),
        ] as [(String, String?)])
    func readsParameter(raw: String, value: String?) {
        #expect(MIMEType(rawValue: raw).parameter("x") == value)
        #expect(MIMEType(rawValue: raw).parameter("X") == value)
    }

    @Test(
        arguments: [
            ("a.json", MIMEType.json), ("photo.JPG", .jpeg), ("photo.jpeg", .jpeg),
            ("archive.tar.gz", "application/gzip"),
            ("a.png", .png), ("a.pdf", .pdf), ("a.csv", .csv), ("a.mp4", .mp4), ("a.heic", .heic),
            ("noextension", .octetStream), ("", .octetStream), ("a.", .octetStream), ("a.unheardof", .octetStream),
            ("json", .octetStream), ("a.json.bak", .octetStream), ("dir.json/file", .octetStream), ("..", .octetStream),
        ] as [(String, MIMEType)])
    func guessesTypeFromFilename(filename: String, type: MIMEType) { #expect(MIMEType(filename: filename) == type) }

    @Test func acceptsAnyType() {
        let own: MIMEType = "application/vnd.example.v2+json"
        #expect(own.rawValue == "application/vnd.example.v2+json")
        #expect(own.description == own.rawValue)
        #expect(own != .json)
        #expect(MIMEType(rawValue: "application/json") == .json)
        #expect(MIMEType.problemJSON.rawValue == "application/problem+json")
        #expect(MIMEType.formURLEncoded.rawValue == "application/x-www-form-urlencoded")
    }
}
