import Foundation
import Testing

@testable import APIKitCore

/// Secrets in all forms of text.
@Suite(.timeLimit(.minutes(3))) struct SecretScannerTests {
    // MARK: - JSON

    @Test(arguments: [
        (#"{"tokens":["hunter]2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
        (#"{"tokens":["hun\"ter]2","hunter2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
        (#"{"secret":{"a":"hunter}2","b":["hunter[2"]},"id":7}"#, #"{"secret":***,"id":7}"#),
        (#"{'tokens':['hunter]2'],'id':7}"#, #"{'tokens':***,'id':7}"#),
        (#"{"tokens":["it's]hunter2"],"id":7}"#, #"{"tokens":***,"id":7}"#),
        (#"{"a":"{\"tokens\":[\"hunter]2\"],\"id\":7}"}"#, #"{"a":"{\"tokens\":***,\"id\":7}"}"#),
        (#"{"tokens":["hunter2"#, #"{"tokens":***"#), (#"{"tokens":[]}"#, #"{"tokens":***}"#),
        ("token: [it's], id: 7", "token: ***, id: 7"),
    ]) func bracketsInStringsDoNotEndList(text: String, masked: String) { #expect(Masking.text(text) == masked) }

    @Test(arguments: [
        #"{"name":"password","value":"hunter2","id":7}"#, #"{"value":"hunter2","name":"password","id":7}"#,
        #"{"name": "Authorization", "value": "Bearer hunter2"}, {"id":7}"#,
        #"{"name":"api_key","type":"string","value":["hunter2"],"id":7}"#, #"{"value":1hunter2,"name":"pin","id":7}"#,
        #"{"Key":"password","Value":"hunter2","id":7}"#, #"{"value" : "hunter2" , "key" : "token", "id":7}"#,
        #"{"a":"{\"name\":\"password\",\"value\":\"hunter2\",\"id\":7}"}"#,
        #"{"a":"{\"value\":\"hunter2\",\"name\":\"password\",\"id\":7}"}"#,
        #"<input name="password" value="hunter2" id="7">"#, #"<input value="hunter2" type="x" name="password" id="7">"#,
        #"Item(name: "token", value: "hunter2", id: 7)"#, "name=password&value=hunter2&id=7",
        #"[{"name":"page","value":"2"},{"name":"password","value":"hunter2"},{"id":7}]"#,
        #"{"name":"password","meta":{"a":1},"value":"hunter2","id":7}"#,
        #"{"value":"hunter2","meta":{"name":"x"},"name":"password","id":7}"#,
        #"{"name":"password","a":"x < y","b":"<b>->","value":"hunter2","id":7}"#,
        #"{"value":"hunter2","b":"<b>","name":"password","id":7}"#,
        #"{"a":"<","name":"password","b":">","value":"hunter2","id":7}"#,
        #"<add key="password" value="hunter2" id="7"/>"#, #"<add value="hunter2" key="password" id="7"/>"#,
        #"{"n\u0061me":"pass\u0077ord","value":"hunter2","id":7}"#,
        #"{"name":"password","note":"a } b","value":"hunter2","id":7}"#,
        #"{"value":"hunter2","note":"} {","name":"password","id":7}"#,
        #"{"a":"{\"name\":\"password\",\"note\":\"}\",\"value\":\"hunter2\",\"id\":7}"}"#,
        #"{"value":["hunter2","hunter2"],"name":"password","id":7}"#,
        #"{"value":"hunter2","note":"\#(String(repeating: "x", count: 300))","name":"password","id":7}"#,
    ]) func masksValueNextToSecretName(text: String) {
        let masked = Masking.text(text)
        #expect(!masked.contains("hunter2"), "\(masked)")
        #expect(masked.contains("7"), "\(masked)")
    }

    @Test(arguments: [
        #"{"name":"page","value":"2"}"#, #"{"value":"2","name":"page"}"#, #"{"value":"2"},{"name":"password"}"#,
        #"[{"name":"password"},{"value":"2"}]"#, #"{"name":"password","x":{}},{"value":"2"}"#, #"{"value":"2","#,
        #"{"name":"#, #"{"value":"#, #"{"x":{"name":"password"},"value":"2"}"#,
        #"{"value":"2","x":{"name":"password"}}"#, #"<a name="password"/><b value="2"/>"#,
        #"{"x":"{","name":"password","y":"}"},{"value":"2"}"#,
    ]) func keepsOtherValues(text: String) { #expect(Masking.text(text) == text) }

    @Test(arguments: [
        (#"{"pass\u0077ord":"hunter2","id":7}"#, #"{"pass\u0077ord":"***","id":7}"#),
        (#"{"\u0070\u0061ssword":"hunter2","id":7}"#, #"{"\u0070\u0061ssword":"***","id":7}"#),
        (#"{"toke\u006E":"hunter2","id":7}"#, #"{"toke\u006E":"***","id":7}"#),
        (#"{"a":"{\"pass\\u0077ord\":\"hunter2\"}"}"#, #"{"a":"{\"pass\\u0077ord\":\"***\"}"}"#),
        (#"{"caf\u00e9":"x\u0041y \u12","\u":7,"a":"\u004"#, #"{"caf\u00e9":"x\u0041y \u12","\u":7,"a":"\u004"#),
    ]) func decodesEscapedNames(text: String, masked: String) { #expect(Masking.text(text) == masked) }

    // MARK: - Codes

    @Test(arguments: [
        "https://h/cb?code=hunter2&state=1", "https://h/cb?state=1&code=404", "code=hunter2&grant_type=x",
        "grant_type=x&code=abcdef", #"{"code":"4/P7q7W91a-oMsCeLvIaQm6bTrgtp7"}"#, #"{"code":"123456"}"#,
        "code=abcdef&grant_type=x", #"{"code":"SplxlOBeZQQYbYS6WxSbIA"}"#, "code: SplxlOBeZQQYbYS6WxSbIA",
    ]) func masksCodeThatMayBeCredential(text: String) { #expect(Masking.text(text).contains("***")) }

    @Test(arguments: [
        #"{"code":404,"message":"x"}"#, #"{"code": 20001001}"#, #"{"code":"not_found"}"#, #"{"code":"NoSuchKey"}"#,
        #"{"code":"card_declined","doc_url":"x"}"#, #"{"code":"P2002"}"#, #"{"code":"404"}"#, #"{"code":"42P01"}"#,
        #"Error Domain=NSURLErrorDomain Code=-1001 "The request timed out.""#, "MyError(code: 7)", "exit code: 1",
        #"{"code":["a"]}"#, #"{"code":{"a":1}}"#, "status code: 503 Service Unavailable", "code=", #"{"code":""}"#,
    ]) func keepsErrorCode(text: String) { #expect(Masking.text(text) == text) }

    // MARK: - Percent-encoding

    @Test(arguments: [
        ("https://h/?next=https%3A%2F%2Fx%2F%3Ftoken%3Dhunter2%26b%3D1&page=2", "&page=2"),
        ("https://h/?q=%7B%22password%22%3A%22hunter2%22%2C%22id%22%3A7%7D&page=2", "&page=2"),
        ("https://h/?next=%2Fcb%253Ftoken%253Dhunter2&page=2", "&page=2"),
        ("https://h/?next=/cb%3Ftoken%3Dhunter2,hunter2&page=2", "&page=2"),
        ("https://h/?next=https%3A%2F%2Fada%3Ahunter2%40x%2F&page=2", "&page=2"),
        ("a=b%26token%3Dhunter2&page=2", "&page=2"), ("see https%3A%2F%2Fx%2F%3Ftoken%3Dhunter2 page=2", "page=2"),
        (#"{"next":"/a%3Ftoken%3Dhunter2","page":2}"#, #""page":2"#),
        ("GET /r/http%3A%2F%2Fu%3Ahunter2%40h: 404", ": 404"),
    ]) func decodesPercentEncodedValues(text: String, rest: String) {
        let masked = Masking.text(text)
        #expect(!masked.contains("hunter2"), "\(masked)")
        #expect(masked.contains(rest), "\(masked)")
    }

    @Test(arguments: [
        "https://h/?q=caf%C3%A9%20au%20lait&r=%2526", "https://h/?next=https%3A%2F%2Fx%2F%3Fpage%3D2", "100%25 %zz %",
        "a=%20,%20,%20", "%41uthor=ada",
    ]) func keepsOtherPercentEncoding(text: String) { #expect(Masking.text(text) == text) }

    // MARK: - XML and forms

    @Test(arguments: [
        ("<a><password>hunter2</password><id>7</id></a>", "<a><password>***</password><id>7</id></a>"),
        ("<soap:Password>hunter2</soap:Password>", "<soap:Password>***</soap:Password>"),
        (#"<password type="x">hunter2</password>"#, #"<password type="***">***</password>"#),
        ("usage: <token>; <password>\nhunter2\n</password>", "usage: <token>***<password>***</password>"),
        ("<PASSWORD>\nhunter2\n</password>7", "<PASSWORD>***</password>7"),
        ("<password>hunter2\n</passwords></password>7", "<password>***</password>7"),
        ("<pin>hunter2\n</pin><pin>hunter2\n</pin>", "<pin>***</pin><pin>***</pin>"),
        (#"<password value="hunter2"/>7"#, #"<password value="***"/>7"#),
        (
            "<password\n a='1' b = \"a > hunter2\">\nhunter2\n</password>7",
            "<password\n a='***' b = \"***\">***</password>7"
        ), ("<password value=hunter2/>7", "<password value=***>7"),
        (#"<password value="hunter2"#, #"<password value="***"#),
        (#"{"x":"<password v=\"a hunter2\"/>"}"#, #"{"x":"<password v=\"***\"/>"}"#),
        ("x <token and password: hunter2", "x <token and password: ***"),
        (#"<token secret="hunter2">hunter2</token>7"#, #"<token secret="***">***</token>7"#),
        ("<token><![CDATA[hunter2]]></token>7", "<token>***</token>7"),
        ("<token><a>hunter2</a><b>hunter2</b></token>7", "<token>***</token>7"),
        ("<token/>7", "<token/>7"), ("<token></token>7", "<token>***</token>7"), ("<token>hunter2", "<token>***"),
        ("<token>hunter2\n7", "<token>***\n7"), ("<password>\nhunter2", "<password>***"),
        ("<password>\r\n  hunter2\n  hunter2\n<id>7", "<password>***<id>7"),
        (#"<entry key="password">hunter2</entry><id>7"#, #"<entry key="***">***</entry><id>7"#),
        (#"<p name="a.pin"><b>hunter2</b></p>7"#, #"<p name="a.pin">***</p>7"#),
        (#"<entry key="password">hunter2"#, #"<entry key="***">***"#),
        (#"<input name="token"><b>7</b>"#, #"<input name="token"><b>7</b>"#), ("a < token > 7", "a < token > 7"),
        ("<page>7</page>", "<page>7</page>"),
    ]) func masksElements(text: String, masked: String) { #expect(Masking.text(text) == masked) }

    @Test(arguments: ["\r\n", "\n"]) func masksPartsOfRawForms(end: String) {
        let lines = [
            "--b", #"Content-Disposition: form-data; name="user""#, "", "ada", "--b",
            #"Content-Disposition: form-data; name="password""#, "", "hunter2", "hunter2", "--b",
            #"Content-Disposition: form-data; name="token"; filename="t.txt""#, "Content-Type: text/plain", "",
            "hunter2", "--b--", "rest",
        ]
        let masked = Masking.text(lines.joined(separator: end))
        #expect(!masked.contains("hunter2"), "\(masked)")
        #expect(masked.contains("ada") && masked.contains("filename") && masked.contains("--b--\(end)rest"))
        #expect(!Masking.text("name=\"password\"\(end)\(end)hunter2").contains("hunter2"))
    }

    // MARK: - URLs

    @Test(arguments: [
        "https://u:hun'ter2@h/a", "https://o'hara:hunter2@h/", "'https://u:hunt'er2@h/'", "ftp://u:'hunter2'@h",
    ]) func removesUserInformationWithApostrophe(text: String) {
        let masked = Masking.text(text)
        #expect(!masked.contains("er2") && !masked.contains("hun") && masked.contains("@") == false, "\(masked)")
    }

    @Test(arguments: [
        "GET https://h/oauth/token: 404", "GET https://h/oauth/token: 404: {\"id\":7}", "POST /token: 404 Not Found",
        "https://h/a:token: 503", "https://h/a,token: timedOut", "https://h/user/password: 401",
        "GET https://h/token?page=2: 404", "https://token: 404",
    ]) func keepsTextAfterURLThatEndsInSecretName(text: String) { #expect(Masking.text(text) == text) }

    @Test(arguments: [
        "https://h/x,token:hunter2", "https://h/token=hunter2", "https://h/a;token=hunter2", "https://h token: hunter2",
        "https://h/x?a=1 token: hunter2", #"{"https://h/token":"hunter2"}"#, "a/token:hunter2",
    ]) func masksOtherSecretsNextToURL(text: String) { #expect(!Masking.text(text).contains("hunter2")) }

    // MARK: - Hostile text

    static let hostilePieces = [
        "token", "token\\", "\"token\" ", "://", "https://", "https://@", "value=", "value=\"", "\"value\":\"",
        "value=\\\"", "{\"value\":", "{\"value\":[", "name=\"token\"\n", "name=token;\n\n", "<token>", "<token>a\n",
        "<token x", "</token", "<token></token>", "<token></TOKEN", "<token a=", "<token a=\"", "\\u0077", "\\\\u",
        "token a/", "token 1", "{\"name\":\"token\",", "{\"value\":1,", "}", "value=1 {", "%20,", "%3D,", "%25",
        "a%3Dtoken,", "code=", "code=\"", "bearer ", "{\"tokens\":[\"]", "[", "{", "\\", "\"", "'", "token=[",
        "token=['", "cookie:\"", "'cookie:", "<a:", "x:token>", "&", "name=name=", "\"name\":\"token\",", "\u{301}",
        "a", "-", "A", "/token: ", "://token:", "token: f(", "\"token: f(\" ", "token=f('", "token: (\\\"",
        "\"value\":f(",
    ]

    // For ten times the text, linear time grows about tenfold and quadratic time a hundredfold.
    @Test(arguments: hostilePieces) func takesLinearTime(piece: String) {
        func measure(_ bytes: Int) -> Duration {
            let text = String(repeating: piece, count: bytes / piece.utf8.count)
            let start = processorTime()
            _ = Masking.text(text)
            return processorTime() - start
        }
        #expect((0..<5).contains { _ in measure(8_000) < max(.milliseconds(20), measure(800) * 40) })
    }

    /// The processor time of this thread, which tests that run at the same time do not lengthen.
    private func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

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
            _ = Masking.text(text)
        }
    }
}
