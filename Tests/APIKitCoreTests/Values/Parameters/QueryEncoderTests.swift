import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct QueryEncoderTests {
    private func form(_ parameters: Parameters) throws -> String {
        try WireProbe(method: .post, parameters: parameters).bodyText()
    }

    @Test(
        arguments: [
            ("a b", "a%20b"), ("a+b", "a%2Bb"), ("~", "~"), ("*", "%2A"), ("-._", "-._"), ("a&b=c", "a%26b%3Dc"),
            ("a;b", "a%3Bb"), ("?#/", "%3F%23%2F"), ("100%", "100%25"), ("%20", "%2520"), ("caf\u{E9}", "caf%C3%A9"),
            ("\u{1F600}", "%F0%9F%98%80"), ("\r\n\0\t", "%0D%0A%00%09"), ("'\"<>", "%27%22%3C%3E"),
            ("[]{}|\\^`", "%5B%5D%7B%7D%7C%5C%5E%60"), ("", ""), ("e\u{301}", "e%CC%81"),
            ("=\u{301}&\u{301}", "%3D%CC%81%26%CC%81"), ("a,b", "a%2Cb"), ("a:b@c!$()", "a%3Ab%40c%21%24%28%29"),
        ] as [(String, String)])
    func queryKeepsOnlyUnreservedCharacters(text: String, encoded: String) throws {
        #expect(try WireProbe(parameters: ["q": text]).queryText() == "q=\(encoded)")
        #expect(try WireProbe(parameters: [text: "v"]).queryText() == "\(encoded)=v")
    }

    // WHATWG URL, section 5.2: application/x-www-form-urlencoded serializing.
    @Test(
        arguments: [
            ("a b", "a+b"), ("a+b", "a%2Bb"), ("~", "%7E"), ("*-._", "*-._"), ("a&b=c", "a%26b%3Dc"),
            ("100%", "100%25"),
            ("caf\u{E9}", "caf%C3%A9"), ("\u{1F600}", "%F0%9F%98%80"), ("\r\n\0\t", "%0D%0A%00%09"),
            ("!'()", "%21%27%28%29"), ("", ""), ("  ", "++"), ("%20", "%2520"), (";/?:@", "%3B%2F%3F%3A%40"),
            ("azAZ09", "azAZ09"), ("\u{7F}", "%7F"), (",", "%2C"), ("$", "%24"),
        ] as [(String, String)])
    func formFollowsTheWHATWG(text: String, encoded: String) throws {
        #expect(try form(["q": text]) == "q=\(encoded)")
        #expect(try form([text: "v"]) == "\(encoded)=v")
    }

    @Test func anyTextInAQueryIsDecodedUnchanged() throws {
        let texts = SeededText.texts(2_000, seed: 10)
        for (name, value) in zip(texts, texts.reversed()) {
            let url = try WireProbe(parameters: [name: value, "last": 1]).httpRequest().url
            let text = url.absoluteString
            let query = text.utf8.dropFirst("https://api.example.com/v1/items?".utf8.count)
            #expect(!query.contains { "+#?/ ".utf8.contains($0) || $0 <= 0x20 || $0 >= 0x7F })
            let pairs = try WireDecoding.pairs(query, plusIsSpace: false)
            #expect(
                pairs == [[Array(name.utf8), Array(value.utf8)], [Array("last".utf8), [0x31]]],
                "\(name.debugDescription)")
            // A server that reads a query as a form gets the same.
            #expect(try WireDecoding.pairs(query, plusIsSpace: true) == pairs)
            #expect(url.fragment == nil && url.path == "/v1/items" && url.host == "api.example.com")
        }
    }

    // The encoder works through long texts piece by piece.
    @Test(arguments: [1_022, 1_023, 1_024, 1_025, 3_000]) func encodesLongTextsAsShortOnes(count: Int) throws {
        let text = String(repeating: "a", count: count) + " \u{E9}&"
        #expect(try form(["q": text]) == "q=" + String(repeating: "a", count: count) + "+%C3%A9%26")
    }

    @Test func anyTextInAFormIsDecodedUnchanged() throws {
        let texts = SeededText.texts(2_000, seed: 11)
        for (name, value) in zip(texts, texts.reversed()) {
            let pairs = try WireDecoding.pairs(form([name: value, "last": 1]).utf8, plusIsSpace: true)
            #expect(
                pairs == [[Array(name.utf8), Array(value.utf8)], [Array("last".utf8), [0x31]]],
                "\(name.debugDescription)")
        }
    }
}
