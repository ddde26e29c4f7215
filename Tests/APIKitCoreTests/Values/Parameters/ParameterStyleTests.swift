import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct ParameterStyleTests {
    private let date = Date(timeIntervalSince1970: 1_795_199_400.789)

    /// The pairs of a query, decoded, so that names are read as a person writes them.
    private func query(_ parameters: Parameters, _ style: ParameterStyle) throws -> String {
        let text = try WireProbe(parameters: parameters, parameterStyle: style).queryText()
        return String(decoding: try WireDecoding.percentDecoded(text.utf8), as: UTF8.self)
    }

    private func form(_ parameters: Parameters, _ style: ParameterStyle) throws -> String {
        let text = try WireProbe(method: .post, parameters: parameters, parameterStyle: style).bodyText()
        return String(decoding: try WireDecoding.percentDecoded(text.utf8), as: UTF8.self)
    }

    private func multipart(_ parameters: Parameters, _ style: ParameterStyle) -> String {
        let pairs = MultipartForm(parameters, style: style).parts.map { part in
            "\(part.name)=\(String(decoding: part.body.data ?? Data(), as: UTF8.self))"
        }
        return pairs.joined(separator: "&")
    }

    @Test func hasDefaults() {
        #expect(
            ParameterStyle() == ParameterStyle(lists: .repeated, members: .brackets, booleans: .words, dates: .iso8601))
    }

    private static let list: Parameters = ["tag": ["a", "b"]]
    private static let node: Parameters = ["tag": .list(["a", "b"])]
    private static let empty: Parameters = ["a": 1, "tag": [Int](), "b": 2]
    private static let members: Parameters = ["u": .object(["name": "a", "home": .object(["city": "b"])])]
    private static let nested: Parameters = ["s": .list([.object(["text": "x", "tags": ["t"]]), "y"])]
    private static let booleans: Parameters = ["a": true, "b": false]

    private static let written: [(ParameterStyle, Parameters, String)] = [
        (ParameterStyle(lists: .repeated), list, "tag=a&tag=b"),
        (ParameterStyle(lists: .brackets), list, "tag[]=a&tag[]=b"),
        (ParameterStyle(lists: .indexed), list, "tag[0]=a&tag[1]=b"), (ParameterStyle(lists: .commas), list, "tag=a,b"),
        (ParameterStyle(lists: .repeated), node, "tag=a&tag=b"),
        (ParameterStyle(lists: .brackets), node, "tag[]=a&tag[]=b"),
        (ParameterStyle(lists: .indexed), node, "tag[0]=a&tag[1]=b"), (ParameterStyle(lists: .commas), node, "tag=a,b"),
        (ParameterStyle(lists: .repeated), empty, "a=1&b=2"), (ParameterStyle(lists: .brackets), empty, "a=1&b=2"),
        (ParameterStyle(lists: .indexed), empty, "a=1&b=2"), (ParameterStyle(lists: .commas), empty, "a=1&b=2"),
        (ParameterStyle(members: .brackets), members, "u[name]=a&u[home][city]=b"),
        (ParameterStyle(members: .dots), members, "u.name=a&u.home.city=b"),
        (ParameterStyle(lists: .indexed), nested, "s[0][text]=x&s[0][tags][0]=t&s[1]=y"),
        (ParameterStyle(lists: .indexed), ["s": .list(["a", nil, .null]), "n": .null], "s[0]=a&s[1]=&n="),
        (ParameterStyle(lists: .brackets), nested, "s[][text]=x&s[][tags][]=t&s[]=y"),
        (ParameterStyle(lists: .repeated), nested, "s[text]=x&s[tags]=t&s=y"),
        (ParameterStyle(lists: .indexed, members: .dots), nested, "s[0].text=x&s[0].tags[0]=t&s[1]=y"),
        (ParameterStyle(lists: .commas), ["u": .object(["ids": [1, 2]])], "u[ids]=1,2"),
        (ParameterStyle(lists: .pipes), list, "tag=a|b"),
        (ParameterStyle(members: .commas), ["c": .object(["R": 1, "G": 2])], "c=R,1,G,2"),
        (ParameterStyle(), ["a": .list([1, 2], as: .commas), "b": [1, 2]], "a=1,2&b=1&b=2"),
        (ParameterStyle(lists: .commas), ["a": .list([1, 2], as: .brackets), "b": [1, 2]], "a[]=1&a[]=2&b=1,2"),
        (ParameterStyle(), ["a": .object(["b": .object(["c": 1], as: .dots)])], "a[b].c=1"),
        (
            ParameterStyle(), ["a": .object(["b": .object(["c": 1])], as: .dots), "d": .object(["e": 2])],
            "a.b.c=1&d[e]=2"
        ),
        (ParameterStyle(), ["a": .list([.list([1, 2])], as: .indexed), "b": [3]], "a[0][0]=1&a[0][1]=2&b=3"),
        (ParameterStyle(booleans: .words), booleans, "a=true&b=false"),
        (ParameterStyle(booleans: .digits), booleans, "a=1&b=0"),
    ]

    @Test(arguments: written)
    func writesListsMembersAndBools(style: ParameterStyle, parameters: Parameters, expected: String) throws {
        #expect(try query(parameters, style) == expected)
        #expect(try form(parameters, style) == expected)
        #expect(multipart(parameters, style) == expected)
    }

    @Test func encodesCommasInValuesOnly() throws {
        let style = ParameterStyle(lists: .commas)
        #expect(
            try WireProbe(parameters: ["tag": ["a,b", "c d", ""]], parameterStyle: style).queryText()
                == "tag=a%2Cb,c%20d,")
        #expect(
            try WireProbe(method: .post, parameters: ["tag": ["a", "c d"]], parameterStyle: style).httpRequest().body?
                .text == "tag=a%2Cc+d")
    }

    @Test func writesEveryPlainValueInCommaLists() throws {
        let style = ParameterStyle(lists: .commas, booleans: .digits, dates: .secondsSince1970)
        #expect(try query(["v": .list([1, "a", true, date, 0.5, .null])], style) == "v=1,a,1,1795199400,0.5,")
        #expect(multipart(["v": .list([1, true, .null])], style) == "v=1,1,")
    }

    @Test(arguments: [
        Parameters.Node.list([1, .list([2])]), .list([.object(["a": 1])]), .list([.object([:])]),
    ]) func rejectsCommaListsOfOtherThanPlainValues(node: Parameters.Node) throws {
        let file = FilePart(Data(), filename: nil)
        for parameters: Parameters in [["ids": node], ["ids": node, "f": file]] {
            let probe = WireProbe(
                method: parameters.count == 1 ? .get : .post, parameters: parameters,
                parameterStyle: ParameterStyle(lists: .commas))
            try probe.expectFault(.parameters, "\"ids\"")
        }
    }

    // MARK: - Dates

    @Test(
        arguments: [
            (ParameterStyle.Dates.iso8601, "2026-11-20T18:30:00Z", #""2026-11-20T18:30:00Z""#),
            (.secondsSince1970, "1795199400", "1795199400"), (.millisecondsSince1970, "1795199400789", "1795199400789"),
            (.iso8601WithFractionalSeconds, "2026-11-20T18:30:00.789Z", #""2026-11-20T18:30:00.789Z""#),
            (.dateOnly(), "2026-11-20", #""2026-11-20""#),
            (.dateOnly(in: TimeZone(secondsFromGMT: 14 * 3600)!), "2026-11-21", #""2026-11-21""#),
        ] as [(ParameterStyle.Dates, String, String)])
    func writesDates(
        dates: ParameterStyle.Dates, text: String, json: String
    ) throws {
        let style = ParameterStyle(dates: dates)
        #expect(try query(["d": date], style) == "d=\(text)")
        #expect(try form(["d": date], style) == "d=\(text)")
        #expect(
            try JSONProbe(parameters: ["d": date], parameterStyle: style).httpRequest().body?.text == "{\"d\":\(json)}")
        #expect(multipart(["d": date], style) == "d=\(text)")
    }

    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"), (0.0004, "1970-01-01T00:00:00.000Z"),
            (0.9996, "1970-01-01T00:00:01.000Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"), (0.05, "1970-01-01T00:00:00.050Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (253_402_300_799.9999, "9999-12-31T23:59:59.999Z"),
        ] as [(Double, String)])
    func writesMillisecondsAsThreeDigits(seconds: Double, text: String) throws {
        let style = ParameterStyle(dates: .iso8601WithFractionalSeconds)
        #expect(try query(["d": Date(timeIntervalSince1970: seconds)], style) == "d=\(text)")
    }

    @Test(
        arguments: [
            (-62_167_219_200.0, -1), (253_402_300_799, 1), (-62_167_219_201, 14), (.nan, 0), (.infinity, 0),
        ] as [(Double, Int)])
    func rejectsDaysOutsideTheYears0To9999(seconds: Double, hours: Int) throws {
        let zone = try #require(TimeZone(secondsFromGMT: hours * 3600))
        let style = ParameterStyle(dates: .dateOnly(in: zone))
        #expect(throws: RequestError.self) { try query(["d": Date(timeIntervalSince1970: seconds)], style) }
    }

    @Test func aDateCanOverrideTheStyle() throws {
        let parameters: Parameters = [
            "at": date, "on": .date(date, as: .dateOnly()), "s": .date(date, as: .secondsSince1970),
        ]
        #expect(try query(parameters, ParameterStyle()) == "at=2026-11-20T18:30:00Z&on=2026-11-20&s=1795199400")
        #expect(RequestBody.json(parameters).text == #"{"at":"2026-11-20T18:30:00Z","on":"2026-11-20","s":1795199400}"#)
    }

    @Test(
        arguments: [(-0.5, "-1", "-500"), (0, "0", "0"), (-1, "-1", "-1000"), (0.25, "0", "250")]
            as [(Double, String, String)])
    func writesDatesAround1970(seconds: Double, wholeSeconds: String, milliseconds: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try query(["d": date], ParameterStyle(dates: .secondsSince1970)) == "d=\(wholeSeconds)")
        #expect(try query(["d": date], ParameterStyle(dates: .millisecondsSince1970)) == "d=\(milliseconds)")
    }

    // A date that a server gave in milliseconds goes back as the same number.
    @Test func millisecondsAreReadBackExactly() throws {
        var random = SplitMix64(state: 1)
        let values = (0..<2_000).map { _ in Int64.random(in: -2_000_000_000_000...4_000_000_000_000, using: &random) }
        let dates = values.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        let text = try query(["d": dates], ParameterStyle(lists: .commas, dates: .millisecondsSince1970))
        #expect(text == "d=" + values.map(\.description).joined(separator: ","))
    }

    @Test func jsonUsesOnlyTheStyleOfDates() throws {
        let style = ParameterStyle(lists: .commas, members: .dots, booleans: .digits)
        let probe = JSONProbe(parameters: ["a": [1, 2], "b": .object(["c": true])], parameterStyle: style)
        #expect(try probe.httpRequest().body?.text == #"{"a":[1,2],"b":{"c":true}}"#)
    }

    @Test func separatorsAreEncodedUnlikeTheCommasOfAQuery() throws {
        let parameters: Parameters = [
            "c": .list(["a,b", "c"], as: .commas), "s": .list(["a b", "c"], as: .spaces),
            "p": .list(["a|b"], as: .pipes),
        ]
        #expect(try WireProbe(parameters: parameters).queryText() == "c=a%2Cb,c&s=a%20b%20c&p=a%7Cb")
        #expect(try WireProbe(method: .post, parameters: parameters).bodyText() == "c=a%2Cb%2Cc&s=a+b+c&p=a%7Cb")
    }

    @Test func flagsHaveNoValue() throws {
        let parameters: Parameters = ["archived": .flag, "page": 2]
        #expect(try WireProbe(parameters: parameters).queryText() == "archived&page=2")
        #expect(try WireProbe(method: .post, parameters: parameters).bodyText() == "archived&page=2")
        #expect(RequestBody.json(parameters).text == #"{"archived":true,"page":2}"#)
    }
}
