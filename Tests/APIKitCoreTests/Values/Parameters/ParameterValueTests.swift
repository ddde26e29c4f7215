import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct ParameterValueTests {
    private enum Sort: String, ParameterValue {
        case created
        case byName = "by name"
    }

    private enum Level: Int, ParameterValue { case low = 1 }

    private struct Coordinate: ParameterValue {
        var latitude: Double
        var longitude: Double

        var parameterNode: Parameters.Node { "\(latitude),\(longitude)".parameterNode }
    }

    private struct Tag: RawRepresentable, ParameterValue { var rawValue: String }

    private func query(_ value: any ParameterValue) throws -> String {
        try WireProbe(parameters: ["v": value]).queryText()
    }

    private func json(_ value: any ParameterValue) throws -> String {
        try JSONProbe(parameters: ["v": value]).bodyText()
    }

    // Every type: what stands in a query, and what stands in JSON.
    @Test(
        arguments: [
            ("a b", "v=a%20b", #"{"v":"a b"}"#), ("abc".dropFirst(), "v=bc", #"{"v":"bc"}"#),
            (7, "v=7", #"{"v":7}"#), (-7, "v=-7", #"{"v":-7}"#), (Int8.min, "v=-128", #"{"v":-128}"#),
            (Int16.max, "v=32767", #"{"v":32767}"#), (Int32.min, "v=-2147483648", #"{"v":-2147483648}"#),
            (Int64.min, "v=-9223372036854775808", #"{"v":-9223372036854775808}"#), (UInt(7), "v=7", #"{"v":7}"#),
            (UInt8.max, "v=255", #"{"v":255}"#), (UInt16.max, "v=65535", #"{"v":65535}"#),
            (UInt32.max, "v=4294967295", #"{"v":4294967295}"#),
            (UInt64.max, "v=18446744073709551615", #"{"v":18446744073709551615}"#),
            (1.0, "v=1", #"{"v":1}"#), (-3.0, "v=-3", #"{"v":-3}"#), (-0.0, "v=-0", #"{"v":-0}"#),
            (Float(100), "v=100", #"{"v":100}"#), (1e15, "v=1000000000000000", #"{"v":1000000000000000}"#),
            (1e16, "v=1e%2B16", #"{"v":1e+16}"#), ([1.0, 1.5], "v=1&v=1.5", #"{"v":[1,1.5]}"#),
            (0.1, "v=0.1", #"{"v":0.1}"#), (-2.5, "v=-2.5", #"{"v":-2.5}"#), (Float(0.1), "v=0.1", #"{"v":0.1}"#),
            (1e300, "v=1e%2B300", #"{"v":1e+300}"#), (true, "v=true", #"{"v":true}"#),
            (false, "v=false", #"{"v":false}"#),
            (
                URL(string: "https://h/?a=1&b=2")!, "v=https%3A%2F%2Fh%2F%3Fa%3D1%26b%3D2",
                #"{"v":"https://h/?a=1&b=2"}"#
            ),
            (
                UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")!, "v=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
                #"{"v":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#
            ), (Sort.created, "v=created", #"{"v":"created"}"#), (Sort.byName, "v=by%20name", #"{"v":"by name"}"#),
            (Level.low, "v=1", #"{"v":1}"#), (Tag(rawValue: "t"), "v=t", #"{"v":"t"}"#),
            (Coordinate(latitude: 1.5, longitude: -2), "v=1.5%2C-2.0", #"{"v":"1.5,-2.0"}"#),
            (["b", "a"], "v=b&v=a", #"{"v":["b","a"]}"#),
            ([Sort.created, .byName], "v=created&v=by%20name", #"{"v":["created","by name"]}"#),
            ([[1, 2], [3]], "v=1&v=2&v=3", #"{"v":[[1,2],[3]]}"#),
            (Set(["c", "a", "b"]), "v=a&v=b&v=c", #"{"v":["a","b","c"]}"#), ([Int](), "(no query)", #"{"v":[]}"#),
            ([String: Int](), "(no query)", #"{"v":{}}"#), (Parameters.Node.null, "v=", #"{"v":null}"#),
            (Decimal(string: "0.1")!, "v=0.1", #"{"v":0.1}"#),
            (
                Decimal(string: "12345678901234567890.12")!, "v=12345678901234567890.12",
                #"{"v":12345678901234567890.12}"#
            ),
            (Parameters.Node.object(["b": 1, "a": 2]), "v%5Bb%5D=1&v%5Ba%5D=2", #"{"v":{"b":1,"a":2}}"#),
        ] as [(any ParameterValue, String, String)])
    func isWrittenIntoAQueryAndIntoJSON(
        value: any ParameterValue, query: String, json: String
    ) throws {
        #expect(try self.query(value) == query)
        #expect(try self.json(value) == json)
    }

    @Test(arguments: [0, -0.0, 1, -1, 0.5, 1e15, 1e16, 1e22, 1e-7, 123456789.5, .greatestFiniteMagnitude])
    func numbersAreWrittenAsByJSONEncoder(number: Double) throws {
        let expected = String(decoding: try JSONEncoder().encode(["v": number]), as: UTF8.self)
        #expect(try json(number) == expected)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    @Test func writesIntegersOf128Bits() throws {
        #expect(try json(Int128.min) == #"{"v":-170141183460469231731687303715884105728}"#)
        #expect(try query(UInt128.max) == "v=340282366920938463463374607431768211455")
    }

    private func halves(_ text: String) -> [String] { [String(text.prefix(1)), String(text.dropFirst())] }

    private struct Group {
        let members: [String]
    }

    private let groups = [Group(members: ["a", "b"]), Group(members: ["c", "d"])]

    private func members(of group: Group) -> [String] { group.members }

    // In another overload `flatMap` would be the old name of `compactMap`, and the list one of lists.
    @Test func aListOfFlatMappedStringsIsFlat() throws {
        let names = ["ab", "cd"]
        let lists: [any ParameterValue] = [
            .list(names.flatMap { halves($0) }), .list(names.flatMap(halves)),
            .list([["a", "b"], ["c", "d"]].flatMap { $0 }),
            .list(names.flatMap { [String($0.prefix(1)), String($0.dropFirst())] }),
            .list(
                names.flatMap { name in
                    let half = halves(name)
                    return [half[0], half[1]]
                }), .list(["a,b", "c,d"].flatMap { $0.split(separator: ",") }), .list(["a", "b", "c", "d"]),
            .list(["a", "b", "c", "d"].map { $0 }), .list(Array("abcd").map(String.init)),
            .list([["a", "b"], ["c", "d"]].joined()), .list(names.map(halves).reduce([], +)),
        ]
        for list in lists { #expect(try json(list) == #"{"v":["a","b","c","d"]}"#) }
    }

    // A literal takes optionals, for which the compiler looks up `list` elsewhere.
    @Test func aListOfFlatMappedStringsIsFlatInALiteral() {
        let expected = Parameters.Node.list(["a", "b", "c", "d"])
        let literal: Parameters = [
            "closure": .list(groups.flatMap { $0.members }),
            "key path": .list(groups.flatMap(\.members)),
            "function": .list(groups.flatMap(members)),
            "annotated closure": .list(groups.flatMap { (group: Group) -> [String] in group.members }),
            "closure of several statements": .list(
                groups.flatMap { group in
                    let members = group.members
                    return members
                }),
            "joined": .list(groups.map(\.members).joined()),
            "compact": .list(["a", nil, "b", "c", "d"].compactMap { $0 }),
            "plain": .list(["a", "b", "c", "d"]),
        ]
        for (name, value) in literal { #expect(value == expected, "\(name)") }
    }

    @Test func aListOfFlatMappedStringsIsFlatInAppend() {
        let expected = Parameters.Node.list(["a", "b", "c", "d"])
        var parameters = Parameters()
        parameters.append(.list(groups.flatMap { $0.members }), for: "closure")
        parameters.append(.list(groups.flatMap(\.members)), for: "key path")
        parameters.append(.list(groups.flatMap(members)), for: "function")
        parameters.append(
            .list(groups.flatMap { (group: Group) -> [String] in group.members }), for: "annotated closure")
        for (name, value) in parameters { #expect(value == expected, "\(name)") }
        #expect(parameters.count == 4)
    }

    @Test func aListInALiteralKeepsItsNesting() throws {
        let optional: String? = nil
        let literal: Parameters = [
            "a": .list([1, "a", nil, optional]), "b": .list(groups.map(\.members)), "c": .list([]),
            "d": .list([.list([1]), .null, .list(["a", 1])]), "e": .list(1...3),
            "f": .list(groups.map(\.members.count)),
        ]
        #expect(
            try JSONProbe(parameters: literal).bodyText()
                == #"{"a":[1,"a"],"b":[["a","b"],["c","d"]],"c":[],"d":[[1],null,["a",1]],"e":[1,2,3],"f":[2,2]}"#)
    }

    @Test func aListOfAnyTypesKeepsItsNesting() throws {
        let mixed: [any ParameterValue] = [1, "a"], optional: [String?] = ["a", nil]
        #expect(try json(.list(mixed)) == #"{"v":[1,"a"]}"#)
        #expect(try json(.list(optional)) == #"{"v":["a"]}"#)
        #expect(try json(.list([["a"], ["b"]])) == #"{"v":[["a"],["b"]]}"#)
        #expect(try json(.list([.list([1, "a"]), .null, nil, .object(["a": 1])])) == #"{"v":[[1,"a"],null,{"a":1}]}"#)
        #expect(try json(.list([])) == #"{"v":[]}"#)
    }

    // Values inside one another take up stack as they are written.
    @Test(arguments: [(100, true), (101, false), (100_000, false)] as [(Int, Bool)])
    func nestsUpTo100Deep(depth: Int, isSent: Bool) throws {
        for isList in [true, false] {
            var value = Parameters.Node.list([1])
            for _ in 1..<depth { value = isList ? .list([value]) : .object(["a": value]) }
            let endpoints: [any APIRequest] = [
                WireProbe(parameters: ["v": value]), JSONProbe(parameters: ["v": value]),
                WireProbe(method: .post, parameters: ["v": value]),
                WireProbe(method: .post, parameters: ["v": value, "f": FilePart(Data(), filename: nil)]),
            ]
            for endpoint in endpoints {
                if isSent {
                    #expect(throws: Never.self) { try endpoint.httpRequest() }
                } else {
                    #expect(try endpoint.fault().message.hasSuffix("more than 100 lists and objects are nested"))
                }
            }
        }
    }

    @Test func dictionariesAreSortedByKey() throws {
        let names = (0..<40).map { "k\($0)" }
        let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        let expected = names.sorted().map { "v%5B\($0)%5D=1" }.joined(separator: "&")
        #expect(try query(dictionary) == expected)
        #expect(try json(dictionary) == "{\"v\":{" + names.sorted().map { "\"\($0)\":1" }.joined(separator: ",") + "}}")
    }

    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (1.999, "1970-01-01T00:00:01Z"), (-0.5, "1969-12-31T23:59:59Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func datesAreISO8601InWholeSecondsUTC(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try json(date) == "{\"v\":\"\(text)\"}")
        #expect(try query(date) == "v=\(text.replacingOccurrences(of: ":", with: "%3A"))")
    }

    @Test(arguments: [
        -62_167_219_201.0, 253_402_300_800, .infinity, -.infinity, .nan, 1e300, -1e300, Double.greatestFiniteMagnitude,
    ]) func rejectsDatesOutsideTheYears0To9999(seconds: Double) throws {
        let parameters: Parameters = ["start": Date(timeIntervalSince1970: seconds)]
        for dates in [ParameterStyle.Dates.iso8601, .secondsSince1970, .millisecondsSince1970] {
            let probe = WireProbe(parameters: parameters, parameterStyle: ParameterStyle(dates: dates))
            try probe.expectFault(.parameters, "\"start\"")
        }
    }

    @Test(arguments: [
        Double.nan as any ParameterValue, Double.infinity, -Double.infinity, Float.nan, Float.infinity,
        Double.signalingNaN, Decimal.nan, [1.0, .nan], ["x": Double.infinity],
        Parameters.Node.list([1, .object(["x": Double.nan])]),
    ]) func rejectsNumbersThatAreNotFinite(value: any ParameterValue) throws {
        let endpoints: [any APIRequest] = [
            WireProbe(parameters: ["ratio": value]), WireProbe(method: .post, parameters: ["ratio": value]),
            WireProbe(method: .post, parameters: ["ratio": value, "f": FilePart(Data(), filename: nil)]),
            JSONProbe(parameters: ["ratio": value]),
        ]
        for endpoint in endpoints {
            let error = try endpoint.fault()
            #expect(error.code == .parameters)
            #expect(error.message.contains("ratio") || error.message.contains("\"x\""))
        }
    }

    @Test func rejectsFilesInAQuery() throws {
        try WireProbe(parameters: ["photo": FilePart(Data(), filename: "a.png")]).expectFault(.parameters, "\"photo\"")
    }
}
