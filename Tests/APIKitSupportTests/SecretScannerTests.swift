import Foundation
import TestSupport
import Testing

@testable import APIKitSupport

/// Secrets in all forms of text.
@Suite(.timeLimit(.minutes(10))) struct SecretScannerTests {
    // MARK: - JSON

    @Test(
        arguments: [
            (#"{"tokens":["hunter]2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
            (#"{"tokens":["hun\"ter]2","hunter2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
            (#"{"secret":{"a":"hunter}2","b":["hunter[2"]},"id":7}"#, #"{"secret":***,"id":7}"#),
            (#"{'tokens':['hunter]2'],'id':7}"#, #"{'tokens':***,'id':7}"#),
            (#"{"tokens":["it's]hunter2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
            (#"{"a":"{\"tokens\":[\"hunter]2\"],\"id\":7}"}"#, #"{"a":"{\"tokens\":***"#),
            (#"{"tokens":["hunter2"#, #"{"tokens":***"#), (#"{"tokens":[]}"#, #"{"tokens":***}"#),
            ("token: [it's], id: 7", "token: ***"),
        ] as [(String, String)])
    func bracketsInStringsDoNotEndList(text: String, masked: String) { #expect(Masking.masked(text) == masked) }

    @Test(arguments: [
        #"{"name":"page","value":"2"}"#, #"{"value":"2","name":"page"}"#, #"{"value":"2"},{"name":"password"}"#,
        #"[{"name":"password"},{"value":"2"}]"#, #"{"name":"password","x":{}},{"value":"2"}"#, #"{"value":"2","#,
        #"{"name":"#, #"{"value":"#, #"{"x":{"name":"password"},"value":"2"}"#,
        #"{"value":"2","x":{"name":"password"}}"#, #"<a name="password"/><b value="2"/>"#,
        #"{"x":"{","name":"password","y":"}"},{"value":"2"}"#,
    ]) func keepsOtherValues(text: String) { #expect(Masking.masked(text) == text) }

    // MARK: - Codes

    @Test(arguments: [
        "https://h/cb?code=hunter2&state=1", "https://h/cb?state=1&code=404", "code=hunter2&grant_type=x",
        "grant_type=x&code=abcdef", "code=abcdef&grant_type=x",
    ]) func masksCodeThatMayBeCredential(text: String) { #expect(Masking.masked(text).contains("***")) }

    @Test(arguments: [
        #"{"code":404,"message":"x"}"#, #"{"code": 20001001}"#, #"{"code":"not_found"}"#, #"{"code":"NoSuchKey"}"#,
        #"{"code":"card_declined","doc_url":"x"}"#, #"{"code":"P2002"}"#, #"{"code":"404"}"#, #"{"code":"42P01"}"#,
        #"Error Domain=NSURLErrorDomain Code=-1001 "The request timed out.""#, "MyError(code: 7)", "exit code: 1",
        #"{"code":["a"]}"#, #"{"code":{"a":1}}"#, "status code: 503 Service Unavailable", "code=", #"{"code":""}"#,
    ]) func keepsErrorCode(text: String) { #expect(Masking.masked(text) == text) }

    // MARK: - Percent-encoding

    @Test(
        arguments: [
            ("https://h/?next=https%3A%2F%2Fx%2F%3Ftoken%3Dhunter2%26b%3D1&page=2", "&page=2"),
            ("https://h/?q=%7B%22password%22%3A%22hunter2%22%2C%22id%22%3A7%7D&page=2", "&page=2"),
            ("https://h/?next=%2Fcb%253Ftoken%253Dhunter2&page=2", "&page=2"),
            ("https://h/?next=/cb%3Ftoken%3Dhunter2,hunter2&page=2", "&page=2"),
            ("https://h/?next=https%3A%2F%2Fada%3Ahunter2%40x%2F&page=2", "&page=2"),
            ("a=b%26token%3Dhunter2&page=2", "&page=2"), ("see https%3A%2F%2Fx%2F%3Ftoken%3Dhunter2 page=2", "page=2"),
            (#"{"next":"/a%3Ftoken%3Dhunter2","page":2}"#, #""page":2"#),
            ("GET /r/http%3A%2F%2Fu%3Ahunter2%40h: 404", " 404"), ("GET /r/http:%2F%2Fu:hunter2@h: 404", " 404"),
            ("https://h/r/http:%2F%2Fada:hunter2@x%2F?page=2", "page=2"),
        ] as [(String, String)])
    func decodesPercentEncodedValues(text: String, rest: String) {
        let masked = Masking.masked(text)
        #expect(!masked.contains("hunter2"), "\(masked)")
        #expect(masked.contains(rest), "\(masked)")
    }

    @Test(arguments: [
        "https://h/?q=caf%C3%A9%20au%20lait&r=%2526", "https://h/?next=https%3A%2F%2Fx%2F%3Fpage%3D2", "100%25 %zz %",
        "a=%20,%20,%20", "%41uthor=ada", "GET /r/https:%2F%2Fh%2F@ada: 404", "GET /r/https:%2f%2fh%2f@ada:x",
    ]) func keepsOtherPercentEncoding(text: String) { #expect(Masking.masked(text) == text) }

    // MARK: - URLs

    @Test(arguments: [
        "https://u:hun'ter2@h/a", "https://o'hara:hunter2@h/", "'https://u:hunt'er2@h/'", "ftp://u:'hunter2'@h",
    ]) func removesUserInformationWithApostrophe(text: String) {
        let masked = Masking.masked(text)
        #expect(!masked.contains("er2") && !masked.contains("hun") && masked.contains("@") == false, "\(masked)")
    }

    @Test(arguments: [
        "GET https://h/oauth/token: 404", "GET https://h/oauth/token: 404: {\"id\":7}", "POST /token: 404 Not Found",
        "https://h/user/password: 401",
        "GET https://h/token?page=2: 404", "https://token: 404",
    ]) func keepsTextAfterURLThatEndsInSecretName(text: String) { #expect(Masking.masked(text) == text) }

    @Test(arguments: [
        "https://h/x,token:hunter2", "https://h/token=hunter2", "https://h/a;token=hunter2", "https://h token: hunter2",
        "https://h/x?a=1 token: hunter2", #"{"https://h/token":"hunter2"}"#, "a/token:hunter2",
    ]) func masksOtherSecretsNextToURL(text: String) { #expect(!Masking.masked(text).contains("hunter2")) }

    // MARK: - Hostile text

    @Test func hostileTextNeverTraps() {
        var random = SeededText(seed: 19)
        let pieces = [
            "token", "password", "=", ":", "\"", "'", "\\", "Bearer ", "://", "@", "{", "[", "]", "}", "&", "?", " ",
            "\n", "name", "value", "code", "<", ">", "</", "/", "%3D", "%22", "%25", "%", "\r\n\r\n", "--", ";", ",",
            "<token>", "</token>", "\u{1F600}", "\u{301}", "x", "7", "-", "(", ")", "Authorization",
        ]
        for _ in 0..<6_000 {
            let text = (0..<Int.random(in: 0..<16, using: &random.generator)).map { _ in
                pieces.randomElement(using: &random.generator) ?? ""
            }.joined()
            _ = Masking.masked(text)
        }
    }
}
