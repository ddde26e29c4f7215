import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite struct ParameterStyleTests {
    private let date = Date(timeIntervalSince1970: 1_795_199_400.789)

    /// The pairs of a query, decoded, so that names are read as a person writes them.
    private func query(_ parameters: Parameters, _ style: ParameterStyle) throws -> String {
        let text = try WireProbe(parameters: parameters, parameterStyle: style).queryText()
        return String(decoding: try WireDecoding.percentDecoded(text.utf8), as: UTF8.self)
    }

    private func form(_ parameters: Parameters, _ style: ParameterStyle) throws -> String {
        let text = try #require(
            WireProbe(method: .post, parameters: parameters, parameterStyle: style).httpRequest().body
        ).text
        return String(decoding: try WireDecoding.percentDecoded(text.utf8), as: UTF8.self)
    }

    @Test func hasDefaults() {
        #expect(
            ParameterStyle() == ParameterStyle(lists: .repeated, members: .brackets, booleans: .words, dates: .iso8601))
    }

    // MARK: - Lists and members

    @Test(arguments: [
        (ParameterStyle.Lists.repeated, "tag=a&tag=b"), (.brackets, "tag[]=a&tag[]=b"), (.indexed, "tag[0]=a&tag[1]=b"),
        (.commas, "tag=a,b"),
    ]) func writesLists(lists: ParameterStyle.Lists, expected: String) throws {
        let style = ParameterStyle(lists: lists)
        #expect(try query(["tag": ["a", "b"]], style) == expected)
        #expect(try query(["tag": .list(["a", "b"])], style) == expected)
        #expect(try form(["tag": ["a", "b"]], style) == expected)
    }

    @Test(arguments: [ParameterStyle.Lists.repeated, .brackets, .indexed, .commas])
    func omitsEmptyLists(lists: ParameterStyle.Lists) throws {
        let style = ParameterStyle(lists: lists)
        #expect(try query(["a": 1, "tag": [Int](), "b": 2], style) == "a=1&b=2")
        #expect(try form(["a": 1, "tag": [Int](), "b": 2], style) == "a=1&b=2")
        #expect(MultipartForm(["a": 1, "tag": [Int](), "b": 2], style: style).parts.map(\.name) == ["a", "b"])
    }

    @Test(arguments: [
        (ParameterStyle.Members.brackets, "u[name]=a&u[home][city]=b"), (.dots, "u.name=a&u.home.city=b"),
    ]) func writesMembers(members: ParameterStyle.Members, expected: String) throws {
        let parameters: Parameters = ["u": .object(["name": "a", "home": .object(["city": "b"])])]
        #expect(try query(parameters, ParameterStyle(members: members)) == expected)
        #expect(try form(parameters, ParameterStyle(members: members)) == expected)
    }

    @Test(arguments: [
        (ParameterStyle(lists: .indexed), "supply[0][description]=x&supply[0][tags][0]=t&supply[1]=y"),
        (ParameterStyle(lists: .brackets), "supply[][description]=x&supply[][tags][]=t&supply[]=y"),
        (ParameterStyle(lists: .repeated), "supply[description]=x&supply[tags]=t&supply=y"),
        (ParameterStyle(lists: .indexed, members: .dots), "supply[0].description=x&supply[0].tags[0]=t&supply[1]=y"),
    ]) func writesNestedLists(style: ParameterStyle, expected: String) throws {
        let parameters: Parameters = ["supply": .list([.object(["description": "x", "tags": ["t"]]), "y"])]
        #expect(try query(parameters, style) == expected)
        #expect(try form(parameters, style) == expected)
        let form = MultipartForm(parameters, style: style)
        #expect(
            form.parts.map { "\($0.name)=\(String(decoding: $0.body.data ?? Data(), as: UTF8.self))" }.joined(
                separator: "&") == expected)
    }

    @Test func encodesBracketsInNames() throws {
        let probe = WireProbe(
            parameters: ["supply": .list([.object(["description": "x"])])],
            parameterStyle: ParameterStyle(lists: .indexed))
        #expect(try probe.queryText() == "supply%5B0%5D%5Bdescription%5D=x")
    }

    // MARK: - Commas

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
        let form = MultipartForm(["v": .list([1, true, .null])], style: style)
        #expect(form.parts.map { String(decoding: $0.body.data ?? Data(), as: UTF8.self) } == ["1,1,"])
    }

    @Test func writesCommaListsInMembers() throws {
        #expect(try query(["u": .object(["ids": [1, 2]])], ParameterStyle(lists: .commas)) == "u[ids]=1,2")
    }

    @Test(arguments: [
        Parameters.Node.list([1, .list([2])]), .list([.object(["a": 1])]), .list([.object([:])]),
    ]) func rejectsCommaListsOfOtherThanPlainValues(node: Parameters.Node) throws {
        let file = FilePart(Data(), filename: nil)
        for parameters: Parameters in [["ids": node], ["ids": node, "f": file]] {
            let probe = WireProbe(
                method: parameters.count == 1 ? .get : .post, parameters: parameters,
                parameterStyle: ParameterStyle(lists: .commas))
            let error = try #require(throws: RequestError.self) { try probe.httpRequest() }
            #expect(error.code == .parameters)
            #expect(error.message.contains("\"ids\""))
        }
    }

    // MARK: - Bools and dates

    @Test(arguments: [(ParameterStyle.Booleans.words, "a=true&b=false"), (.digits, "a=1&b=0")])
    func writesBools(booleans: ParameterStyle.Booleans, expected: String) throws {
        let style = ParameterStyle(booleans: booleans)
        #expect(try query(["a": true, "b": false], style) == expected)
        #expect(try form(["a": true, "b": false], style) == expected)
        let form = MultipartForm(["a": true, "b": false], style: style)
        #expect(
            form.parts.map { "\($0.name)=\(String(decoding: $0.body.data ?? Data(), as: UTF8.self))" }.joined(
                separator: "&") == expected)
    }

    @Test(arguments: [
        (ParameterStyle.Dates.iso8601, "2026-11-20T18:30:00Z", #""2026-11-20T18:30:00Z""#),
        (.secondsSince1970, "1795199400", "1795199400"), (.millisecondsSince1970, "1795199400789", "1795199400789"),
        (.iso8601WithFractionalSeconds, "2026-11-20T18:30:00.789Z", #""2026-11-20T18:30:00.789Z""#),
        (.dateOnly(), "2026-11-20", #""2026-11-20""#),
        (.dateOnly(in: TimeZone(secondsFromGMT: 14 * 3600)!), "2026-11-21", #""2026-11-21""#),
    ]) func writesDates(dates: ParameterStyle.Dates, text: String, json: String) throws {
        let style = ParameterStyle(dates: dates)
        #expect(try query(["d": date], style) == "d=\(text)")
        #expect(try form(["d": date], style) == "d=\(text)")
        #expect(
            try JSONProbe(parameters: ["d": date], parameterStyle: style).httpRequest().body?.text == "{\"d\":\(json)}")
        #expect(MultipartForm(["d": date], style: style).parts.first?.body.data == Data(text.utf8))
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"), (0.0004, "1970-01-01T00:00:00.000Z"), (0.9996, "1970-01-01T00:00:01.000Z"),
        (-0.001, "1969-12-31T23:59:59.999Z"), (0.05, "1970-01-01T00:00:00.050Z"),
        (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (253_402_300_799.9999, "9999-12-31T23:59:59.999Z"),
    ]) func writesMillisecondsAsThreeDigits(seconds: Double, text: String) throws {
        let style = ParameterStyle(dates: .iso8601WithFractionalSeconds)
        #expect(try query(["d": Date(timeIntervalSince1970: seconds)], style) == "d=\(text)")
    }

    @Test(arguments: [
        (-62_167_219_200.0, -1), (253_402_300_799, 1), (-62_167_219_201, 14), (.nan, 0), (.infinity, 0),
    ]) func rejectsDaysOutsideTheYears0To9999(seconds: Double, hours: Int) throws {
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

    @Test(arguments: [(-0.5, "-1", "-500"), (0, "0", "0"), (-1, "-1", "-1000"), (0.25, "0", "250")])
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
}
