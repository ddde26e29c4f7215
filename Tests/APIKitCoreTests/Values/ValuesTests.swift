import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct ValuesTests {
    private struct Item: Codable, Equatable {
        var views: Quoted<Int64>?
        var isLive: Quoted<Bool>?
        var day: DateOnly?
        var opens: TimeOnly?
        var expires: UnixDate?
        var modified: HTTPDate?
        var created: ISO8601Date?
    }

    private static func day(_ year: Int, _ month: Int, _ day: Int) throws -> DateOnly {
        try #require(DateOnly(year: year, month: month, day: day))
    }

    private static let date = Date(timeIntervalSince1970: 784_111_777)

    @Test func areWrittenAndReadAsJSON() throws {
        let json = """
            {"created":"1994-11-06T08:49:37Z","day":"2026-11-20","expires":784111777,"isLive":"true",\
            "modified":"Sun, 06 Nov 1994 08:49:37 GMT","opens":"08:30:00.25","views":"10000000000"}
            """
        let item = Item(
            views: 10_000_000_000, isLive: true, day: try Self.day(2026, 11, 20),
            opens: TimeOnly(hour: 8, minute: 30, nanosecond: 250_000_000), expires: UnixDate(Self.date),
            modified: HTTPDate(Self.date), created: ISO8601Date(Self.date))
        #expect(try JSONReader().decode(Item.self, from: Data(json.utf8)) == item)
        #expect(try JSONDecoder().decode(Item.self, from: Data(json.utf8)) == item)
        #expect(String(decoding: try JSONEncoder.api.encode(item), as: UTF8.self) == json)
    }

    @Test func areParameters() throws {
        let probe = WireProbe(
            parameters: [
                "v": Quoted<Int>(7), "d": try Self.day(2026, 1, 2), "t": TimeOnly(hour: 8, minute: 30),
                "u": UnixDate(Self.date), "i": ISO8601Date(Self.date), "b": Data([1, 2, 3]),
            ])
        #expect(
            try probe.queryText()
                == "v=7&d=2026-01-02&t=08%3A30%3A00&u=784111777&i=1994-11-06T08%3A49%3A37Z&b=AQID")
    }

    @Test(
        arguments: [
            #"{"views":"x"}"#, #"{"views":true}"#, #"{"isLive":"yes"}"#, #"{"day":"2026-02-29"}"#,
            #"{"day":"2026-1-2"}"#, #"{"day":"2026-01-02T00:00:00Z"}"#, #"{"opens":"24:00:00"}"#, #"{"opens":"8:30"}"#,
            #"{"opens":"08:30:00."}"#, #"{"expires":"1"}"#, #"{"modified":"2026-01-02"}"#, #"{"created":1}"#,
        ])
    func otherJSONIsAnError(json: String) {
        #expect(throws: DecodingError.self) { try JSONReader().decode(Item.self, from: Data(json.utf8)) }
    }

    // Foundation's `Date.description` ends the process for such a date.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 1e15])
    func errorOfADateThatCannotBeWrittenCanBePrinted(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        for value in [HTTPDate(date), ISO8601Date(date)] as [any Encodable] {
            let error = #expect(throws: EncodingError.self) { try JSONEncoder.api.encode([value].map(Erased.init)) }
            guard case .invalidValue(let invalid, let context) = error else { return }
            #expect(!(invalid is Date))
            #expect("\(invalid)" == "\(date.timeIntervalSince1970)")
            #expect(context.debugDescription.contains("outside the years 0 to 9999"))
        }
    }

    private struct Erased: Encodable {
        let value: any Encodable
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func quotedReadsValuesWithoutQuotes() throws {
        let item = try JSONReader().decode(Item.self, from: Data(#"{"views":7,"isLive":false}"#.utf8))
        #expect(item == Item(views: 7, isLive: false))
    }

    @Test(arguments: [("True", true), ("TRUE", true), ("FaLsE", false)] as [(String, Bool)])
    func quotedReadsBoolsInCapitals(text: String, value: Bool) throws {
        let item = try JSONReader().decode(Item.self, from: Data(#"{"isLive":"\#(text)"}"#.utf8))
        #expect(item == Item(isLive: Quoted(value)))
    }

    @Test(
        arguments: [
            ("00:00", "00:00:00"), ("23:59:59.123456789123", "23:59:59.123456789"), ("08:30:00.500", "08:30:00.5"),
        ] as [(String, String)])
    func timesAreReadInAllPrecisions(text: String, expected: String) {
        #expect(TimeOnly(text)?.description == expected)
    }

    @Test func daysKnowTheCalendarAndTimeZones() throws {
        #expect(DateOnly(year: 2026, month: 2, day: 29) == nil)
        #expect(DateOnly(year: 10_000, month: 1, day: 1) == nil)
        #expect(try Self.day(2024, 2, 29) < Self.day(2024, 3, 1))
        let berlin = try #require(TimeZone(secondsFromGMT: 3600))
        let midnight = Date(timeIntervalSince1970: -3600)
        #expect(try Self.day(1970, 1, 1).date(in: berlin) == midnight)
        #expect(DateOnly(midnight, in: berlin)?.description == "1970-01-01")
        #expect(DateOnly(midnight, in: .gmt)?.description == "1969-12-31")
        #expect(DateOnly(Date(timeIntervalSince1970: 1e15), in: .gmt) == nil)
        #expect(try Self.day(0, 1, 1).description == "0000-01-01")
    }

    // MARK: - Base64 for URLs

    @Test(arguments: [("", []), ("-_8", [0xFB, 0xFF]), ("AQ", [1]), ("AQID", [1, 2, 3])] as [(String, [UInt8])])
    func base64URL(text: String, bytes: [UInt8]) throws {
        #expect(Data(bytes).base64URLEncodedString() == text)
        #expect(Data(base64URLEncoded: text) == Data(bytes))
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        #expect(Data(base64URLEncoded: text + padding) == Data(bytes))
        let encoder = JSONEncoder()
        encoder.dataEncodingStrategy = .base64URL
        let json = try encoder.encode([Data(bytes)])
        #expect(String(decoding: json, as: UTF8.self) == #"["\#(text)"]"#)
        #expect(try JSONReader(data: .base64URL).decode([Data].self, from: json) == [Data(bytes)])
    }

    @Test(arguments: ["+/8=", "A", "A=Q", "AQ!", "A Q", "=", "====", "AQ=", "AQID===="])
    func otherTextIsNotBase64URL(text: String) {
        #expect(Data(base64URLEncoded: text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONReader(data: .base64URL).decode([Data].self, from: Data(#"["\#(text)"]"#.utf8))
        }
    }

    /// Clocks go forward at 2 in Sydney on 4 October 2026, and at midnight in Havana on 8 March 2026.
    @Test(
        arguments: [
            ("Australia/Sydney", "2026-10-04", "2026-10-03T14:00:00Z"),
            ("Australia/Sydney", "2026-04-05", "2026-04-04T13:00:00Z"),
            ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"),
        ] as [(String, String, String)])
    func dayBeginsAtLocalMidnight(zone: String, day: String, beginning: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let day = try #require(DateOnly(day))
        #expect(day.date(in: zone) == (try Date(beginning, strategy: .iso8601)))
        #expect(DateOnly(day.date(in: zone), in: zone) == day)
    }

    @Test func quotedRefusesInfinityAndNaN() throws {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Quoted(Double.infinity)) }
        #expect(throws: DecodingError.self) {
            try JSONReader().decode([Quoted<Double>].self, from: Data(#"["nan"]"#.utf8))
        }
        #expect(throws: RequestError.self) { try WireProbe(parameters: ["x": Quoted(Double.nan)]).httpRequest() }
    }

    private struct Boxed<Value: Encodable & Sendable>: Encodable { var title: Value }

    @Test func patchThatKeepsAFieldIsLeftOutOfEncodedParameters() {
        #expect(Parameters(encoding: Boxed(title: Patch<String>.keep)).isEmpty)
        #expect(RequestBody.json(Parameters(encoding: Boxed(title: Patch<String>?.some(.keep)))).text == "{}")
    }
}
