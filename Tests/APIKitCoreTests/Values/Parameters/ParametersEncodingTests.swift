import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct ParametersEncodingTests {
    private func query(_ value: some Encodable, style: ParameterStyle = ParameterStyle()) throws -> String {
        let text = try WireProbe(parameters: Parameters(encoding: value), parameterStyle: style).queryText()
        return String(decoding: try WireDecoding.percentDecoded(text.utf8), as: UTF8.self)
    }

    private func json(_ value: some Encodable) throws -> String {
        try JSONProbe(parameters: Parameters(encoding: value)).bodyText()
    }

    private func fault(_ value: some Encodable) throws -> RequestError {
        try WireProbe(parameters: Parameters(encoding: value)).fault()
    }

    // MARK: - Members

    private struct Filter: Encodable {
        enum Sort: String, Encodable { case byName = "by_name" }
        enum Level: Int, Encodable { case low = 1 }
        struct Home: Encodable {
            var city = "Bern"
            var zip: Int?
        }
        var text = "a b"
        var count = 7
        var big = UInt64.max
        var ratio = 0.5
        var isOpen = true
        var start = Date(timeIntervalSince1970: 1_795_199_400)
        var link = URL(string: "https://h/x")!
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
        var sort = Sort.byName
        var level = Level.low
        var data = Data([1, 2])
        var tags = ["x", "y"]
        var home = Home()
        var homes = [Home(city: "Ulm", zip: 1)]
        var missing: Int?
    }

    @Test func encodesMembersInTheirOrder() throws {
        let pairs = [
            "text=a b", "count=7", "big=18446744073709551615", "ratio=0.5", "isOpen=true", "start=2026-11-20T18:30:00Z",
            "link=https://h/x", "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "sort=by_name", "level=1", "data=AQI=",
            "tags[0]=x", "tags[1]=y", "home[city]=Bern", "homes[0][city]=Ulm", "homes[0][zip]=1",
        ]
        #expect(try query(Filter(), style: ParameterStyle(lists: .indexed)) == pairs.joined(separator: "&"))
    }

    @Test func encodesLargeIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *) else { return }
        struct Single: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(UInt128.max)
            }
        }
        struct Large: Encodable {
            var signed = Int128.min
            var unsigned = UInt128.max
            var list = [Int128.max]
            var single = Single()
        }
        let pairs = [
            "signed=-170141183460469231731687303715884105728", "unsigned=340282366920938463463374607431768211455",
            "list=170141183460469231731687303715884105727", "single=340282366920938463463374607431768211455",
        ]
        #expect(try query(Large()) == pairs.joined(separator: "&"))
    }

    @Test func encodesMembersIntoJSON() throws {
        let members = [
            #""text":"a b""#, #""count":7"#, #""big":18446744073709551615"#, #""ratio":0.5"#, #""isOpen":true"#,
            #""start":"2026-11-20T18:30:00Z""#, #""link":"https://h/x""#,
            #""id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""sort":"by_name""#, #""level":1"#, #""data":"AQI=""#,
            #""tags":["x","y"]"#, #""home":{"city":"Bern"}"#, #""homes":[{"city":"Ulm","zip":1}]"#,
        ]
        #expect(try json(Filter()) == "{\(members.joined(separator: ","))}")
    }

    @Test func datesFollowTheStyle() throws {
        struct Value: Encodable { var dates = [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)] }
        #expect(try query(Value(), style: ParameterStyle(dates: .secondsSince1970)) == "dates=1&dates=2")
    }

    @Test func codingKeysNameTheMembers() throws {
        struct Value: Encodable {
            var perPage = 7
            var hidden = 1
            enum CodingKeys: String, CodingKey { case perPage = "per_page" }
        }
        #expect(try query(Value()) == "per_page=7")
    }

    @Test func omitsNilMembersAndSendsExplicitNulls() throws {
        struct Value: Encodable {
            var left: Int?
            var right: Int?
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encodeIfPresent(left, forKey: .left)
                try container.encodeNil(forKey: .null)
                try container.encode(right, forKey: .right)
            }
            enum Keys: CodingKey { case left, null, right }
        }
        #expect(try json(Value()) == #"{"null":null,"right":null}"#)
        #expect(try query(Value(left: 1, right: 2)) == "left=1&null=&right=2")
        struct Holes: Encodable { var list: [Int?] = [1, nil, 3] }
        #expect(try json(Holes()) == #"{"list":[1,null,3]}"#)
    }

    // Its own encoder would not be asked.
    @Test func aJSONBodyIsNoParameters() throws {
        struct Edit: JSONBody { var title = "a" }
        #expect(try fault(Edit()).message.contains("Edit is a JSONBody: use .json(_:)"))
    }

    @Test func aValueWithoutMembersIsEmpty() throws {
        struct Empty: Encodable {}
        #expect(Parameters(encoding: Empty()).isEmpty)
        struct Value: Encodable { var inner = Empty() }
        #expect(try json(Value()) == #"{"inner":{}}"#)
    }

    // The wire is the same each time, also where the values are no ParameterValues.
    @Test func dictionariesAreSortedByKey() throws {
        struct Item: Encodable { var n = 1 }
        let names = (0..<40).map { "k\($0)" }
        let items = Dictionary(uniqueKeysWithValues: names.map { ($0, Item()) })
        #expect(try query(items) == names.sorted().map { "\($0)[n]=1" }.joined(separator: "&"))
    }

    @Test func aParameterValueIsWrittenAsItsNode() throws {
        struct Point: Encodable, ParameterValue {
            var x = 1
            var y = 2
            var parameterNode: Parameters.Node { "\(x),\(y)".parameterNode }
        }
        struct Value: Encodable { var point = Point() }
        #expect(try query(Value()) == "point=1,2")
    }

    @Test func aSingleValueIsWrittenAsItself() throws {
        struct Identifier: Encodable {
            var value: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
        }
        struct Value: Encodable { var id: Identifier?, ids = [Identifier(value: "b")] }
        #expect(try query(Value(id: Identifier(value: "a"))) == "id=a&ids=b")
    }

    @Test func enumsWithValuesAreObjects() throws {
        enum Shape: Encodable { case circle(radius: Int), none }
        struct Value: Encodable { var shape = Shape.circle(radius: 3) }
        #expect(try json(Value()) == #"{"shape":{"circle":{"radius":3}}}"#)
        #expect(try json(Value(shape: .none)) == #"{"shape":{"none":{}}}"#)
    }

    @Test func codingPathNamesThePlace() throws {
        struct Probe: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(encoder.codingPath.map(\.stringValue).joined(separator: "/"))
            }
        }
        struct Inner: Encodable { var path = Probe() }
        struct Value: Encodable { var inner = Inner() }
        #expect(try query(Value()) == "inner[path]=inner/path")
    }

    @Test func rejectsValuesWithoutNamedMembersAndInvalidNumbers() throws {
        struct Inner: Encodable { var ratio = Double.nan }
        struct Value: Encodable { var inner = Inner() }
        let faults = [try fault([1, 2]), try fault("text"), try fault(7), try fault(String?.none), try fault(Value())]
        for error in faults { #expect(error.code == .parameters) }
        #expect(try fault(["text"]).message.contains("Array<String>"))
        #expect(try fault(Value()).message.contains("ratio"))
    }

    @Test(arguments: [true, false]) func errorsNameTheTypeAndThePlaceAndHoldNoSecret(isCodingError: Bool) throws {
        struct Trouble: Error { var token = "hunter2", note = "broken" }
        struct Value: Encodable {
            var isCodingError: Bool
            func encode(to encoder: any Encoder) throws {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "is broken")
                if isCodingError { throw EncodingError.invalidValue("hunter2", context) }
                throw Trouble()
            }
        }
        struct Outer: Encodable { var login: Value }
        let error = try fault(Outer(login: Value(isCodingError: isCodingError)))
        #expect(error.code == .parameters)
        #expect(error.message.contains("Outer"))
        #expect(error.message.contains(isCodingError ? "login: is broken" : "broken"))
        #expect(!error.message.contains("hunter2"))
    }
}
