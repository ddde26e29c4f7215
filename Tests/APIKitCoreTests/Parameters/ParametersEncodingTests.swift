import APIKitCore
import Foundation
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
        let probe = WireProbe(parameters: Parameters(encoding: value))
        return try probe.fault()
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
        var tags = ["x", "y"]
        var home = Home()
        var homes = [Home(city: "Ulm", zip: 1)]
        var missing: Int?
    }

    @Test func encodesMembersInTheirOrder() throws {
        let pairs = [
            "text=a b", "count=7", "big=18446744073709551615", "ratio=0.5", "isOpen=true", "start=2026-11-20T18:30:00Z",
            "link=https://h/x", "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "sort=by_name", "level=1", "tags[0]=x",
            "tags[1]=y", "home[city]=Bern", "homes[0][city]=Ulm", "homes[0][zip]=1",
        ]
        #expect(try query(Filter(), style: ParameterStyle(lists: .indexed)) == pairs.joined(separator: "&"))
    }

    @Test func encodesMembersIntoJSON() throws {
        let members = [
            #""text":"a b""#, #""count":7"#, #""big":18446744073709551615"#, #""ratio":0.5"#, #""isOpen":true"#,
            #""start":"2026-11-20T18:30:00Z""#, #""link":"https://h/x""#,
            #""id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""sort":"by_name""#, #""level":1"#, #""tags":["x","y"]"#,
            #""home":{"city":"Bern"}"#, #""homes":[{"city":"Ulm","zip":1}]"#,
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
        let numbers = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try query(numbers) == names.sorted().map { "\($0)=1" }.joined(separator: "&"))
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

    private enum Keys: CodingKey { case a, b, c, d }

    @Test func nestedContainersCanBeFilledLater() throws {
        struct Value: Encodable {
            func encode(to encoder: any Encoder) throws {
                var root = encoder.container(keyedBy: Keys.self)
                var inner = root.nestedContainer(keyedBy: Keys.self, forKey: .a)
                var list = root.nestedUnkeyedContainer(forKey: .b)
                try root.encode(1, forKey: .c)
                try inner.encode(2, forKey: .d)
                try list.encode(3)
                try list.encodeNil()
                var deep = list.nestedContainer(keyedBy: Keys.self)
                var deepList = list.nestedUnkeyedContainer()
                try deepList.encode(contentsOf: [5, 6])
                try deep.encode(4, forKey: .a)
                #expect(list.count == 4)
            }
        }
        #expect(try json(Value()) == #"{"a":{"d":2},"b":[3,null,{"a":4},[5,6]],"c":1}"#)
    }

    @Test func superEncodersWriteToTheirKeys() throws {
        struct Base: Encodable { var x = 1 }
        struct Value: Encodable {
            func encode(to encoder: any Encoder) throws {
                var root = encoder.container(keyedBy: Keys.self)
                try Base().encode(to: root.superEncoder())
                try Base().encode(to: root.superEncoder(forKey: .a))
                var list = root.nestedUnkeyedContainer(forKey: .b)
                try Base().encode(to: list.superEncoder())
            }
        }
        #expect(try json(Value()) == #"{"super":{"x":1},"a":{"x":1},"b":[{"x":1}]}"#)
    }

    // Two containers of one encoder are one object: flattened members, and classes that call `super.encode(to:)`.
    @Test func membersFromSeveralContainersOfOneEncoderAreKept() throws {
        struct Paging: Encodable { var page = 2 }
        struct Value: Encodable {
            func encode(to encoder: any Encoder) throws {
                try Paging().encode(to: encoder)
                var root = encoder.container(keyedBy: Keys.self)
                try root.encode("x", forKey: .a)
            }
        }
        #expect(try query(Value()) == "page=2&a=x")
        class Base: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(1, forKey: .a)
            }
        }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(2, forKey: .b)
            }
        }
        #expect(try json(Derived()) == #"{"a":1,"b":2}"#)
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

    @Test func rejectsValuesWithoutNamedMembers() throws {
        for error in [try fault([1, 2]), try fault("text"), try fault(7), try fault(String?.none)] {
            #expect(error.code == .parameters)
        }
        #expect(try fault(["text"]).message.contains("Array<String>"))
    }

    @Test func errorsNameTheInvalidNumber() throws {
        struct Inner: Encodable { var ratio = Double.nan }
        struct Value: Encodable { var inner = Inner() }
        let error = try fault(Value())
        #expect(error.code == .parameters)
        #expect(error.message.contains("ratio"))
    }

    @Test func errorsNameTheTypeAndHoldNoSecret() throws {
        struct Trouble: Error { var token = "hunter2", note = "broken" }
        struct Value: Encodable { func encode(to encoder: any Encoder) throws { throw Trouble() } }
        struct Outer: Encodable { var value = Value() }
        let error = try fault(Outer())
        #expect(error.code == .parameters)
        #expect(error.message.contains("Outer"))
        #expect(error.message.contains("broken"))
        #expect(!error.message.contains("hunter2"))
    }

    @Test func encodingErrorsNameTheirPlaceAndHoldNoValue() throws {
        struct Value: Encodable {
            var password = "hunter2"
            func encode(to encoder: any Encoder) throws {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "is too short")
                throw EncodingError.invalidValue(password, context)
            }
        }
        struct Outer: Encodable { var login = Value() }
        let error = try fault(Outer())
        #expect(error.message.contains("login: is too short"))
        #expect(!error.message.contains("hunter2"))
    }
}
