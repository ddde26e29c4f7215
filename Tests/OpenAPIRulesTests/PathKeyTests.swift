import OpenAPIRules
import Testing

@Suite struct PathKeyTests {
    @Test(
        arguments: [
            ("/a/{id}", "/a/{id}", []), ("/a?type=b+c&d#e?f", "/a", ["type: b c", "d: "]), ("/a#b?c=d", "/a", []),
            ("/a?b={c}", "/a", ["b: {c}"]), ("", "", []),
        ] as [(String, String, [String])])
    func isSplit(key: String, path: String, items: [String]) {
        let key = PathKey(key)
        #expect(key.path == path)
        #expect(key.query.map { "\($0.name): \($0.text)" } == items)
    }

    @Test func onlyNamesOfHeadersAreCaseInsensitive() {
        #expect(ParameterKey(location: .header, name: "X-A") == ParameterKey(location: .header, name: "x-a"))
        #expect(ParameterKey(location: .query, name: "A") != ParameterKey(location: .query, name: "a"))
        #expect(ParameterKey(location: .header, name: "Accept").isIgnored)
        #expect(!ParameterKey(location: .query, name: "accept").isIgnored)
    }
}
