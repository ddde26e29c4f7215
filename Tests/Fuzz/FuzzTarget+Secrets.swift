import APIKitSupport
import APIKitTesting
import Foundation

@testable import APIKitCore
@_spi(Tools) @testable import APIKitRecording

extension FuzzTarget {
    private static let secret = "0123456789abcdef"

    /// Whatever a text begins with hides no secret after it, and masking makes a text at most three times as long.
    static let secrets = FuzzTarget(
        "secrets",
        seeds: [
            "?a=1&token=abc#x", #"{"password": "a\"b", "pin": 12, "keys": {"api_key": ["x"]}}"#, "https://u:p@h/x",
            "Authorization: Bearer abc", #"{\"token\": \"abc\"}"#, "url=https%3A%2F%2Fh%2F%3Ftoken%3Dabc",
            "code=a Code=-1001",
            "'secret'='", #"{"token":["#, "password\u{301}=x", "token%253D1", #"x:\/\/u:p@h"#,
        ]
    ) { input in
        let text = input.text
        let masked = Masking.masked(text)
        require(masked.utf8.count <= 3 * text.utf8.count + 3, masked)
        for suffix in [
            "\nAuthorization: Bearer \(secret)", "&access_token=\(secret)", "\n{\"password\": \"\(secret)\"}",
        ] {
            require(!Masking.masked(text + suffix).contains(secret), text + suffix)
        }
    }

    /// An excerpt has one line and is not longer than its limit, apart from masks and a mark.
    static let excerpt = FuzzTarget(
        "excerpt",
        seeds: [
            "<html><title>a</title><script>x</script><password>p</password>b</html>",
            "<!-- x --><input name=token value=a>",
            "{\"a\":\n\"b\"}", "--x\r\n\r\na", "<entry key=\"password\">hunter2</entry>", "\u{FEFF} <a", "</", "<",
        ]
    ) { input in
        let excerpt = Masking.excerpt(of: input.data, limit: 100, onOneLine: true)
        require(excerpt.count <= 101, excerpt)
        require(!excerpt.contains(where: \.isNewline), excerpt)
    }

    /// A recording that can be read can be continued: it then holds one more entry.
    static let har = FuzzTarget(
        "har",
        seeds: [
            #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#,
            #"{"log":{"entries":[\#(entry),\#(entry)]}} "#, #"{"log":{"entries":[\#(entry)"#,
            #"{"log":{"entries":[{"request":"#,
            #"{"entries":[1],"log":{"a":{"entries":[]},"entries":[{"request":{"method":"POST","url":"x","bodySize":3,"#
                + #""postData":{"params":[{"name":"a"}]}},"response":{"status":1e3,"_error":"ERR_TIMED_OUT","content":"#
                + #"{"text":"aGk=","encoding":"base64","_pieces":[{"time":1,"size":2},{"size":-9}]}}}]}}"#,
        ]
    ) { input in
        let url = URL(fileURLWithPath: "/x")
        guard let layout = try? HARLayout(input.data, of: url) else { return }
        for (index, range) in layout.entries.enumerated() {
            guard let entry = JSONValue(input.data[range]).flatMap({ HAREntry($0, number: index + 1, line: 1) }) else {
                continue
            }
            require(
                entry.pieces.allSatisfy { $0.time >= .zero && entry.body.indices.contains($0.bytes) }, "\(entry.pieces)"
            )
        }
        let addition = Data((layout.isEmpty ? entry : ",\(entry)").utf8)
        let longer = input.data.prefix(layout.insertion) + addition + layout.tail
        let count = (try? HARLayout(longer, of: url))?.entries.count
        require(count == layout.entries.count + 1, String(decoding: longer, as: UTF8.self))
    }

    /// Masked JSON is JSON, a known secret is masked wherever it stands, and a mask adds little.
    static let mask = FuzzTarget(
        "mask",
        seeds: [
            #"{"password":"0123456789","list":[{"pin":12}],"text":"token=abc"}"#,
            "{\"token\":\"a\\u0062\"}\n{\"token\":1}\n",
            "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nabcdefghij\r\n--x--\r\n",
            "a=1; b=2, c=3; Path=/",
            "sid=a; expires=Wed, 21 Oct 2026 07:28:00 GMT, x=y", "\u{FEFF}{\"key\":[]}", "Basic dTpwYXNzd29yZA==",
        ],
        data: [
            Data([0xE9] + "password=abcdefghij".utf8),
            Data("{\"a\":\"token=abc".utf8) + Data(count: 100) + [0xEA] + Data("\"}".utf8),
        ]
    ) { input in
        let data = input.data
        // JSON is in UTF-8 (RFC 8259, section 8.1), although the decoder that judges it here reads more.
        let isJSON = Data(input.text.utf8) == data && JSONTokens.areValid(in: data)
        var mask = SecretMask(SecretVocabulary())
        _ = mask.maskedHeaders([.authorization: "Bearer \(secret)", .cookie: input.text, .setCookie: input.text])
        require(!mask.maskedText("\(input.text) \(secret) ").contains(secret), "a known secret is not masked")
        for type in ["application/json", "text/plain", "image/png"] as [MIMEType] {
            let masked = mask.maskedBody(data, type: type)
            // JSON escapes a control character with six bytes.
            require(masked.count <= 6 * data.count + 16, "\(data.count) bytes become \(masked.count)")
            require(!isJSON || JSONTokens.areValid(in: masked), String(decoding: masked, as: UTF8.self))
        }
    }

    private static let entry = """
        {"startedDateTime":"2026-11-20T18:30:00Z","request":{"method":"GET","url":"https://h/"},\
        "response":{"status":200,"headers":[{"name":"A","value":"b\\nc"}],"content":{"mimeType":"a/b","text":"hi"}}}
        """
}

extension Data {
    /// Whether the bytes of a range are there.
    fileprivate func contains(_ range: Range<Int>) -> Bool { range.lowerBound >= 0 && range.upperBound <= count }
}
