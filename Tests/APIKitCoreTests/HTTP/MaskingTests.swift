import APIKitSupport
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct MaskingTests {
    // Otherwise the rest of the longer one would stay.
    @Test(arguments: [["abcd1234", "abcd1234-x9"], ["abcd1234-x9", "abcd1234"]])
    func hidesValuesOfWhichOneBeginsWithAnother(values: [String]) {
        #expect(Masking.masked("a abcd1234-x9, abcd1234.", hiding: values) == "a ***, ***.")
    }

    // Text beside these may be a secret without a name: `<td>password</td><td>hunter2</td>`.
    @Test(
        arguments: [
            (
                "<html><head><title>502 Bad Gateway</title><style>a { b: c }</style></head>\n<!-- <p> --><h1>nginx</h1>",
                "502 Bad Gateway"
            ),
            ("<!DOCTYPE html><TITLE lang='en'>Log\n in</TITLE><p>hunter2", "Log in"),
            ("<title>Log in", "Log in"), ("\u{FEFF} <title>a &amp; b</title>", "a &amp; b"),
            ("<Error><Code>AccessDenied</Code><Message>Not you</Message></Error>", "AccessDenied Not you"),
            ("<soap:Fault><faultcode>x</faultcode><faultstring>No</faultstring><detail/></soap:Fault>", "No"),
            ("<problem><title>No credit</title><detail>Balance is 3</detail></problem>", "No credit Balance is 3"),
            ("<title>password=hunter2</title>", "password=***"),
            ("<meta name=csrf-token content=x><token/><script></script><title>Down</title><script></script>", "Down"),
        ] as [(String, String)])
    func showsTheTitleAndTheMessageOfMarkup(text: String, shown: String) {
        #expect(Masking.excerpt(of: Data(text.utf8), limit: 200, onOneLine: true) == shown)
    }

    @Test(arguments: [
        "<table><tr><td>password</td><td>hunter2</td></tr></table>", "<code>hunter2</code></html>",
        "<a><password>hunter2</password></a>", " \n<password>hunter2", "\u{FEFF}<token>hunter2</token> b",
        "error: <token>hunter2</token>", "<Password><title>hunter2</title></PASSWORD><i>a</i>",
        "<token><![CDATA[hunter2]]></token>", "<entry key=\"password\">hunter2</entry>",
        "<message key=\"password\">hunter2</message>", "<input name=token value=hunter2>a<b>c", "<token>hunter2",
        "<token><title>hunter2</title>", "<token><token></token><title>hunter2</title></token>",
        "<token value='hunter2", "<p>password=hunter2</p>", "<message><b>hunter2</b></message>",
        "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\nhunter2\r\n--b--",
        "<userPin>hunter2</userPin>", "<script><title>hunter2()</SCRIPT><br/>",
        "<error status=\"42\"\n text=\"hunter2\"/>", "<!-- <title>hunter2</title> -->", "<", "</", "<!--", "<title",
    ]) func showsOnlyTheSizeOfOtherMarkup(text: String) {
        let shown = Masking.excerpt(of: Data(text.utf8), limit: 200, onOneLine: true)
        #expect(shown == "(\(text.utf8.count) bytes)")
        let url = URL(string: "https://api.example.com")!
        let request = HTTPRequest(method: .post, url: url, body: .data(Data(text.utf8), contentType: .xml))
        #expect(!request.curlCommand.contains("hunter2") && !request.description.contains("hunter2"))
    }

    @Test(arguments: ["text/html", "application/xml", nil])
    func hidesTheTextOfMarkupWhateverItsType(type: String?) {
        let body = "<table><tr><td>password</td><td>hunter2</td></tr></table>"
        let head = HTTPResponse.Head(
            status: 500, headers: [.contentType: type], url: URL(string: "https://api.example.com")!)
        let response = HTTPResponse(head: head, body: ResponseBody(Data(body.utf8)))
        let errors: [APIError<Data>] = [
            .rejected(nil, response),
            .unreadable(DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "x")), response),
        ]
        for text in errors.map(\.description) + [response.description, response.body.description] {
            #expect(!text.contains("hunter2") && text.contains("(57 bytes)"), "\(text)")
        }
    }

    @Test(arguments: ["a < b", "{\"html\":\"<b>x</b>\"}", "- a", "1 <2"]) func showsOtherText(text: String) {
        #expect(Masking.excerpt(of: Data(text.utf8), limit: 200, onOneLine: true) == text)
    }

    // MARK: - URLs

    @Test(
        arguments: [
            ("https://api.example.com/a?page=2", "https://api.example.com/a?page=2"),
            ("https://u:hunter2@api.example.com/a", "https://api.example.com/a"),
            ("https://hunter2@api.example.com:8443/a", "https://api.example.com:8443/a"),
            ("https://u:hunter2@[::1]:80/", "https://[::1]:80/"),
            ("https://h/a?token=hunter2", "https://h/a?token=***"),
            ("https://h/?a=1&token=hunter2&b=2", "https://h/?a=1&token=***&b=2"),
            ("https://h/?token=&b=2", "https://h/?token=&b=2"), ("https://h/?token", "https://h/?token"),
            ("https://h/?access_token=hunter2%20hunter2%26hunter2&b=2", "https://h/?access_token=***&b=2"),
            ("https://h/?X-Amz-Signature=hunter2&X-Amz-Expires=60", "https://h/?X-Amz-Signature=***&X-Amz-Expires=60"),
            ("https://h/?user%5Bpassword%5D=hunter2&x=1", "https://h/?user%5Bpassword%5D=***&x=1"),
            ("https://h/?token%5B%5D=hunter2&token%5B%5D=hunter2", "https://h/?token%5B%5D=***&token%5B%5D=***"),
            ("https://h/@me/users;v=1/a@b?q=a@b", "https://h/@me/users;v=1/a@b?q=a@b"),
            // What comes before a secret stays, even if it is percent-encoded.
            (
                "https://raw.example.com/a/b/master/x%20y.md?token=A%2BB",
                "https://raw.example.com/a/b/master/x%20y.md?token=***"
            ),
            ("https://h/x%3Fy?token=abc", "https://h/x%3Fy?token=***"),
            ("https://h/x%20y?token=A%2BB&b=%20c", "https://h/x%20y?token=***&b=%20c"),
            ("https://h/x%20y#token=hunter2", "https://h/x%20y#token=***"),
        ] as [(String, String)])
    func masksURLs(text: String, masked: String) throws {
        #expect(Masking.url(try #require(URL(string: text))) == masked)
    }

    // Characters that a query value may contain unencoded (RFC 3986, section 3.4) do not end it.
    @Test(arguments: [
        "hunter2,hunter2", "hunter2;hunter2", "hunter2)hunter2", "(hunter2)", "hunter2'hunter2", "[hunter2]",
    ]) func masksWholeQueryValue(value: String) {
        let masked = Masking.masked("https://h/?token=\(value)&page=2")
        #expect(!masked.contains("hunter2"))
        #expect(masked.hasSuffix("&page=2"))
    }

    @Test(arguments: ["authorization", "cookie"]) func keepsQueryItemsAfterSecret(name: String) {
        #expect(Masking.masked("https://h/?\(name)=hunter2&page=2") == "https://h/?\(name)=***&page=2")
    }

    @Test(arguments: [
        "https://h/?api%5Bkey%5D=hunter2", "https://h/?api[key]=hunter2", "https://h/?%74oken=hunter2",
        "https://h/?access%5Ftoken=hunter2", "https://h/?pass%77ord=hunter2", "https://h/?user%5Bpin%5D=hunter2",
    ]) func decodesPercentEncodedNames(text: String) { #expect(!Masking.masked(text).contains("hunter2")) }

    @Test(arguments: [
        "GET https://u:hunter2@h/a failed", "see (https://hunter2@h/a)", "<https://u:hunter2@h>", "'ftp://u:hunter2@h'",
        #"{"url":"https://u:hunter2@h/"}"#, #"{"url":"https:\/\/u:hunter2@h\/"}"#, "postgres://u:hunter2@db:5432/x",
        "https://u:hunter2@x@h/", "a https://a.example/ b https://u:hunter2@h/",
    ]) func removesUserInformationFromText(text: String) { #expect(!Masking.masked(text).contains("hunter2")) }

    // A secret within an encoded value hides all of it, also beside one that is written plainly.
    @Test(arguments: [
        "https://h/?url=https%3A%2F%2Fg%2F%3Ftoken%3Dhunter2", "https://h/x%3Ftoken%3Dhunter2",
        "https://h/x%2F%3Ftoken%3Dhunter2?token=abc", "https://h/x%20y?token=abc#%3Ftoken%3Dhunter2",
        "https%3A//u:hunter2@h/?token=abc", "https%3A%2F%2Fu%3Ahunter2%40h?token=abc",
        "https://h/a%253Ftoken%253Dhunter2?token=abc", "https://h/?token=abc%26password%3Dhunter2",
    ]) func masksSecretsWithinEncodedValues(text: String) { #expect(!Masking.masked(text).contains("hunter2")) }

    // MARK: - JSON

    @Test(
        arguments: [
            (#"{"password":"hunter2"}"#, #"{"password":"***"}"#),
            (#"{"password" : "hunter2" , "id": 7}"#, #"{"password" : "***" , "id": 7}"#),
            (#"{"a":1,"token":"hunter2","b":2}"#, #"{"a":1,"token":"***","b":2}"#),
            (#"{"user":{"api_key":"hunter2","name":"ada"}}"#, #"{"user":{"api_key":"***","name":"ada"}}"#),
            (#"{"password":"hun\"hunter2\\","id":7}"#, #"{"password":"***","id":7}"#),
            (
                #"{"two_factor_authentication":true,"password":null}"#,
                #"{"two_factor_authentication":true,"password":null}"#
            ), (#"{"pin":1234,"id":7}"#, #"{"pin":***,"id":7}"#), (#"{"pin":1234}"#, #"{"pin":***}"#),
            (#"{"token":"","id":7}"#, #"{"token":"***","id":7}"#), (#"[{"otp":"hunter2"}]"#, #"[{"otp":"***"}]"#),
            (#"{"password":"a, b} hunter2","id":7}"#, #"{"password":"***","id":7}"#),
        ] as [(String, String)])
    func masksJSON(text: String, masked: String) { #expect(Masking.masked(text) == masked) }

    // RFC 8259, section 2 allows any of these around a colon.
    @Test(arguments: ["\t", "\n", "\r\n\t", "  ", " \t "]) func masksJSONWithAnyWhitespaceAroundColon(space: String) {
        #expect(!Masking.masked("{\"password\":\(space)\"hunter2\",\"id\":7}").contains("hunter2"))
        #expect(!Masking.masked("{\"password\"\(space):\"hunter2\",\"id\":7}").contains("hunter2"))
    }

    @Test(arguments: [
        #"{"tokens":["hunter2","hunter2"],"id":7}"#, #"{"tokens": [ "hunter2" ],"id":7}"#,
        #"{"api_keys":[["hunter2"],["hunter2"]],"id":7}"#,
    ]) func masksElementsOfSecretList(text: String) {
        #expect(!Masking.masked(text).contains("hunter2"))
        #expect(Masking.masked(text).contains(#""id":7"#))
    }

    @Test func masksJSONTruncatedWithinSecret() {
        let json = #"{"id":7,"password":"hunter2 and hunter2"}"#
        for length in 0...json.utf8.count { #expect(!Masking.masked(String(json.prefix(length))).contains("hunt")) }
        #expect(Masking.masked(#"{"id":7,"password":"hunter2 and hun"#) == #"{"id":7,"password":"***"#)
        #expect(Masking.masked(#"{"id":7,"password":"hunter2\"#) == #"{"id":7,"password":"***"#)
    }

    @Test(arguments: [
        #"{"body":"{\"password\":\"hunter2\",\"id\":7}"}"#, #"{"body":"{\"password\": \"hunter2\", \"id\":7}"}"#,
        #"{"body":"{\"password\":\"a\\\"hunter2\",\"id\":7}"}"#,
        #"{"body":"{\"private_key\":\"A\\nhunter2\\nB\",\"id\":7}"}"#,
        #"{"a":"{\"b\":\"{\\\"password\\\":\\\"hunter2\\\",\\\"id\\\":7}\"}"}"#, #"{"body":"password=hunter2&id=7"}"#,
        #"{"body":"{\"pin\":12hunter2,\"id\":7}"}"#,
    ]) func masksEscapedJSONInJSON(text: String) {
        let masked = Masking.masked(text)
        #expect(!masked.contains("hunter2"))
        #expect(masked.contains("id"))
    }

    // MARK: - Headers and forms as text

    @Test(
        arguments: [
            ("Authorization: Bearer hunter2", "Authorization: ***"),
            ("Authorization: Basic aHVudGVyMg==", "Authorization: ***"),
            ("authorization: hunter2 hunter2\nX-Page: 7", "authorization: ***\nX-Page: 7"),
            ("Cookie: a=hunter2; b=hunter2\r\nX-Page: 7", "Cookie: ***\r\nX-Page: 7"),
            ("Set-Cookie: a=hunter2; Path=/; Secure", "Set-Cookie: ***"), ("X-Api-Key: hunter2", "X-Api-Key: ***"),
            ("curl -H 'Authorization: Bearer hunter2' https://h/", "curl -H 'Authorization: ***"),
            ("Bearer hunter2", "Bearer ***"), ("bearer  hunter2, then", "bearer  ***, then"),
            ("Basic aHVudGVyMg==", "Basic ***"), ("Authorization: Token hunter2", "Authorization: ***"),
            ("Authorization: ApiKey hunter2", "Authorization: ***"), ("X-Auth: Token hunter2 rest", "X-Auth: ***"),
            ("Token hunter2, then", "Token ***, then"), ("ApiKey hunter2", "ApiKey ***"),
            ("got \"token abcdefghijklmnopqrst\"", "got \"token ***\""), ("token: Bearer hunter2 rest", "token: ***"),
            ("got \"Bearer hunter2\" back", "got \"Bearer ***\" back"),
        ] as [(String, String)])
    func masksHeadersInText(text: String, masked: String) { #expect(Masking.masked(text) == masked) }

    @Test(arguments: [
        #"Authorization: Digest username="ada", response="hunter2""#, #"Cookie: a="hunter2"; b=hunter2"#,
        "Authorization:\tBearer hunter2", "Bearer\thunter2", "X-Api-Key:\thunter2",
    ]) func masksQuotedPartsAndTabsOfSecretHeadersInText(text: String) {
        #expect(!Masking.masked(text).contains("hunter2"))
    }

    @Test(
        arguments: [
            ("user=ada&password=hunter2", "user=ada&password=***"),
            ("password=hunter2&user=ada", "password=***&user=ada"),
            ("password=a+b%26hunter2&user=ada", "password=***&user=ada"),
            ("user%5Bpassword%5D=hunter2", "user%5Bpassword%5D=***"),
            ("MyError(token: \"hunter2\", code: 7)", "MyError(token: \"***\", code: 7)"),
            ("MyError(token: hunter2, code: 7)", "MyError(token: ***"),
            ("{'password': 'hunter2'}", "{'password': '***'}"),
            ("MyError(token: Optional(\"hunter2\"), code: 7)", "MyError(token: ***"),
            ("MyError(token: Optional(Optional(\"hunter2\")))", "MyError(token: ***"),
            ("MyError(token: Token(value: \"a) hunter2\"), code: 7)", "MyError(token: ***"),
            ("[\"password\": Optional(\"hunter2\"), \"id\": 7]", "[\"password\": ***, \"id\": 7]"),
            (#"{"error":"E(token: Optional(\"hunter2\"))","id":7}"#, #"{"error":"E(token: ***"#),
            (#"{"error":"E(token: f(hunter2","id":7}"#, #"{"error":"E(token: ***"#),
            ("token: Optional(\"hunter2 hun", "token: ***"), ("password=a(hunter2&user=ada", "password=***&user=ada"),
        ] as [(String, String)])
    func masksFormsAndCode(text: String, masked: String) { #expect(Masking.masked(text) == masked) }

    // MARK: - Harmless text

    @Test(arguments: [
        "", "Not Found", "the token is missing", "Token expired", "the token expired at 10:00:00", "token 2 of 30",
        "POST https://h/oauth/token 401Unauthorized", "/token hunter2", "the token /oauth2/v1 has", "apikey missing",
        "no session", "The password must have 8 characters.", "key", "password",
        #"{"login":"ada","id":7,"tags":["a","b"],"url":"https://api.example.com/users/7?page=2"}"#, "a=1&b=2&c=%20",
        "caf\u{E9} \u{1F600} e\u{301}", "<html><body>Bad Gateway</body></html>", "12:30: a, b; c",
        "me@example.com wrote: see https://example.com/@me", "bearer", "\"Bearer\"", "keys: 7, monkey: 8", "://",
        "a://", "==::", "50% of [a] + {b}", "author=ada&keyboard=qwerty", "\\\\\"", "W/\"67ab43\"",
    ]) func keepsHarmlessText(text: String) { #expect(Masking.masked(text) == text) }

    @Test func keepsRandomTextWithoutSecrets() {
        var random = SeededText(seed: 3)
        for _ in 0..<500 {
            // These letters spell no secret name, so nothing is masked.
            let scalars = random.next().unicodeScalars.filter { !"bBkKtTpPsSaAoOjJ/".unicodeScalars.contains($0) }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(Array(Masking.masked(text).utf8) == Array(text.utf8))
        }
    }
}
