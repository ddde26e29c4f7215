// Checks the arithmetic of dates, counts and cells of JSON where an `Int` has 32 bits, as on watchOS and WebAssembly:
// `Tests/NarrowInt/run` compiles this with the library's files for a platform without Foundation, of which these stand
// in.

import APIKitSupport

package struct Date { package var timeIntervalSince1970: Double }

package struct TimeZone { func secondsFromGMT(for date: Date) -> Int { 3600 } }

struct DateReader {
    init(_ text: String) {}
    mutating func iso8601Date() -> Date? { nil }
}

package struct RequestError: Error {
    enum Code { case parameters }
    init(_ code: Code, _ message: String) {}
}

enum SecretNames {
    static func contains(_ name: String) -> Bool { false }
}

package enum ParameterStyle {
    package enum Dates {
        case iso8601, iso8601WithFractionalSeconds, dateOnly(TimeZone), httpDate, secondsSince1970,
            millisecondsSince1970
    }
}

struct JSONSyntaxError: Error {
    init(expected: String, at index: Int) {}
}

enum JSONDocument {
    static let maximumSize = Int(Int32.max)
    static let escapedFlag: UInt32 = 1 << 31
    static let repeatedNamesFlag: UInt32 = 1 << 31
}

/// The cells of a JSON text; empty if it is invalid.
func cells(_ text: StaticString) -> [UInt32] {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var scanner = JSONScanner(JSONText(bytes))
    guard (try? scanner.scan()) != nil else { return [] }
    return (0..<scanner.cells.count).map { scanner.cells[$0] }
}

/// How many of the checks fail.
@_expose(wasm, "failures") @_cdecl("failures") public func failures() -> Int32 {
    let date = Date(timeIntervalSince1970: 4_107_542_400.25)
    func text(_ dates: ParameterStyle.Dates, _ date: Date) -> String {
        (try? dates.text(of: date, named: "date")) ?? "none"
    }
    var count = Int.max
    count.addClamping(1)
    let checks = [
        Int.bitWidth == 32, count == .max,
        text(.iso8601, date) == "2100-03-01T00:00:00Z",
        text(.iso8601WithFractionalSeconds, date) == "2100-03-01T00:00:00.250Z",
        text(.dateOnly(TimeZone()), date) == "2100-03-01",
        text(.httpDate, date) == "Mon, 01 Mar 2100 00:00:00 GMT",
        text(.secondsSince1970, date) == "4107542400", text(.millisecondsSince1970, date) == "4107542400250",
        text(.iso8601, Date(timeIntervalSince1970: -62_167_219_200)) == "0000-01-01T00:00:00Z",
        text(.iso8601, Date(timeIntervalSince1970: 253_402_300_800)) == "none",
        cells("[1,\"\\n\"]") == [0, 4, 1, 3 | 1 << 31],
        cells("{\"a\":[],\"a\":2}") == [0, 7 | 1 << 31, 1, 5, 5, 8, 12],
    ]
    return checks.reduce(0) { $1 ? $0 : $0 + 1 }
}
