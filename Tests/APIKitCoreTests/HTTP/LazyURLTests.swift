import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitCore

@Suite struct LazyURLTests {
    /// Each text of a request parses, since an invalid one would only show after the request has been sent.
    @Test(arguments: [
        "https://h", "https://h/v1%2F/?a=%20&b", "http://[::1]:8080//", "HTTP://127.0.0.1?", "http://h.:",
    ])
    func parsesWhatEndpointsCreate(base: String) throws {
        var count = 0
        let values = Effort.isThorough ? Array(0...0xFF) : Array(stride(from: 0, through: 0xFF, by: 5))
        for scalar in values.compactMap(Unicode.Scalar.init) {
            for text in ["\(scalar)", "%\(scalar)", "%4\(scalar)", "\(scalar)41", "//\(scalar)/"] {
                for path in [URLPath(stringLiteral: text), "\(text)", "a\(segments: text)"] {
                    let endpoint = WireProbe(
                        baseURL: try #require(URL(string: base)), path: path, parameters: [text: text, "l": [text]])
                    guard let url = try? endpoint.httpRequest().lazyURL else { continue }
                    count += 1
                    if url.url.absoluteString != url.text { Issue.record("\(url.text) becomes \(url.url)") }
                }
            }
        }
        #expect(count > 500)
    }

    @Test func equalsWhatWasParsed() {
        let text = "https://api.example.com/v1/items?a=b"
        let (lazy, parsed) = (LazyURL.text(LazyURL.Text(text)), LazyURL.parsed(URL(string: text)!))
        #expect(lazy == parsed)
        #expect(lazy.hashValue == parsed.hashValue)
        #expect(lazy != LazyURL.text(LazyURL.Text("\(text)c")))
        #expect(lazy.text == parsed.text)
        #expect("\(lazy)" == text)
    }

    /// For the thread sanitizer.
    @Test func isParsedByManyAtOnce() async {
        let url = LazyURL.text(LazyURL.Text("https://api.example.com/v1/items"))
        await withTaskGroup(of: URL.self) { group in
            for _ in 0..<20 { group.addTask { url.url } }
            for await parsed in group { #expect(parsed.absoluteString == url.text) }
        }
    }

    @Test func changedURLReplacesTheTextForThisCopyAlone() throws {
        let original = try WireProbe().httpRequest()
        var copy = original
        copy.url = try #require(URL(string: "https://other.example/"))
        #expect(copy.lazyURL.text == "https://other.example/")
        #expect(original.url.absoluteString == "https://api.example.com/v1/items")
        #expect(copy != original)
    }
}
