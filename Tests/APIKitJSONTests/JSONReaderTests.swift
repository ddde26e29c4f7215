import APIKitJSON
import Foundation
import Testing

/// The differences from `JSONDecoder` that the documentation names, and what random values would not show.
@Suite struct JSONReaderTests {
    private struct One: Decodable, Equatable { let a: Int }

    private struct Accented: Decodable {
        let accent: Int
        enum CodingKeys: String, CodingKey { case accent = "\u{E9}" }
    }

    private struct Names: Decodable {
        let names: [String]
        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }

    // MARK: - Differences

    @Test(arguments: [
        #"{"a":1,"b":"\x"}"#, #"{"a":1,"b":"\ud800"}"#, "{\"a\":1,\"b\":\"\t\"}", #"{"a":1,"b":01}"#,
        #"{"b":[1.e],"a":1}"#, #"{"a":1,}"#,
    ]) func checksAllOfTheText(_ text: String) throws {
        let data = Data(text.utf8)
        #expect(try JSONDecoder().decode(One.self, from: data) == One(a: 1))
        #expect(throws: DecodingError.self) { try JSONReader().decode(One.self, from: data) }
    }

    @Test func refusesCommaAfterLastElement() throws {
        let data = Data("[1,]".utf8)
        #expect(try JSONDecoder().decode([Int].self, from: data) == [1])
        #expect(throws: DecodingError.self) { try JSONReader().decode([Int].self, from: data) }
    }

    @Test func refusesUTF16() throws {
        let data = Data("[1]".utf8.flatMap { [$0, 0] })
        #expect(try JSONDecoder().decode([Int].self, from: data) == [1])
        #expect(throws: DecodingError.self) { try JSONReader().decode([Int].self, from: data) }
    }

