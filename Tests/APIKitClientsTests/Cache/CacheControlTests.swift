import APIKitTesting
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct CacheControlTests {
    private func parsed(_ values: String...) -> CacheControl {
        CacheControl(HTTPHeaders(values.map { HTTPHeaders.Field(name: "cache-control", value: $0) }))
    }

    @Test(
        arguments: [
            ("max-age=5", 5), ("MAX-AGE=5", 5), ("max-age=\"5\"", 5), (" public ,\tmax-age=5 ", 5),
            (",,max-age=5,,", 5),
            ("max-age=5, max-age=9", 5), ("max-age=0", 0), ("max-age=007", 7),
            ("extension=\"max-age=9\", max-age=5", 5),
            ("a=\"\\\", max-age=9\", max-age=5", 5),
        ] as [(String, Double)])
    func readsSeconds(text: String, seconds: Double) { #expect(parsed(text).seconds("max-age") == seconds) }

    @Test(arguments: [
        "max-age", "max-age=", "max-age=-1", "max-age=+1", "max-age=1.5", "max-age=x", "max-age=\"5", "max-age=٣",
    ]) func invalidSecondsAreZero(text: String) { #expect(parsed(text).seconds("max-age") == 0) }

    @Test(arguments: ["2147483648", "2147483649", "9223372036854775808", String(repeating: "9", count: 1000)])
    func overflowingSecondsAreTheLargest(digits: String) {
        #expect(parsed("max-age=\(digits)").seconds("max-age") == 2_147_483_647)
    }

    @Test func missingDirectivesAreNil() {
        #expect(parsed().seconds("max-age") == nil)
        #expect(parsed("x-max-age=1, max-age-x=1, s-maxage=1").seconds("max-age") == nil)
        #expect(!parsed("private=\"a, no-store\"").contains("no-store"))
        #expect(parsed("max-stale").seconds("max-stale", withoutArgument: .infinity) == .infinity)
    }

    @Test func fieldsOfTheSameNameAreOneList() {
        let control = parsed("public", "no-cache=\"a, b\"", "Max-Age=3")
        #expect(control.contains("public") && control.contains("no-cache"))
        #expect(control.seconds("max-age") == 3)
    }

    @Test(arguments: ["a=\", no-store", "a=\"\\\", no-store", "\", no-store, \"b\"\""])
    func unclosedQuoteHidesNothing(text: String) {
        #expect(parsed(text).contains("no-store") || text.hasSuffix("\""))
    }

    @Test func hostileQuotesTakeLinearTime() {
        let text = "\"" + String(repeating: "\\\"", count: 200_000) + ", no-store"
        #expect(parsed(text).contains("no-store"))
    }
}
