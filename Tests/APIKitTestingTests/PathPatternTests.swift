import Testing

@testable import APIKitCore
@testable import APIKitTesting

@Suite struct PathPatternTests {
    @Test(
        arguments: [
            ("/users", "/users", true), ("users", "/users", true), ("/users", "/users/", false),
            ("/users", "/Users", false),
            ("/users/*", "/users/1", true), ("/users/*", "/users/", false), ("/users/*", "/users/1/keys", false),
            ("/users/*/keys", "/users/1/keys", true), ("/users/*/keys", "/users/1/2/keys", false),
            ("/files/*.json", "/files/a.b.json", true), ("/files/*.json", "/files/.json", false),
            ("/a*c*e", "/abcde", true), ("/a*c*e", "/abccde", true), ("/a*c*e", "/abcd", false),
            ("/repos/**", "/repos/a/b", true), ("/repos/**", "/repos/a", true), ("/repos/**", "/repos/", false),
            ("/**/items", "/v2/shop/items", true), ("/**/items", "/items", false), ("/***", "/a/b", true),
            ("/a/**/d/*", "/a/b/c/d/e", true), ("/a/**/d/*", "/a/b/c/d/e/f", false),
            ("", "", true), ("/", "", true), ("/", "/", true), ("/*", "", false),
            ("/a%2Fb", "/a%2Fb", true), ("/a/b", "/a%2Fb", false), ("/*", "/a%2Fb", true), ("/é", "/%C3%A9", false),
        ] as [(String, String, Bool)])
    func matchesWholePathAsSent(pattern: String, path: String, isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }

    // A matcher that tries every way would never end.
    @Test func hostilePatternTakesNoTime() {
        let pattern = PathPattern("/" + String(repeating: "*a", count: 100))
        #expect(!pattern.matches("/" + String(repeating: "a", count: 1_000) + "b"))
        #expect(pattern.matches("/" + String(repeating: "a", count: 1_000)))
    }
}
