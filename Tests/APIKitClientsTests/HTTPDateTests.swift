import APIKitClients
import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// HTTP dates are internal, and read here through the header that has them.
@Suite struct HTTPDateTests {
    private static let year2026 = Date(timeIntervalSince1970: 1_790_000_000)

    /// The date of `Retry-After`, as far as it is after `now`.
    private func date(_ text: String, now: Date = Date(timeIntervalSince1970: 0)) -> Date? {
        let head = HTTPResponse.status(503, headers: [.retryAfter: text]).head
        return head.retryAfter(now: now).map { now + TimeInterval($0.components.seconds) }
    }

    // RFC 9110, section 5.6.7.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994",
        // RFC 9111, section 4.2, wants these to be read.
        "Sun, 06 Nov 1994 08:49:37 gmt", "SUN, 06 nov 1994 08:49:37 GMT", "sunday, 06-NOV-94 08:49:37 Gmt",
        "sun nov  6 08:49:37 1994",
    ]) func readsAllFormats(text: String) {
        #expect(date(text, now: Date(timeIntervalSince1970: 784_111_000)) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:01 GMT", 1.0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Tue Feb 29 12:00:00 2000", 951_825_600), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799), ("Tue, 19 Jan 2038 03:14:07 GMT", 2_147_483_647),
        ] as [(String, Double)])
    func readsCalendar(text: String, seconds: Double) { #expect(date(text) == Date(timeIntervalSince1970: seconds)) }

    @Test(arguments: [
        "", "GMT", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 1995 08:49:37 GMT",
        "Sun, 06 Nev 1994 08:49:37 GMT", "Sun, 06 Nov 194 08:49:37 GMT", "Sun, 06 Nov 19941 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08::37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT", "Sun, 06 Nov \u{661}\u{669}\u{669}\u{664} 08:49:37 GMT",
        "2026-11-22T08:49:37Z", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov  1994 08:49:37 GMT", "Sun, 06 Nov 1994  08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37  GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 08:49:37 GMT\u{301}", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 November 1994 08:49:37 GMT", "Sat, 06 Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Monday, 06-Nov-94 08:49:37 GMT", "Sumday, 06-Nov-94 08:49:37 GMT",
        "Mon Nov  6 08:49:37 1994", "Sun Nov 6 08:49:37 1994", "Sun Nov   6 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sunday Nov  6 08:49:37 1994",
        "Sun, Nov  6 08:49:37 1994",
    ]) func rejectsOtherTexts(text: String) { #expect(date(text) == nil) }

    // More than 50 years in the future is the past (RFC 9110, section 5.6.7). It is 21 September 2026.
    @Test(
        arguments: [
            ("Monday", "26", 0), ("Tuesday", "27", 1), ("Thursday", "00", 0), ("Saturday", "75", 49),
            ("Monday", "76", 50),
            ("Wednesday", "77", 0), ("Tuesday", "99", 0),
        ] as [(String, String, Int)])
    func readsYearsOfTwoDigits(weekday: String, year: String, yearsAhead: Int) throws {
        let read = try #require(date("\(weekday), 21-Sep-\(year) 00:00:00 GMT", now: Self.year2026))
        let days = read.timeIntervalSince(Self.year2026) / 86_400
        #expect(Int((days / 365.25).rounded()) == yearsAhead)
    }

    @Test func fiftyYearsAreCountedByDay() throws {
        #expect(date("Monday, 21-Sep-76 00:00:00 GMT", now: Self.year2026) ?? .distantPast > Self.year2026)
        #expect(date("Wednesday, 22-Sep-76 00:00:00 GMT", now: Self.year2026) == Self.year2026)
    }

    @Test func nextCenturyIsNearEnough() throws {
        // 1 July 2099.
        let now = Date(timeIntervalSince1970: 4_086_547_200)
        let read = try #require(date("Tuesday, 01-Jul-10 00:00:00 GMT", now: now))
        #expect(Int((read.timeIntervalSince(now) / 86_400 / 365.25).rounded()) == 11)
    }

    @Test(arguments: [-1e300, -1e12, .infinity, -.infinity, .nan, 1e300, 1e18])
    func extremeNowDoesNotTrap(seconds: Double) {
        let head = HTTPResponse.status(503, headers: [.retryAfter: "Sunday, 06-Nov-94 08:49:37 GMT"]).head
        let wait = head.retryAfter(now: Date(timeIntervalSince1970: seconds))
        #expect(wait ?? .zero >= .zero)
    }
}