    @Test func saysWhichNumberDoesNotFit() {
        let data = Data(#"{"a":{"b":[1,300]}}"#.utf8)
        let outcomes = [
            Outcome { try JSONDecoder().decode([String: [String: [Int8]]].self, from: data) },
            Outcome { try JSONReader().decode([String: [String: [Int8]]].self, from: data) },
        ]
        let paths = outcomes.map { outcome -> [String]? in
            if case .failure(let failure) = outcome { failure.path } else { nil }
        }
        let expected: [[String]?] = [[], ["a", "b", "Index 1"]]
        #expect(paths == expected)
    }

    @Test(arguments: ["{\"e\u{301}\":1}", #"{"e\u0301":1}"#]) func comparesNamesByTheirBytes(_ text: String) throws {
        let data = Data(text.utf8)
        #expect(try JSONDecoder().decode(Accented.self, from: data).accent == 1)
        #expect(throws: DecodingError.self) { try JSONReader().decode(Accented.self, from: data) }
        #expect(try JSONReader().decode(Accented.self, from: Data("{\"\u{E9}\":1}".utf8)).accent == 1)
    }

    @Test(arguments: [4, 40]) func listsKeysInTheOrderOfTheText(count: Int) throws {
        let names = (0..<count).map { "\(($0 * 7) % count)" }
        let text = names.map { "\"\($0)\":[{}]" }.joined(separator: ",")
        #expect(try JSONReader().decode(Names.self, from: Data("{\(text)}".utf8)).names == names)
    }

    @Test func readsIntegersExactlyHoweverTheyAreWritten() throws {
        let text = "[9223372036854775807.0,-92233720368547758080e-1,90071992547409930e-1]"
        let numbers = try JSONReader().decode([Int].self, from: Data(text.utf8))
        #expect(numbers == [Int.max, Int.min, 9_007_199_254_740_993])
        #expect(throws: DecodingError.self) { try JSONReader().decode(Int.self, from: Data("9007199254740993.5".utf8)) }
        #expect(try JSONReader().decode([Double].self, from: Data("[0e1,0.00e12]".utf8)) == [0, 0])
    }

    // MARK: - Keys with quotes

    private static let textsWithQuotes: [(text: String, key: String)] = [
        (#"{"a":"b"}"#, #"a":"b"#), (#"{"a":1,"b":2}"#, #"a":1,"b"#), (#"{"a":{"b":1}}"#, #"a":{"b"#),
        (#"{"a":null,"b":"c"}"#, #"b":"c"#), (#"{"a_b":"c"}"#, #"a_b":"c"#), (#"{"a":1,"a":"b"}"#, #"a":"b"#),
    ]

    /// A key with a quote, which no name without escapes can be, is not the text from one name into the next.
    @Test(arguments: textsWithQuotes, [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase])
    func keyWithQuoteIsOnlyFoundAsName(sample: (text: String, key: String), keys: JSONDecoder.KeyDecodingStrategy)
        throws
    {
        var reader = JSONReader(keys: keys)
        reader.userInfo[Containing.key] = sample.key
        #expect(try !reader.decode(Containing.self, from: Data(sample.text.utf8)).contains)
        let name = try String(decoding: JSONEncoder().encode(sample.key), as: UTF8.self)
        let text = "{\(name): 0, \(sample.text.dropFirst())"
        #expect(try reader.decode(Containing.self, from: Data(text.utf8)).contains)
    }

    /// Whether an object has a member.
    private struct Containing: Decodable {
        let contains: Bool

        init(from decoder: any Decoder) throws {
            let key = Name(decoder.userInfo[Self.key] as? String ?? "")
            contains = try decoder.container(keyedBy: Name.self).contains(key)
        }

        static let key = CodingUserInfoKey(rawValue: "key")!
    }

    /// A user's name that looks like a member does not give them the role of somebody else.
    @Test func keyFromDataFindsNoMemberThatItOnlyBeginsWith() throws {
        struct Directory: Decodable {
            let role: String?

            init(from decoder: any Decoder) throws {
                let members = try decoder.container(keyedBy: Name.self)
                let user = try members.decode(String.self, forKey: Name("user"))
                let roles = try members.nestedContainer(keyedBy: Name.self, forKey: Name("roles"))
                role = try roles.decodeIfPresent(String.self, forKey: Name(user))
            }
        }
        let text = #"{"user": "bob\":\"admin", "roles": {"bob":"admin"}}"#
        #expect(try JSONReader().decode(Directory.self, from: Data(text.utf8)).role == nil)
    }

    // MARK: - As JSONDecoder

    @Test func valueOfRepeatedNameIsReadOnlyWithKeyStrategy() throws {
        let data = Data(#"{"a":1,"a":"x"}"#.utf8)
        let decoder = JSONDecoder()
        #expect(try decoder.decode([String: Int].self, from: data) == ["a": 1])
        #expect(try JSONReader().decode([String: Int].self, from: data) == ["a": 1])
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: data) }
        let reader = JSONReader(keys: .convertFromSnakeCase)
        #expect(throws: DecodingError.self) { try reader.decode([String: Int].self, from: data) }
    }

    @Test(arguments: ["_0", "__0", "__", "_", "a_", "_a_b", "__a_b_"])
    func underscoresAroundSnakeCaseAreKept(name: String) throws {
        struct Model: Decodable, Equatable {
            enum CodingKeys: String, CodingKey {
                case zero = "_0", mark = "_", letter = "a_", word = "_aB", words = "__aB_"
            }
            var zero, mark, letter, word, words: Int?
        }
        let data = Data(#"{"\#(name)": 1}"#.utf8)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            try JSONReader(keys: .convertFromSnakeCase).decode(Model.self, from: data)
                == decoder.decode(Model.self, from: data))
    }

    // MARK: - Acronyms in snake case

    /// A model that reads one key.
    private struct Single: Decodable, Equatable {
        let value: Int?

        init(from decoder: any Decoder) throws {
            let key = Name(decoder.userInfo[Self.key] as? String ?? "")
            let container = try decoder.container(keyedBy: Name.self)
            value = try container.decodeIfPresent(Int.self, forKey: key)
            #expect(container.contains(key) == (value != nil))
        }

        static let key = CodingUserInfoKey(rawValue: "key")!

        static func value(_ key: String, in text: String) throws -> Int? {
            var reader = JSONReader(keys: .convertFromSnakeCase)
            reader.userInfo[Self.key] = key
            return try reader.decode(Self.self, from: Data(text.utf8)).value
        }
    }

    /// Members that do not change what a key finds, but how it is found.
    private static let surroundings = [
        "", #", "A b": 0"#, #", "\u0061b": 0"#, #", "zz": 0, "z_z": 0"#, #", "zz": 0, "zz": 0"#,
        (0..<100).map { #", "n_\#($0)": 0"# }.joined(),
        (0..<100).map { #", "n_\#($0)": 0"# }.joined() + #", "B": 0"#,
    ]

    @Test(arguments: surroundings)
    func acronymsOfKeysMayBeInCapitals(others: String) throws {
        for (key, name) in [
            ("avatarURL", "avatar_url"), ("avatarUrl", "avatar_url"), ("userID", "user_id"), ("userIDs", "user_ids"),
            ("htmlURLString", "html_url_string"), ("htmlUrlString", "html_url_string"), ("_aURL_", "_a_url_"),
            ("threeDS2Data", "three_ds2_data"), ("publicIPv4", "public_ipv4"), ("pageOfURLs", "page_of_urls"),
            ("avatarURL", #"\u0061vatar_url"#), ("avatarURL", "Avatar_url"),
        ] as [(String, String)] {
            for text in [#"{"\#(name)": 1\#(others)}"#, #"{"x": 0\#(others), "\#(name)": 1}"#] {
                #expect(try Single.value(key, in: text) == 1, "\(key) in \(text)")
            }
        }
    }

    @Test(arguments: surroundings)
    func onlyLettersAfterCapitalsMayBeCapitals(others: String) throws {
        for (key, name) in [
            ("avatarurl", "avatar_url"), ("avataRUrl", "avatar_url"), ("AVATARURL", "avatar_url"),
            ("avatarUrL", "avatar_url"), ("URL", "url"), ("avatarURLs", "avatar_url"), ("avatarUR", "avatar_url"),
            ("avatar_URL", "avatar_url"), ("html_urlString", "html_url_string"), ("a_b", "ab"), ("a__b", "a_b"),
        ] as [(String, String)] {
            #expect(try Single.value(key, in: #"{"\#(name)": 1\#(others)}"#) == nil, "\(key), \(name)")
        }
    }

    @Test(arguments: surroundings)
    func keyThatIsTheNameItselfIsFound(others: String) throws {
        for name in ["avatar_url", "_a_b", "line_1", "image_60x60", "a__b", "Foo_Bar"] {
            #expect(try Single.value(name, in: #"{"\#(name)": 1\#(others)}"#) == 1, "\(name)")
        }
    }

    /// Whether names are converted byte by byte or by Foundation's functions, they become the same.
    @Test func namesAreConvertedAsJSONDecoderDoes() throws {
        var random = SplitMix(seed: 46)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        for characters in ["ab_", "aB_1", "_", "ABc__9", "a_é", "ß_İ'", "a_.-Z"].map(Array.init) {
            for _ in 0..<200 {
                let length = Int.random(in: 0...9, using: &random)
                let name = String((0..<length).map { _ in characters.randomElement(using: &random)! })
                let text = Data("{\"\(name)\": 0}".utf8)
                let names = try JSONReader(keys: .convertFromSnakeCase).decode(Names.self, from: text).names
                #expect(try names == decoder.decode(Names.self, from: text).names, "\(name)")
            }
        }
    }

    @Test(arguments: surroundings)
    func convertedKeyPrecedesAcronyms(others: String) throws {
        for members in [#""avatarURL": 1, "avatar_url": 2"#, #""avatar_url": 2, "avatarURL": 1"#] {
            #expect(try Single.value("avatarURL", in: "{\(members)\(others)}") == 1)
            #expect(try Single.value("avatarUrl", in: "{\(members)\(others)}") == 2)
        }
        // The first of several counts.
        #expect(try Single.value("aBC", in: #"{"a_bc": 1, "a_b_c": 2\#(others)}"#) == 2)
        #expect(try Single.value("aBCd", in: #"{"ab_cd": 1, "a_bcd": 2, "a_bcd": 3\#(others)}"#) == 2)
        #expect(try Single.value("avatarURL", in: #"{"avatar_URL": 1, "x": 2\#(others)}"#) == 1)
    }

    @Test func memberThatOnlyAnAcronymFindsMustFitItsOptional() throws {
        struct Model: Decodable { let imageURL: String? }
        let text = Data(#"{"image_url": {}}"#.utf8)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Model.self, from: text).imageURL == nil)
        #expect(throws: DecodingError.self) {
            try JSONReader(keys: .convertFromSnakeCase).decode(Model.self, from: text)
        }
    }

    /// `aaaaaaaaaaurl` with underscores after the letters where a number's bits are 1.
    private static func nameOfTheSameLetters(_ number: Int) -> String {
        (0..<10).map { number >> $0 & 1 == 1 ? "a_" : "a" }.joined() + "url"
    }

    @Test(arguments: [1, 31, 32, 33, 511])
    func acronymIsFoundAmongNamesOfTheSameLetters(count: Int) throws {
        let others = (1...count).map { "\"\(Self.nameOfTheSameLetters($0))\": 0, " }.joined()
        for key in ["aaaaaaaaaaURL", "aaaaaaaaaaUrl", "aaaaaaaaaa_url"] {
            #expect(try Single.value(key, in: #"{\#(others)"aaaaaaaaaa_url": 1}"#) == 1, "\(key)")
        }
    }

    @Test func namesThatAreDataAreNotConverted() throws {
        struct Model: Decodable, Equatable {
            let byUserID: [String: [String: Int]]
            let rawJSON: Anything
        }
        let text = #"{"by_user_id": {"a_b": {"x_url": 1}}, "raw_json": {"c_d": {"e_url": 1}}}"#
        let model = try JSONReader(keys: .convertFromSnakeCase).decode(Model.self, from: Data(text.utf8))
        #expect(model.byUserID == ["a_b": ["x_url": 1]])
        #expect(model.rawJSON == .object(["c_d": .object(["e_url": .number(1)])]))
    }

    @Test func listsKeysAsTheyAreConverted() throws {
        let text = #"{"avatar_url": 0, "avatarURL": 0, "A": 0, "avatar_url": 0}"#
        let names = try JSONReader(keys: .convertFromSnakeCase).decode(Names.self, from: Data(text.utf8)).names
        #expect(names == ["avatarUrl", "avatarURL", "A"])
    }

    @Test func escapedTextIsNotANumber() throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let reader = JSONReader(nonConformingFloats: decoder.nonConformingFloatDecodingStrategy)
        let plain = Data(#"["inf"]"#.utf8)
        #expect(try reader.decode([Double].self, from: plain) == decoder.decode([Double].self, from: plain))
        let escaped = Data(#"["\u0069nf"]"#.utf8)
        #expect(throws: DecodingError.self) { try decoder.decode([Double].self, from: escaped) }
        #expect(throws: DecodingError.self) { try reader.decode([Double].self, from: escaped) }
    }

    // MARK: - Subclasses

    private class Person: Decodable {
        let name: String
    }

    private final class Employee: Person {
        let salary: Int

        private enum CodingKeys: CodingKey { case salary }

        required init(from decoder: any Decoder) throws {
            salary = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .salary)
            try super.init(from: decoder)
        }
    }

    /// Decodes the class that is passed from every kind of container, as its superclass.
    private struct Staff: Decodable {
        var people: [Person?] = []

        init(from decoder: any Decoder) throws {
            let type: Person.Type = Employee.self
            var list = try decoder.unkeyedContainer()
            people.append(try list.decode(type))
            people.append(try list.decodeIfPresent(type))
            let members = try list.nestedContainer(keyedBy: Name.self)
            people.append(try members.decode(type, forKey: Name("a")))
            people.append(try members.decodeIfPresent(type, forKey: Name("a")))
            people.append(try members.superDecoder(forKey: Name("a")).singleValueContainer().decode(type))
        }
    }

    @Test func readsClassThatIsPassed() throws {
        let one = #"{"name":"Ada","salary":3}"#
        let person = try JSONReader().decode(Employee.self as Person.Type, from: Data(one.utf8))
        #expect((person as? Employee)?.salary == 3)
        // Of members, the standard library asks for the static type.
        let data = Data("[\(one),\(one),{\"a\":\(one)}]".utf8)
        let salaries = [3, 3, nil, nil, 3]
        #expect(try JSONReader().decode(Staff.self, from: data).people.map { ($0 as? Employee)?.salary } == salaries)
        #expect(try JSONDecoder().decode(Staff.self, from: data).people.map { ($0 as? Employee)?.salary } == salaries)
    }

    // MARK: - Dates

    /// Days before and after those from which `Date` and Unix count, and offsets.
    @Test(
        arguments: [
            ("2026-11-20T18:30:00", "Z"), ("2000-12-31T23:59:59", "Z"), ("1999-03-01T00:00:01", "+05:30"),
            ("1969-12-31T23:59:59", "-08:00"), ("1850-01-01T12:00:00", "Z"), ("9999-12-31T23:59:59", "+02:00"),
        ] as [(String, String)])
    func fractionsOfSecondsEqualThoseOfJSONDecoder(time: String, offset: String) throws {
        let texts = (0..<1000).map { millisecond in
            "\(time).\(String(millisecond + 1000).dropFirst())\(offset)"
        }
        let json = try JSONEncoder().encode(texts)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try JSONReader().decode([Date].self, from: json) == decoder.decode([Date].self, from: json))
    }

    @Test func yearOneIsThatOfTheGregorianCalendar() throws {
        let json = Data(#"["0001-01-01T00:00:00Z"]"#.utf8)
        let date = try JSONReader().decode([Date].self, from: json)[0]
        #expect(date.timeIntervalSince(.distantPast) == 2 * 86_400)
    }

    // MARK: - Errors

    /// What is caught at the end of an array.
    private struct AtEnd: Decodable, Equatable {
        var types: [String] = [], paths: [[String]] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { _ = try list.decode(Int.self) }
            note { _ = try list.decodeNil() }
            note { _ = try list.decode(Int.self) }
            note { _ = try list.nestedContainer(keyedBy: Name.self) }
            note { _ = try list.superDecoder() }
        }

        private mutating func note(_ decode: () throws -> Void) {
            do {
                try decode()
            } catch DecodingError.valueNotFound(let type, let context) {
                types.append("\(type)")
                paths.append(context.codingPath.map(\.stringValue))
            } catch {}
        }
    }

    @Test func arrayAtItsEndFailsAsJSONDecoder() throws {
        let data = Data("[[],[1]]".utf8)
        let ends = try JSONReader().decode([AtEnd].self, from: data)
        #expect(try ends == JSONDecoder().decode([AtEnd].self, from: data))
        #expect(ends[1].paths == Array(repeating: ["Index 1", "Index 1"], count: 4))
    }

    /// Reads members and elements backwards by wrong types, and notes what it catches.
    private struct Backwards: Decodable, Equatable {
        var failures: [String] = []

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            var decoders: [any Decoder] = []
            for key in members.allKeys.sorted(by: { $0.stringValue > $1.stringValue }) {
                note { _ = try members.decode(Bool.self, forKey: key) }
                note { _ = try members.decode([String: Bool].self, forKey: key) }
                note { _ = try members.nestedContainer(keyedBy: Name.self, forKey: key).decode(Int.self, forKey: key) }
                if var list = try? members.nestedUnkeyedContainer(forKey: key) {
                    while !list.isAtEnd { decoders.append(try list.superDecoder()) }
                }
            }
            for decoder in decoders.reversed() {
                note { _ = try Bool(from: decoder) }
                note { _ = try [Bool](from: decoder) }
                note { _ = try [String: Int8](from: decoder) }
            }
        }

        private mutating func note(_ decode: () throws -> Void) {
            if case .failure(let failure) = Outcome<Bool>({
                try decode(); return true
            }) {
                failures.append(([failure.kind] + failure.path).joined(separator: "/"))
            }
        }
    }

    @Test func caughtErrorsHaveTheirPaths() throws {
        let data = Data(
            #"[{"a":{"b":true,"d":[2]},"b":[true,"x",{"c":"z"},[[],false,7]],"c":3,"d":{"x":{}}},{"b":["y"]}]"#.utf8)
        let read = try JSONReader().decode([Backwards].self, from: data)
        let expected = try JSONDecoder().decode([Backwards].self, from: data)
        #expect(read == expected)
        #expect(read[0].failures.contains("typeMismatch/Index 0/b/Index 1"))
    }

    @Test func errorOfNumberNamesNumberAndType() throws {
        struct Twice: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(Int16.self)) == nil { _ = try container.decode(Int8.self) }
                _ = try container.decode(Int8.self)
            }
        }
        let outcome = Outcome<Bool> {
            _ = try JSONReader().decode([String: Twice].self, from: Data(#"{"a":70000}"#.utf8))
            return true
        }
        guard case .failure(let failure) = outcome else { throw CocoaError(.featureUnsupported) }
        #expect(failure.path == ["a"])
        #expect(failure.text == "the number 70000 does not fit Int8")
    }

    @Test func keyOfDictionaryIsNameInPath() throws {
        let data = Data(#"{"1":"a"}"#.utf8)
        func number(_ decode: () throws -> [String: Int]) -> Int?? {
            do {
                _ = try decode()
                return nil
            } catch DecodingError.typeMismatch(_, let context) {
                return context.codingPath.last.map(\.intValue)
            } catch {
                return nil
            }
        }
        #expect(number { try JSONDecoder().decode([String: Int].self, from: data) } == .some(1))
        #expect(number { try JSONReader().decode([String: Int].self, from: data) } == .some(nil))
    }
}
