import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording
@testable import APIKitTesting

@Suite(.timeLimit(.minutes(10))) struct KnownValuesTests {
    private func masked(_ text: String, _ values: String...) -> String {
        var known = KnownValues()
        for value in values { known.insert(value) }
        return known.masked(in: text)
    }

    @Test(
        arguments: [
            ("secret-1", "***"), ("a secret-1 b", "a *** b"), ("secret-1secret-1", "******"), ("secret-", "secret-"),
            ("ssecret-1", "s***"), ("secret-12", "***2"), ("secret-1\u{301}", "***\u{301}"),
            ("é secret-1 é", "é *** é"),
            ("secret-secret-1", "secret-***"),
        ] as [(String, String)])
    func masksValue(text: String, expected: String) {
        #expect(Array(masked(text, "secret-1").utf8) == Array(expected.utf8))
    }

    @Test func longestValueIsMaskedFirst() {
        #expect(masked("secret-1234 secret-12", "secret-1", "secret-1234", "secret-12") == "*** ***")
        #expect(masked("my-secret-1", "secret-1", "my-secret-1") == "***")
    }

    @Test func shortValuesStay() {
        #expect(masked("seven77", "seven77") == "seven77")
    }
}
