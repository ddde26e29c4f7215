import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct CURLTests {
    private let url = URL(string: "https://api.example.com/a?b=1")!
    private let start = "curl --globoff --path-as-is"
    private let end = "--header 'Accept:'"

    @Test func writesGET() {
        #expect(HTTPRequest(url: url).curlCommand == "\(start) 'https://api.example.com/a?b=1' \(end)")
    }

    @Test func writesMethodHeadersAndBody() {
        let request = HTTPRequest(
            method: .put, url: url, headers: [.accept: "*/*", "X-Note": "it's"], body: .form(["a": "1%", "b": "\\"]))
        #expect(
            request.curlCommand == "{ printf -- 'a=1%%25&b=%%5C'; } | \(start) --request 'PUT' "
                + #"'https://api.example.com/a?b=1' --header 'Accept: */*' --header 'X-Note: it'\''s' "#
                + "--header 'Content-Type: application/x-www-form-urlencoded' "
                + "--header 'Expect:' --data-binary @-")
    }

    // Servers such as GitHub's refuse a request that has none.
    @Test func leavesTheUserAgentToCurlUnlessTheRequestHasOne() {
        #expect(!HTTPRequest(url: url).curlCommand.contains("User-Agent"))
        let named = HTTPRequest(url: url, headers: [.userAgent: "Hello/1"]).curlCommand
        #expect(named.contains("--header 'User-Agent: Hello/1'"))
    }

    // As a Character, an apostrophe with one of these after it does not equal the apostrophe.
    @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{200D}"]) func combiningCharactersDoNotHideApostrophes(mark: String) {
        let command = HTTPRequest(url: url, headers: ["X-Name": "x'\(mark);touch pwned;'\(mark)"]).curlCommand
        #expect(command.utf8.contains(#"'X-Name: x'\''\#(mark);touch pwned;'\''\#(mark)'"#.utf8), "\(command)")
    }

    @Test(
        arguments: [
            (HTTPMethod.post, true), (.put, true), (.patch, true), (.get, false), (.delete, false), ("PURGE", false),
        ] as [(HTTPMethod, Bool)])
    func statesTheLengthOfAMissingBodyAsTheLibraryDoes(
        method: HTTPMethod, isStated: Bool
    ) {
        #expect(HTTPRequest(method: method, url: url).curlCommand.contains("--header 'Content-Length: 0'") == isStated)
    }

    @Test func masksSecretsUnlessAskedFor() throws {
        let secret = "s3cr3t"
        var form = MultipartForm(boundary: "x")
        form.append(secret, for: "password")
        form.append("api_key=\(secret)", for: "note")
        form.append(FilePart(Data(secret.utf8), filename: "keys.bin"), for: "file")
        let bodies: [RequestBody] = [
            .form(["password": secret]), .json(["access_token": secret]), .multipart(form),
            .data(Data([0xFF] + secret.utf8), contentType: nil),
        ]
        for body in bodies {
            let request = HTTPRequest(
                method: .post, url: URL(string: "https://u:\(secret)@api.example.com/?api_key=\(secret)")!,
                headers: [.authorization: "Bearer \(secret)", .cookie: "a=\(secret)", "X-Api-Key": secret], body: body)
            #expect(!request.curlCommand.contains(secret))
            #expect(request.curlCommand.contains("api.example.com"))
            #expect(request.curlCommand(showingSecrets: true).components(separatedBy: secret).count >= 7)
        }
    }

    @Test func printsRangeOfFile() {
        func command(_ range: Range<Int>) -> String {
            let body = RequestBody.file(URL(fileURLWithPath: "/a/it's"), range: range)
            return HTTPRequest(method: .post, url: url, body: body).curlCommand
        }
        #expect(command(5..<10).hasPrefix(#"{ tail -c +6 '/a/it'\''s' | head -c 5; } | curl "#))
        #expect(command(0..<(5 << 30)).hasPrefix(#"{ tail -c +1 '/a/it'\''s' | head -c 5368709120; } | curl "#))
        #expect(command(5..<5).hasPrefix("{ printf -- ''; } | curl "))
        #expect(command(Int.max..<Int.max).hasPrefix("{ printf -- ''; } | curl "))
    }

    @Test func readsStreamFromStandardInput() {
        let body = RequestBody.stream(length: nil, contentType: .json) { ByteStream([]) }
        let command = HTTPRequest(method: .post, url: url, body: body).curlCommand
        #expect(command.hasPrefix("curl ") && command.hasSuffix("--data-binary @-"))
    }
}
