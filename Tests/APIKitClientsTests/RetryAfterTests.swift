import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct RetryAfterTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let longest = Duration.seconds(1 << 31)

    private func wait(_ headers: HTTPHeaders, status: Int = 429) -> Duration? {
        HTTPResponse.status(status, headers: headers).head.retryAfter(now: now)
    }

    @Test(
        arguments: [
            ("0", Duration.zero), ("7", .seconds(7)), (" 120 ", .seconds(120)), ("007", .seconds(7)),
            ("2147483648", longest), ("99999999999999999999999", longest),
            (String(repeating: "9", count: 400), longest),
            ("Mon, 21 Sep 2026 14:14:20 GMT", .seconds(60)), ("Monday, 21-Sep-26 14:14:20 GMT", .seconds(60)),
            ("Mon Sep 21 14:14:20 2026", .seconds(60)), ("Mon, 21 Sep 2026 14:13:20 GMT", .zero),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .zero), ("Fri, 31 Dec 9999 23:59:59 GMT", longest),
        ] as [(String, Duration)])
    func readsRetryAfter(text: String, expected: Duration) {
        #expect(wait([.retryAfter: text]) == expected)
        #expect(wait([.retryAfter: text], status: 200) == expected)
    }

    @Test(arguments: [
        "-1", "-99999999999999999999999", "nan", "inf", "-inf", "", "soon", "1, 2", "5s", "\u{665}", "0x10", "+5",
        "1e3", "1e300", "1..5", "5\u{301}", "Mon, 21-Sep-2026 14:14:20 GMT",
    ]) func ignoresInvalidValues(text: String) {
        #expect(wait([.retryAfter: text]) == nil)
        #expect(wait(["RateLimit-Reset": text]) == nil)
        #expect(wait(["X-RateLimit-Reset": text]) == nil)
        // The other header counts in its place.
        #expect(wait([.retryAfter: text, "RateLimit-Reset": "3"]) == .seconds(3))
    }

    // draft-ietf-httpapi-ratelimit-headers, section 4: the longest of the limits that are used up.
    @Test(
        arguments: [
            (#""hour";r=0;t=50"#, Duration?.some(.seconds(50))),
            (#""a";r=0;t=5, "b";r=0;t=9, "c";r=1;t=60"#, .seconds(9)),
            (#""hour" ; r=0 ; t=50"#, .seconds(50)), (#""hour";r=0;pk=:YQ==:;t=2"#, .seconds(2)),
            (#""hour";t=50;r=3"#, nil), (#""hour";r=0"#, nil), (#""hour";r=-1;t=5"#, nil), (#""hour";r=0;t=soon"#, nil),
            ("", nil), (";;=;", nil), ("r=0;t=5", nil), ("\"h\";r=0;t=99999999999999999999", longest),
        ] as [(String, Duration?)])
    func readsRateLimits(text: String, expected: Duration?) {
        #expect(wait(["RateLimit": text]) == expected)
        #expect(wait(["RateLimit": text, .retryAfter: "7"]) == .seconds(7))
    }

    // RFC 9651: separators in a string are text, and of parameters with one name the last counts.
    @Test(
        arguments: [
            (#""a;r=0;t=9;b";r=5;t=1"#, Duration?.none), (#""hour";r=5;r=0;t=50"#, .seconds(50)),
            (#""hour";r=0;r=5;t=50"#, nil), (#""hour";r=0;t=50;t=7"#, .seconds(7)),
            (#""a, b;r=0";r=0;t=4"#, .seconds(4)), (#""a\";r=0;t=9";r=5;t=1"#, nil),
            (#""a\\";r=0;t=3, "b";r=1;t=9"#, .seconds(3)), (#""a";r=0;n="x;t=9";t=2"#, .seconds(2)),
            (#""a";r=0;r;t=9"#, nil), (#"hour;r=0;t=6"#, .seconds(6)), (#""a";r="0";t=9"#, nil),
        ] as [(String, Duration?)])
    func readsRateLimitsAsStructuredFields(text: String, expected: Duration?) {
        #expect(wait(["RateLimit": text]) == expected)
    }

    // RFC 9110, section 10.2.3. Some rate limits are written with a fraction.
    @Test(arguments: ["1.5", ".5", "1."]) func onlyRateLimitsHaveFractions(text: String) {
        #expect(wait([.retryAfter: text]) == nil)
        #expect(wait(["X-RateLimit-Reset": "1.5", "X-RateLimit-Remaining": "0.0"]) == .milliseconds(1500))
    }

    @Test(
        arguments: [
            ("1500", Duration.milliseconds(1500)), ("0", .zero), ("250.5", .microseconds(250_500)), ("-1", .seconds(9)),
            ("soon", .seconds(9)), (String(repeating: "9", count: 400), longest),
        ] as [(String, Duration)])
    func readsMilliseconds(text: String, expected: Duration) {
        #expect(wait(["Retry-After-Ms": text, .retryAfter: "9"], status: 529) == expected)
    }

    @Test(
        arguments: [
            (["RateLimit-Reset": "30"], 429, Duration.seconds(30)), (["X-RateLimit-Reset": "30"], 429, .seconds(30)),
            (["X-RateLimit-Reset": "1790000042"], 429, .seconds(42)), (["X-RateLimit-Reset": "1789999999"], 429, .zero),
            (["X-RateLimit-Reset": "999999999"], 429, .seconds(999_999_999)),
            (["X-RateLimit-Reset": "1000000000"], 429, .zero),
            (["X-RateLimit-Reset": "1790000042", "X-RateLimit-Remaining": "0"], 403, .seconds(42)),
            (["RateLimit-Reset": "5", "RateLimit-Remaining": "0"], 200, .seconds(5)),
            (["RateLimit-Reset": "5", "RateLimit-Remaining": "1"], 429, nil),
            (["RateLimit-Reset": "5", "RateLimit-Remaining": "?"], 429, nil), (["RateLimit-Reset": "5"], 403, nil),
            (["RateLimit-Reset": "5"], 200, nil),
            (["Retry-After": "9", "RateLimit-Reset": "5", "RateLimit-Remaining": "0"], 429, .seconds(9)),
            ([:], 429, nil),
        ] as [(HTTPHeaders, Int, Duration?)])
    func readsResetOfRateLimit(headers: HTTPHeaders, status: Int, expected: Duration?) {
        #expect(wait(headers, status: status) == expected)
    }

    @Test(
        arguments: [
            (["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], .seconds(30)),
            (["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"], .zero),
            (["Date": "invalid", "Retry-After": "8"], .seconds(8)),
        ] as [(HTTPHeaders, Duration)])
    func countsFromDateOfResponseOrFromNow(headers: HTTPHeaders, expected: Duration) {
        #expect(HTTPResponse.status(503, headers: headers).head.retryAfter == expected)
    }
}
