import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct SuggestedFilenameTests {
    /// The name in a `Content-Disposition`, for a URL that has none.
    private func name(_ disposition: String, url: String = "https://example.com/files/7") throws -> String? {
        let url = try #require(URL(string: url))
        let headers: HTTPHeaders = ["Content-Disposition": disposition]
        return HTTPResponse.Head(status: 200, headers: headers, url: url).suggestedFilename
    }

    // RFC 6266, sections 4 and 5.
    @Test(
        arguments: [
            ("Attachment; filename=example.html", "example.html"),
            ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
            ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"),
            ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
            ("attachment; filename*=utf-8''%e2%82%ac%20rates; filename=\"EURO rates\"", "€ rates"),
            ("attachment", nil), ("inline", nil), ("", nil),
        ] as [(String, String?)])
    func readsFilename(disposition: String, expected: String?) throws {
        #expect(try name(disposition) == expected)
    }

    // Cases that clients are known to read differently.
    @Test(
        arguments: [
            // Tokens and quoted strings (RFC 9110, section 5.6).
            ("inline; filename=\"a;b, c.txt\"", "a;b, c.txt"),
            (#"attachment; filename="a \"b\" c.txt""#, #"a "b" c.txt"#),
            (#"attachment; filename="a\b.txt""#, "ab.txt"), (#"attachment; size="\"\\";filename="a.txt""#, "a.txt"),
            ("attachment; filename='a.txt'", "'a.txt'"),
            ("attachment; note=\"filename=wrong\"; filename=a.txt", "a.txt"),
            // Unknown types and parameters, and other names that end alike.
            ("unknown; filename=a.txt", "a.txt"), ("attachment; size=3; filename=a.txt", "a.txt"),
            ("form-data; name=file; filename=a.txt", "a.txt"), ("attachment; xfilename=a.txt", nil),
            ("attachment; filename.ext=a.txt", nil), ("attachment; filename=\"a%41b.txt\"", "a%41b.txt"),
            // Malformed, but usual.
            ("attachment; filename =\"a.txt\"", "a.txt"), ("attachment;filename=a.txt ;", "a.txt"),
            ("attachment; filename=a b.txt", "a b.txt"), ("attachment; filename=a,b.txt", "a,b.txt"),
            ("attachment; filename=a[1](2).txt", "a[1](2).txt"), ("attachment; filename=\"a.txt", "a.txt"),
            ("attachment; filename=\"a.txt\"b", "a.txt"), ("attachment; ; filename=a.txt", "a.txt"),
            ("attachment; filename=a.txt; filename=b.txt", "a.txt"), ("filename=a.txt", "a.txt"),
            ("; filename=a.txt", "a.txt"), ("attachment filename=a.txt", nil), ("attachment; filename", nil),
            // Non-ASCII characters in `filename`.
            ("attachment; filename=\"b\u{E4}r.txt\"", "bär.txt"), ("attachment; filename=\"中文.txt\"", "中文.txt"),
            ("attachment; filename==?UTF-8?Q?b=C3=A4r.txt?=", "=?UTF-8?Q?b=C3=A4r.txt?="),
        ] as [(String, String?)])
    func toleratesWhatServersSend(disposition: String, expected: String?) throws {
        #expect(try name(disposition) == expected)
    }

    // RFC 8187, section 3.2.
    @Test(
        arguments: [
            ("filename*=UTF-8''b%c3%a4r.txt", "bär.txt"), ("filename*=UTF-8'de'b%C3%A4r.txt", "bär.txt"),
            ("filename*=iso-8859-1''b%e4r.txt", "bär.txt"), ("filename*=UTF-8''ba%CC%88r.txt", "ba\u{308}r.txt"),
            ("filename*= UTF-8''a.txt", "a.txt"), ("filename* =UTF-8''a.txt", "a.txt"),
            ("filename*=\"UTF-8''b%c3%a4r.txt\"", "bär.txt"), ("filename*=UTF-8''a%2541.txt", "a%41.txt"),
            // Those that cannot be read leave the plain one.
            ("filename=a.txt; filename*=UTF-8''%e4.txt", "a.txt"), ("filename=a.txt; filename*=UTF-8''b%", "a.txt"),
            ("filename=a.txt; filename*=UTF-8''b%xyc", "a.txt"), ("filename=a.txt; filename*=''b", "a.txt"),
            ("filename=a.txt; filename*=b.txt", "a.txt"), ("filename=a.txt; filename*=UTF-8'b.txt", "a.txt"),
            ("filename=a.txt; filename*=unknown''b.txt", "a.txt"), ("filename=a.txt; filename*=UTF-8''..", "a.txt"),
            ("filename*=UTF-8''%ff.txt", nil), ("filename *=UTF-8''a.txt", nil),
            // Parts of values belong to mail (RFC 2231, section 3).
            ("filename*0=\"a.\"; filename*1=\"txt\"", nil), ("filename*0*=UTF-8''b; filename*=UTF-8''a.txt", "a.txt"),
        ] as [(String, String?)])
    func readsExtendedFilename(parameters: String, expected: String?) throws {
        #expect(try name("attachment; \(parameters)") == expected)
    }

    /// `URLSession` reads each byte of a header as a character of Latin-1 on Apple's platforms.
    @Test(arguments: ["bär.txt", "中文.txt", "€🎬.mp4", "測試.docx"])
    func restoresUTF8ThatWasReadAsLatin1(filename: String) throws {
        var latin1 = ""
        for byte in filename.utf8 { latin1.unicodeScalars.append(Unicode.Scalar(byte)) }
        #expect(try name("attachment; filename=\"\(latin1)\"") == filename)
    }

    @Test(
        arguments: [
            ("../../.bashrc", "bashrc"), ("/etc/passwd", "passwd"), ("a/b/c.txt", "c.txt"), ("a/b/", "b"),
            (#"C:\Users\x.txt"#, "x.txt"), (#"..\..\x.txt"#, "x.txt"), (#"\\server\x.txt"#, "x.txt"),
            (#"a/b\c"#, "c"), (#"a\b/c"#, "c"), ("a/..", nil), ("..", nil), (".", nil), ("/", nil), (#"\"#, nil),
            ("...", nil), (" ", nil), ("./.", nil), (". .", nil), ("\u{A0}", nil), ("a/ /", nil),
            (".bashrc", "bashrc"), ("..a", "a"), (" .a", "a"), ("a.txt.", "a.txt"), ("a.txt ", "a.txt"),
            ("a.txt. .", "a.txt"), ("a..txt", "a..txt"), ("a .txt", "a .txt"), ("\u{3000}a.txt\u{A0}", "a.txt"),
            ("a\0.txt", "a.txt"), ("a.txt\0.jpg", "a.txt.jpg"), ("\0", nil), (".\0.", nil), (".\0./a", "a"),
            ("a\r\nb\tc\u{1B}[2J\u{7F}\u{85}\u{2028}\u{2029}", "abc[2J"), ("\u{1}..\u{1}", nil), ("a/\0", "a"),
            ("photo\u{202E}gpj.exe", "photogpj.exe"), ("\u{2066}a\u{2069}\u{200F}\u{61C}.txt", "a.txt"),
            (".\u{202E}.", nil), ("\u{200E}.bashrc", "bashrc"),
            // Harmless characters stay, also those that join emoji and letters.
            ("a:b?c*<d>|~$&.txt", "a:b?c*<d>|~$&.txt"), ("👩\u{200D}🚀.png", "👩\u{200D}🚀.png"),
            ("نامه\u{200C}ای.txt", "نامه\u{200C}ای.txt"), ("-rf", "-rf"), ("con", "con"),
            // A slash with a combining character still separates.
            ("a/\u{301}b", "\u{301}b"), ("..\u{301}", "\u{301}"),
        ] as [(String, String?)])
    func removesWhatIsUnsafe(text: String, expected: String?) throws {
        let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try name("attachment; filename*=UTF-8''\(encoded)") == expected)
        let quoted = text.replacing("\\", with: #"\\"#)
        #expect(try name("attachment; filename=\"\(quoted)\"") == expected)
        // The component of a URL needs an extension.
        let isFile = expected?.contains(".") == true
        #expect(try name("attachment", url: "https://example.com/a/\(encoded)") == (isFile ? expected : nil))
    }

    @Test(
        arguments: [
            (String(repeating: "a", count: 255), String(repeating: "a", count: 255)),
            (String(repeating: "a", count: 256), String(repeating: "a", count: 255)),
            (String(repeating: "a", count: 251) + ".txt", String(repeating: "a", count: 251) + ".txt"),
            (String(repeating: "a", count: 252) + ".txt", String(repeating: "a", count: 251) + ".txt"),
            (String(repeating: "a", count: 9000) + ".tar.gz", String(repeating: "a", count: 252) + ".gz"),
            // Characters are not cut: 251 bytes hold 62 of four bytes.
            (String(repeating: "🎬", count: 64) + ".mp4", String(repeating: "🎬", count: 62) + ".mp4"),
            (String(repeating: "a", count: 250) + "é.txt", String(repeating: "a", count: 250) + ".txt"),
            // No dots or spaces at the new end.
            (String(repeating: "a", count: 250) + "  b.txt", String(repeating: "a", count: 250) + ".txt"),
            (String(repeating: "a", count: 254) + " b", String(repeating: "a", count: 254)),
            // A long text after a dot is not an extension.
            ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
        ] as [(String, String)])
    func shortensLongNamesBeforeTheirExtension(text: String, expected: String) throws {
        #expect(try name("attachment; filename=\"\(text)\"") == expected)
        #expect(expected.utf8.count <= 255)
    }

    @Test(
        arguments: [
            ("https://example.com/films/film.mp4", "film.mp4"),
            ("https://example.com/a%20b.mp4?x=c.txt#d.e", "a b.mp4"),
            ("https://example.com/b%C3%A4r.txt", "bär.txt"), ("https://example.com/..%2F..%2Fx.txt", "x.txt"),
            ("https://example.com/a%5Cb.txt", "b.txt"), ("https://example.com/a%00b.txt", "ab.txt"),
            // Without an extension, it may be an identifier.
            ("https://example.com/films/7", nil), ("https://example.com/.bashrc", nil),
            ("https://example.com/v1.2/", nil),
            ("https://example.com/", nil), ("https://example.com", nil), ("https://example.com?a=b.txt", nil),
            ("https://example.com/%FF.txt", nil), ("https://example.com/%2E%2E", nil),
        ] as [(String, String?)])
    func fallsBackToFileInURL(url: String, expected: String?) throws {
        let head = HTTPResponse.Head(status: 200, url: try #require(URL(string: url)))
        #expect(head.suggestedFilename == expected)
        #expect(try name("attachment; filename=\"..\"", url: url) == expected)
        #expect(try name("attachment; filename=a.b", url: url) == "a.b")
    }

    @Test func firstHeaderCounts() throws {
        let headers = HTTPHeaders([
            .init(name: "content-disposition", value: "attachment; filename=a.txt"),
            .init(name: "Content-Disposition", value: "attachment; filename*=UTF-8''b.txt"),
        ])
        #expect(HTTPResponse.Head(status: 200, headers: headers, url: WireProbe.root).suggestedFilename == "a.txt")
    }
}
