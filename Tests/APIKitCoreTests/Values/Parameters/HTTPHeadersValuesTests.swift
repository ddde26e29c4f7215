import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct HTTPHeadersValuesTests {
    private enum Level: String, ParameterValue { case low }

    private static let date = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            (["X": 7], "7"), (["X": 2.5], "2.5"), (["X": true], "true"), (["X": Level.low], "low"),
            (["X": date], "Sun, 06 Nov 1994 08:49:37 GMT"),
            (["X": .date(date, as: .iso8601)], "1994-11-06T08:49:37Z"),
            (["X": .date(date, as: .secondsSince1970)], "784111777"),
            (["X": Data([0xFB, 0xFF])], "+/8="), (["X": ["a", "b"]], "a, b"), (["X": .list([1, "a", nil])], "1, a"),
            (["X": ["b,c", "\"def\"", "a", "", " x", "\\"]], #""b,c", "\"def\"", a, "", " x", \"#),
            (["X": .list(["a", "b,c"], as: .commas)], #"a,"b,c""#), (["X": .list([1, 2], as: .repeated)], "1, 2"),
            (["X": [date, date]], "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT"),
        ] as [(HTTPHeaders, String)])
    func writesValues(headers: HTTPHeaders, expected: String) throws {
        #expect(headers["X"] == expected)
        try headers.validate()
    }

    @Test func entityTagsAndCookiesHaveTheirOwnSyntax() {
        let headers: HTTPHeaders = [.ifMatch: [#""a""#, #"W/"b""#], .cookie: ["a=1", "b=2"]]
        #expect(headers[.ifMatch] == #""a", W/"b""#)
        #expect(headers[.cookie] == "a=1; b=2")
    }

    @Test func leavesOutNilAndEmptyLists() {
        let number: Int? = nil
        let headers: HTTPHeaders = ["A": number, "B": [String](), "C": "c"]
        #expect(headers.map(\.name.rawValue) == ["C"])
    }

    @Test(
        arguments: [
            (["X": Double.nan], #"the header "X": the number is nan, which cannot be sent"#),
            (
                ["X": .object(["a": 1])],
                #"the header "X": a header takes text, numbers, Bools, dates and lists of them"#
            ),
            (["X": .list([["a"]])], #"the header "X": a header takes text, numbers, Bools, dates and lists of them"#),
            (
                ["X": Date(timeIntervalSince1970: 1e15)],
                #"the header "X": the date (1000000000000000 seconds after 1970) is outside"#
            ),
        ] as [(HTTPHeaders, String)])
    func refusesWhatAHeaderCannotHave(headers: HTTPHeaders, problem: String) throws {
        let error = try #require(throws: RequestError.self) { try WireProbe(headers: headers).httpRequest() }
        #expect(error.message.hasPrefix(problem))
        #expect(headers == headers)
        var replaced = headers
        replaced["X"] = "1"
        try replaced.validate()
    }

    @Test(
        arguments: [
            ("784111777", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", date), ("Sunday, 06-Nov-94 08:49:37 GMT", date),
            (" Sun Nov  6 08:49:37 1994 ", date), ("Mon, 06 Nov 1994 08:49:37 GMT", nil), ("", nil),
        ] as [(String, Date?)])
    func readsDates(text: String, expected: Date?) {
        #expect((["Last-Modified": text] as HTTPHeaders).date(.lastModified) == expected)
        #expect(HTTPHeaders().date(.lastModified) == nil)
    }

    @Test(
        arguments: [
            (.iso8601, " 1994-11-06T09:49:37.000+01:00 ", date), (.iso8601, "784111777", nil),
            (.iso8601WithFractionalSeconds, "1994-11-06T08:49:37Z", date), (.secondsSince1970, "784111777", date),
            (.secondsSince1970, "Sun, 06 Nov 1994 08:49:37 GMT", nil), (.millisecondsSince1970, "784111777000", date),
            (.millisecondsSince1970, "", nil), (.dateOnly(), "1970-01-02", Date(timeIntervalSince1970: 86_400)),
            (.dateOnly(), "1970-02-30", nil),
        ] as [(ParameterStyle.Dates, String, Date?)])
    func readsDatesOfOtherFormats(style: ParameterStyle.Dates, text: String, expected: Date?) {
        #expect((["X": text] as HTTPHeaders).date("X", as: style) == expected)
    }

    @Test(
        arguments: [
            ("7", 7), (" -12 ", -12), ("007", 7), ("+7", nil), ("7, 7", nil), ("", nil), ("-", nil), ("7.0", nil),
            ("99999999999999999999", nil), ("٣", nil),
        ] as [(String, Int?)])
    func readsIntegers(text: String, expected: Int?) {
        #expect((["X-Total": text] as HTTPHeaders).integer("x-total") == expected)
        #expect(HTTPHeaders().integer("X-Total") == nil)
    }

    @Test(
        arguments: [
            (["X": "a, b"], ["a", "b"]), (["X": "a", "x": "b,c"], ["a", "b", "c"]), (["X": ",a, ,b,"], ["a", "b"]),
            (["X": #""b,c", "\"def\"", a"#], ["b,c", #""def""#, "a"]), (["X": #""""#], [""]),
            (["X": #""a" b, c"#], [#""a" b"#, "c"]), (["X": #""a, b"#], [#""a"#, "b"]),
            (["X": #"a "b, c""#], [#"a "b, c""#]), (["X": #"W/"a,b", "c""#], [#"W/"a,b""#, "c"]),
            (["X": ""], []), ([:], []),
        ] as [(HTTPHeaders, [String])])
    func readsLists(headers: HTTPHeaders, expected: [String]) {
        #expect(headers.list("X") == expected)
    }

    @Test(arguments: [["a", "b"], ["", " a", "a,b", "\"", "\\", "é"], ["a\tb"]])
    func readsTheListThatItWrites(elements: [String]) {
        #expect((["X": elements] as HTTPHeaders).list("X") == elements)
    }
}
