import Foundation
import Testing

@testable import APIKitOAuth

@Suite struct ServerURLTests {
    /// Hosts that lead to this computer, as a system or a browser reads them.
    private static let ownHosts = [
        "localhost", "LOCALHOST", "localhost.", "foo.localhost", "a.b.localhost.", "localhost.localdomain",
        "localhost6",
        "ip6-localhost", "127.0.0.1", "127.0.0.1.", "127.0.0.2", "127.255.255.255", "127.1", "127.0.1", "127",
        "2130706433", "0x7f000001", "0X7F000001", "0x7f.1", "0x7f.0.0.0x1", "017700000001", "0177.0.0.1", "0177.1",
        "0.0.0.0", "0", "0x0", "0.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::127.0.0.1]", "[::ffff:127.0.0.1]",
        "[::FFFF:7f00:1]", "[::ffff:0.0.0.0]", "[64:ff9b::127.0.0.1]", "%6cocalhost", "127%2e0.0.1", "%31%32%37.0.0.1",
        "１２７.0.0.1", "ｌｏｃａｌｈｏｓｔ", "①②⑦.0.0.1", "127。0。0。1", "local\u{AD}host", "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1",
        "[::1%25lo]", "127.0.0.1..", "[::ffff:7f00:1]", "[0000::0001]", "%5B::1%5D", "127.0x0.00.1",
        "[fe80::1%25lo0]", "6425673729", "-2164260863", "+2130706433", "0x100000000007f000001", "127.0.0.1.0",
        "127.0.0.1%20", "127.0.0.1%00", "localhost%09", "local%0Ahost", "127.0.0.1%2F",
    ]

    private static let otherHosts = [
        "example.com", "localhost.example.com", "127.0.0.1.example.com", "notlocalhost", "localhost-example.com",
        "128.0.0.1", "126.255.255.255", "0x80.1", "10.0.0.1", "192.168.0.1", "2130706432.example.com", "127.0.0.1.com",
        "[1::1]", "[2001:db8::1]", "[::ffff:8.8.8.8]", "[64:ff9b::8.8.8.8]", "0x7f000001.example.com", "127-0-0-1.test",
        "7up.example", "a_b.example.com", "[fe80::1%25eth0]",
    ]

    @Test(arguments: ownHosts) func serverElsewhereLeadsToNoSpellingOfThisComputer(host: String) throws {
        let source = try ServerURL("https://auth.example.com", "the issuer")
        for scheme in ["https", "http"] {
            let error = #expect(throws: OAuthError.self) {
                try ServerURL("\(scheme)://\(host):8080/token", "the token endpoint", namedBy: source)
            }
            #expect(error?.code == .insecureURL)
        }
    }

    @Test func serverElsewhereDoesNotLeadToTheNameOfThisComputer() throws {
        let source = try ServerURL("https://auth.example.com", "the issuer")
        var bytes = [CChar](repeating: 0, count: 256)
        try #require(gethostname(&bytes, 255) == 0)
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for host in [name, name.uppercased(), name + "."] where !host.contains("_") {
            let error = #expect(throws: OAuthError.self) { try ServerURL("https://\(host)/", "it", namedBy: source) }
            #expect(error?.code == .insecureURL)
        }
    }

    @Test(arguments: otherHosts) func otherHostsMayBeNamed(host: String) throws {
        let source = try ServerURL("https://auth.example.com", "the issuer")
        #expect(throws: Never.self) { try ServerURL("https://\(host)/token", "the token endpoint", namedBy: source) }
    }

    /// What is sent without encryption must stay on this computer for certain: only the usual names may use http.
    @Test(arguments: ["localhost", "LocalHost", "127.0.0.1", "[::1]"]) func usualNamesMayUseHTTP(host: String) throws {
        let own = try ServerURL("http://\(host):8080", "the issuer")
        #expect(throws: Never.self) { try ServerURL("http://127.0.0.1:9/token", "the token endpoint", namedBy: own) }
        #expect(throws: Never.self) { try ServerURL("https://127.1/token", "the token endpoint", namedBy: own) }
    }

    @Test(arguments: ["foo.localhost", "0.0.0.0", "127.1", "127.0.0.2", "localhost."]) func unusualNamesNeedHTTPS(
        host: String
    ) {
        #expect(throws: OAuthError.self) { try ServerURL("http://\(host)/", "the issuer") }
        #expect(throws: Never.self) { try ServerURL("https://\(host)/", "the issuer") }
    }
}
