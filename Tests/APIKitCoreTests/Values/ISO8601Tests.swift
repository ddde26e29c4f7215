import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct ISO8601Tests {
    // The days before 15 October 1582 are those of the Gregorian calendar too.
    @Test(
        arguments: [
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_162_035_201, "0000-02-29T23:59:59Z"),
            (-62_162_035_200, "0000-03-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
            (-30_610_224_000, "1000-01-01T00:00:00Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
            (-12_219_292_800, "1582-10-15T00:00:00Z"), (-14_182_940, "1969-07-20T20:17:40Z"),
            (-11_670_998_400, "1600-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func writesAndReadsTheGregorianCalendar(seconds: Int64, text: String) {
        #expect(ISO8601.dayAndTime(seconds) == text)
        #expect(ISO8601.day(seconds) == text.prefix(10))
        #expect(ISO8601.date(text) == Date(timeIntervalSince1970: Double(seconds)))
    }

    // Around a year that is not a leap year although four divides it, and around one that is.
    @Test(arguments: [1899...1901, 1999...2001]) func daysFollowEachOther(years: ClosedRange<Int>) throws {
        var days = try #require(GregorianDay(year: years.lowerBound, month: 1, day: 1)).daysSince1970
        for year in years {
            for month in 1...12 {
                for day in 1...31 {
                    guard let date = GregorianDay(year: year, month: month, day: day) else { continue }
                    #expect(date.daysSince1970 == days)
                    let same = GregorianDay(daysSince1970: days)
                    #expect((same.year, same.month, same.day) == (year, month, day))
                    days += 1
                }
            }
        }
        #expect(GregorianDay(daysSince1970: days).year == years.upperBound + 1)
    }
}
