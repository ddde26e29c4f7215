import APIKitJSON
import Foundation
import Testing

@Suite struct TaggedUnionTests {
    struct Cat: Codable, Hashable, Sendable {
        var name: String
        var lives: Int?
    }

    struct Dog: Codable, Hashable, Sendable {
        var kind = "dog"
        var barkVolume: Int
    }

    enum Pet: TaggedUnion, Hashable {
        case cat(Cat)
        case dog(Dog)
        case fish(age: Int, color: String?)
        case stone

        static var tagName: String { "kind" }
    }

    /// A union that keeps what it does not know.
    enum OpenPet: TaggedUnion, Hashable {
        case cat(Cat)
        case other(JSONValue)

        static var tagName: String { "kind" }
        static var unknownCase: String? { "other" }
    }

    enum EnvelopedPet: TaggedUnion, Hashable {
        case cat(Cat)
        case name(String, id: Int)
        case ages([Int]?)
        case stone
        case other(JSONValue)

        static var tagName: String { "kind" }
        static var contentName: String? { "value" }
        static var unknownCase: String? { "other" }
    }

    enum Decoding: CaseIterable {
        case reader, decoder

        func decode<T: Decodable>(_ type: T.Type, _ text: String, isSnakeCase: Bool = false) throws -> T {
            let data = Data(text.utf8)
            let keys: JSONDecoder.KeyDecodingStrategy = isSnakeCase ? .convertFromSnakeCase : .useDefaultKeys
            switch self {
            case .reader: return try JSONReader(keys: keys).decode(type, from: data)
            case .decoder:
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = keys
                return try decoder.decode(type, from: data)
            }
        }

        /// Decodes what must fail, and returns the error.
        func error<T: Decodable>(_ type: T.Type, _ text: String) throws -> Failure {
            let error = #expect(throws: DecodingError.self) { try decode(type, text) }
            return try Failure(#require(error))
        }
    }

    /// The kind of an error, the names and indexes of its path, and its text.
    struct Failure {
        let kind: String
        let path: [String]
        let text: String

        init(_ error: DecodingError) {
            func path(_ context: DecodingError.Context) -> [String] {
                context.codingPath.map { $0.intValue?.description ?? $0.stringValue }
            }
            switch error {
            case .keyNotFound(let key, let context):
                (kind, self.path, text) = ("missing", path(context) + [key.stringValue], context.debugDescription)
            case .typeMismatch(let type, let context):
                (kind, self.path, text) = ("not \(type)", path(context), context.debugDescription)
            case .valueNotFound(let type, let context):
                (kind, self.path, text) = ("null, not \(type)", path(context), context.debugDescription)
            case .dataCorrupted(let context):
                (kind, self.path, text) = ("corrupted", path(context), context.debugDescription)
            @unknown default: (kind, self.path, text) = ("unknown", [], "")
            }
        }
    }

    private func text(_ value: some Encodable, isSnakeCase: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if isSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    // MARK: - Reading and writing

    static let pets: [(json: String, pet: Pet)] = [
        (#"{"kind":"cat","lives":9,"name":"Tom"}"#, .cat(Cat(name: "Tom", lives: 9))),
        (#"{"barkVolume":3,"kind":"dog"}"#, .dog(Dog(barkVolume: 3))),
        (#"{"age":3,"color":"red","kind":"fish"}"#, .fish(age: 3, color: "red")),
        (#"{"age":3,"kind":"fish"}"#, .fish(age: 3, color: nil)),
        (#"{"kind":"stone"}"#, .stone),
    ]

    @Test(arguments: pets)
    func tagNamesTheCase(json: String, pet: Pet) throws {
        for decoding in Decoding.allCases {
            #expect(try decoding.decode(Tagged<Pet>.self, json).value == pet)
        }
        #expect(try text(Tagged(pet)) == json)
    }

    @Test func taggedValuesAreElementsAndMembers() throws {
        struct Owner: Codable, Hashable {
            var pets: [Tagged<Pet>]
            var first: Tagged<Pet>?
            var byName: [String: Tagged<Pet>]
        }
        let cat = Tagged(Pet.cat(Cat(name: "Tom")))
        let owner = Owner(pets: [cat, Tagged(.stone)], byName: ["theCat": cat])
        let json =
            #"{"byName":{"theCat":{"kind":"cat","name":"Tom"}},"pets":[{"kind":"cat","name":"Tom"},{"kind":"stone"}]}"#
        for decoding in Decoding.allCases { #expect(try decoding.decode(Owner.self, json) == owner) }
        #expect(try text(owner) == json)
    }

    @Test(arguments: Decoding.allCases)
    func tagMayComeLast(decoding: Decoding) throws {
        let pet = try decoding.decode(Tagged<Pet>.self, #"{"more": [1], "name": "Tom", "kind": "cat"}"#)
        #expect(pet.value == .cat(Cat(name: "Tom")))
    }

    @Test func memberOfTheTagsNameHasTheTagOfTheCase() throws {
        #expect(try text(Tagged(Pet.dog(Dog(kind: "wolf", barkVolume: 1)))) == #"{"barkVolume":1,"kind":"dog"}"#)
    }

    @Test func tagsAreRenamedByCodingKeys() throws {
        enum Shape: TaggedUnion, Hashable {
            case circle(radius: Double)
            case square(side: Double)

            enum CodingKeys: String, CodingKey { case circle = "shape.circle", square = "shape.square" }
            enum SquareCodingKeys: String, CodingKey { case side = "side_length" }
            static var tagName: String { "type" }
        }
        let json = #"[{"radius":1.5,"type":"shape.circle"},{"side_length":2,"type":"shape.square"}]"#
        let shapes = [Tagged(Shape.circle(radius: 1.5)), Tagged(.square(side: 2))]
        for decoding in Decoding.allCases { #expect(try decoding.decode([Tagged<Shape>].self, json) == shapes) }
        #expect(try text(shapes) == json)
    }

    @Test func integersAreTags() throws {
        enum Event: TaggedUnion, Hashable {
            case started(at: Int)
            case ended

            enum CodingKeys: Int, CodingKey { case started = 10, ended = 11 }
            static var tagName: String { "op" }
        }
        let json = #"[{"at":5,"op":10},{"op":11}]"#
        let events = [Tagged(Event.started(at: 5)), Tagged(.ended)]
        for decoding in Decoding.allCases {
            #expect(try decoding.decode([Tagged<Event>].self, json) == events)
            let failure = try decoding.error(Tagged<Event>.self, #"{"op": 12}"#)
            #expect(failure.text == #"the tag "op" is 12, which is not a case of Event"#)
            // It would be written as 11.
            let name = try decoding.error(Tagged<Event>.self, #"{"op": "ended"}"#)
            #expect(name.text == #"the tag "op" is "ended", which is not a case of Event"#)
        }
        #expect(try text(events) == json)
    }

    @Test func keyStrategiesConvertTheTagsNameAndNotTheTag() throws {
        enum Step: TaggedUnion, Hashable {
            case firstStep(Dog)

            static var tagName: String { "stepType" }
        }
        let json = #"{"bark_volume":1,"kind":"dog","step_type":"firstStep"}"#
        let step = Tagged(Step.firstStep(Dog(barkVolume: 1)))
        for decoding in Decoding.allCases {
            #expect(try decoding.decode(Tagged<Step>.self, json, isSnakeCase: true) == step)
        }
        #expect(try text(step, isSnakeCase: true) == json)
    }

    @Test func propertyListsHaveTagsToo() throws {
        let pets = Self.pets.map { Tagged($0.pet) }
        let data = try PropertyListEncoder().encode(pets)
        #expect(try PropertyListDecoder().decode([Tagged<Pet>].self, from: data) == pets)
    }

    @Test(arguments: Decoding.allCases)
    func unionsAreNested(decoding: Decoding) throws {
        enum Shark: TaggedUnion, Hashable {
            case saw(teeth: Int)

            static var tagName: String { "sharkType" }
        }
        enum Fish: TaggedUnion, Hashable {
            case shark(Tagged<Shark>)

            static var tagName: String { "kind" }
        }
        let json = #"{"kind":"shark","sharkType":"saw","teeth":40}"#
        let fish = Tagged(Fish.shark(Tagged(.saw(teeth: 40))))
        #expect(try decoding.decode(Tagged<Fish>.self, json) == fish)
        #expect(try text(fish) == json)
    }

    @Test(arguments: Decoding.allCases)
    func valuesOfOtherTypesAreRead(decoding: Decoding) throws {
        enum Item: TaggedUnion, Hashable {
            case counts([String: JSONValue])
            case maybe(Cat?)

            static var tagName: String { "kind" }
        }
        let counts = try decoding.decode(Tagged<Item>.self, #"{"kind": "counts", "a_b": 1}"#, isSnakeCase: true)
        #expect(counts.value == .counts(["a_b": 1]))
        #expect(try text(counts) == #"{"a_b":1,"kind":"counts"}"#)
        let maybe = try decoding.decode(Tagged<Item>.self, #"{"kind": "maybe", "name": "Tom"}"#)
        #expect(maybe.value == .maybe(Cat(name: "Tom")))
        #expect(try text(Tagged(Item.maybe(nil))) == #"{"kind":"maybe"}"#)
    }

    // MARK: - Names that are data

    enum Event: TaggedUnion, Hashable {
        case labels([String: String])
        case json(JSONValue)
        case dates([String: Date])
        case counts([String: Int], userId: Int)
        case wrapped(Wrapped)
        case inner(Tagged<InnerEvent>)
        case list([String: [Tagged<InnerEvent>]])
        case model(Dog)

        static var tagName: String { "event_type" }
    }

    enum InnerEvent: TaggedUnion, Hashable {
        case labels([String: String])
        case other(JSONValue)

        static var tagName: String { "kind" }
        static var unknownCase: String? { "other" }
    }

    /// A value that encodes another one as itself.
    struct Wrapped: Codable, Hashable, Sendable {
        var labels: [String: String]
        init(_ labels: [String: String]) { self.labels = labels }
        init(from decoder: any Decoder) throws {
            labels = try decoder.singleValueContainer().decode([String: String].self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(labels)
        }
    }

    static let events: [(json: String, event: Event)] = [
        (#"{"event_type":"labels","userId":"a"}"#, .labels(["userId": "a"])),
        (#"{"event_type":"labels"}"#, .labels([:])),
        (
            #"{"event_type":"json","isNil":null,"userId":{"lastName":[1,{"firstName":"a"}]}}"#,
            .json(["isNil": .null, "userId": ["lastName": [1, ["firstName": "a"]]]])
        ),
        (#"{"event_type":"json"}"#, .json([:])),
        (#"{"event_type":"dates","lastLogin":7}"#, .dates(["lastLogin": Date(timeIntervalSince1970: 7)])),
        (#"{"event_type":"inner","kind":"labels","userId":"a"}"#, .inner(Tagged(.labels(["userId": "a"])))),
        (#"{"event_type":"inner","kind":"new","userId":"a"}"#, .inner(Tagged(.other(["kind": "new", "userId": "a"])))),
        (
            #"{"event_type":"list","theList":[{"kind":"labels","userId":"a"},{"kind":"new","userId":1}]}"#,
            .list(["theList": [Tagged(.labels(["userId": "a"])), Tagged(.other(["kind": "new", "userId": 1]))]])
        ),
        (#"{"bark_volume":1,"event_type":"model","kind":"dog"}"#, .model(Dog(barkVolume: 1))),
    ]

    @Test(arguments: events)
    func namesOfADictionaryBesideTheTagAreKept(json: String, event: Event) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        #expect(String(decoding: try encoder.encode([Tagged(event)]), as: UTF8.self) == "[\(json)]")

        let reader = JSONReader(keys: .convertFromSnakeCase, dates: .secondsSince1970)
        #expect(try reader.decode([Tagged<Event>].self, from: Data("[\(json)]".utf8)) == [Tagged(event)])
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        // With a key strategy, `JSONDecoder` would find only a tag that is written `eventType` in code.
        if case .model = event { return }
        #expect(try decoder.decode([Tagged<Event>].self, from: Data("[\(json)]".utf8)) == [Tagged(event)])
    }

    @Test func namesOfADictionaryInAWrapperAreKept() throws {
        let event = Tagged(Event.wrapped(Wrapped(["userId": "a"])))
        #expect(try text(event, isSnakeCase: true) == #"{"event_type":"wrapped","userId":"a"}"#)
    }

    @Test func labelsBesideADictionaryAreMembersToo() throws {
        let event = Tagged(Event.counts(["lastYear": 1], userId: 7))
        #expect(try text(event, isSnakeCase: true) == #"{"event_type":"counts","lastYear":1,"userId":7}"#)
        #expect(try text(event) == #"{"event_type":"counts","lastYear":1,"userId":7}"#)
    }

    @Test func valuesOfADictionaryThatHaveAnotherTypeThanTheTagAreRead() throws {
        enum Item: TaggedUnion, Hashable {
            case counts([String: Int])

            static var tagName: String { "itemKind" }
        }
        for decoding in Decoding.allCases {
            let json = #"{"item_kind": "counts", "a_b": 1, "cD": 2}"#
            let item = try decoding.decode(Tagged<Item>.self, json, isSnakeCase: true)
            #expect(item.value == .counts(["a_b": 1, "cD": 2]))
            let error = try decoding.error(Tagged<Item>.self, #"{"itemKind": "counts", "a": "x"}"#)
            #expect(error.kind == "not Int")
            #expect(error.path == ["a"])
        }
        #expect(try text(Tagged(Item.counts(["itemKind": 1, "a": 2]))) == #"{"a":2,"itemKind":"counts"}"#)
    }

    @Test(arguments: Decoding.allCases)
    func unionWithADictionaryHasAdditionalProperties(decoding: Decoding) throws {
        let json = #"{"kind":"labels","userId":"a"}"#
        let labels = try decoding.decode(Extended<Tagged<InnerEvent>, JSONValue>.self, json, isSnakeCase: true)
        #expect(labels == Extended(Tagged(.labels(["userId": "a"]))))
        var more = labels
        more.additional["moreNames"] = 1
        #expect(try text(more, isSnakeCase: true) == #"{"kind":"labels","moreNames":1,"userId":"a"}"#)
        let other = try decoding.decode(
            Extended<Tagged<InnerEvent>, JSONValue>.self, #"{"kind":"new","user_id":1}"#, isSnakeCase: true)
        #expect(other == Extended(Tagged(.other(["kind": "new", "user_id": 1]))))
    }

    @Test func propertyListsHaveDictionariesBesideTheTag() throws {
        let events = [Tagged(Event.labels(["userId": "a"])), Tagged(.dates(["a": Date(timeIntervalSince1970: 7)]))]
        let data = try PropertyListEncoder().encode(events)
        #expect(try PropertyListDecoder().decode([Tagged<Event>].self, from: data) == events)
    }

    @Test func codeByHandMayMixMembersAndADictionary() throws {
        struct Mixed: Codable, Hashable, Sendable {
            var isDictionaryFirst: Bool
            enum CodingKeys: CodingKey { case theName }
            init(isDictionaryFirst: Bool) { self.isDictionaryFirst = isDictionaryFirst }
            init(from decoder: any Decoder) throws { isDictionaryFirst = true }
            func encode(to encoder: any Encoder) throws {
                if isDictionaryFirst { try encodeDictionary(to: encoder) }
                var members = encoder.container(keyedBy: CodingKeys.self)
                try members.encode(1, forKey: .theName)
                if !isDictionaryFirst { try encodeDictionary(to: encoder) }
            }
            private func encodeDictionary(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(["a": 1])
                try container.encode(["b": 2])
            }
        }
        enum Item: TaggedUnion {
            case mixed(Mixed)

            static var tagName: String { "kind" }
        }
        for isDictionaryFirst in [true, false] {
            let item = Tagged(Item.mixed(Mixed(isDictionaryFirst: isDictionaryFirst)))
            #expect(try text(item) == #"{"a":1,"b":2,"kind":"mixed","theName":1}"#)
        }
    }

    @Test func largeIntegersAreReadAndWritten() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        enum Item: TaggedUnion {
            case large(Int128, positive: UInt128)

            static var tagName: String { "kind" }
            static var contentName: String? { "value" }
        }
        let number = "170141183460469231731687303715884105727"
        let json = #"{"kind":"large","positive":\#(number),"value":-\#(number)}"#
        let item = try Decoding.reader.decode(Tagged<Item>.self, json)
        guard case .large(let value, let positive) = item.value else { return }
        #expect(value == -Int128.max)
        #expect(positive == UInt128(Int128.max))
        #expect(try text(item) == json)
    }

    // MARK: - Envelopes

    static let envelopedPets: [(json: String, pet: EnvelopedPet)] = [
        (#"{"kind":"cat","value":{"name":"Tom"}}"#, .cat(Cat(name: "Tom"))),
        (#"{"id":7,"kind":"name","value":"Tom"}"#, .name("Tom", id: 7)),
        (#"{"kind":"ages","value":[1,2]}"#, .ages([1, 2])),
        (#"{"kind":"ages"}"#, .ages(nil)),
        (#"{"kind":"stone"}"#, .stone),
        (#"{"kind":"bird","value":{"name":"Tom"}}"#, .other(["kind": "bird", "value": ["name": "Tom"]])),
    ]

    @Test(arguments: envelopedPets)
    func contentIsAMember(json: String, pet: EnvelopedPet) throws {
        for decoding in Decoding.allCases {
            #expect(try decoding.decode(Tagged<EnvelopedPet>.self, json).value == pet)
        }
        #expect(try text(Tagged(pet)) == json)
    }

    @Test(arguments: Decoding.allCases)
    func errorsInAnEnvelopeHaveTheirPath(decoding: Decoding) throws {
        let missing = try decoding.error(Tagged<EnvelopedPet>.self, #"{"kind": "cat"}"#)
        #expect(missing.kind == "missing")
        #expect(missing.path == ["value"])
        let mismatch = try decoding.error([Tagged<EnvelopedPet>].self, #"[{"kind": "cat", "value": {"name": 1}}]"#)
        #expect(mismatch.kind == "not String")
        #expect(mismatch.path == ["0", "value", "name"])
    }

    // MARK: - Unknown cases

    @Test(arguments: [
        #"{"kind":"bird","someYears":{"inAll":12}}"#, #"{"name":"no tag"}"#, #"{"kind":7}"#, #"{"kind":null}"#, "{}",
        #"{"kind":"other"}"#,
    ])
    func unknownCaseKeepsTheObject(json: String) throws {
        let value = try Decoding.reader.decode(JSONValue.self, json)
        for decoding in Decoding.allCases {
            let pet = try decoding.decode(Tagged<OpenPet>.self, json, isSnakeCase: true)
            #expect(pet.value == .other(value))
            #expect(try text(pet) == json)
            #expect(try text([pet], isSnakeCase: true) == "[\(json)]")
        }
    }

    @Test(arguments: Decoding.allCases)
    func unknownCaseDoesNotHideErrorsOfOtherCases(decoding: Decoding) throws {
        let failure = try decoding.error([Tagged<OpenPet>].self, #"[{"kind": "cat"}]"#)
        #expect(failure.kind == "missing")
        #expect(failure.path == ["0", "name"])
    }

    @Test(arguments: Decoding.allCases)
    func unknownCaseMayBeAModelOrHaveLabels(decoding: Decoding) throws {
        struct Base: Codable, Hashable, Sendable {
            var kind: String?
            var age: Int
        }
        enum Bird: TaggedUnion, Hashable {
            case eagle(Cat)
            case other(Base)

            enum CodingKeys: String, CodingKey { case eagle, other = "*" }
            static var tagName: String { "kind" }
            static var unknownCase: String? { "*" }
        }
        for json in [#"{"age":1,"kind":"crow"}"#, #"{"age":1}"#] {
            let bird = try decoding.decode(Tagged<Bird>.self, json)
            #expect(bird.value == .other(try decoding.decode(Base.self, json)))
            #expect(try text(bird) == json)
        }

        enum Notice: TaggedUnion, Hashable {
            case comment(text: String)
            case unknown(kind: String)

            static var tagName: String { "kind" }
            static var unknownCase: String? { "unknown" }
        }
        let notice = try decoding.decode(Tagged<Notice>.self, #"{"kind": "like"}"#)
        #expect(notice.value == .unknown(kind: "like"))
        #expect(try text(notice) == #"{"kind":"like"}"#)
    }

    @Test func unknownCaseWithoutAValueCannotBeWritten() throws {
        enum Notice: TaggedUnion {
            case comment(text: String)
            case unknown

            static var tagName: String { "kind" }
            static var unknownCase: String? { "unknown" }
        }
        let notice = try Decoding.reader.decode(Tagged<Notice>.self, #"{"kind": "like"}"#)
        let error = #expect(throws: EncodingError.self) { try text(notice) }
        #expect("\(error as Any)".contains("the unknown case has no value"))
    }

    @Test func unknownCaseWithSeveralValuesCannotBeWritten() throws {
        enum Notice: TaggedUnion {
            case unknown(JSONValue, id: Int)

            static var tagName: String { "kind" }
            static var unknownCase: String? { "unknown" }
        }
        #expect(throws: EncodingError.self) { try text(Tagged(Notice.unknown("text", id: 1))) }
    }

    // MARK: - Errors

    @Test(arguments: Decoding.allCases)
    func unknownTagIsAnError(decoding: Decoding) throws {
        let failure = try decoding.error(
            [Tagged<Pet>].self, #"[{"kind": "stone"}, {"kind": "fox", "password": "hunter2"}]"#)
        #expect(failure.kind == "corrupted")
        #expect(failure.path == ["1", "kind"])
        #expect(failure.text == #"the tag "kind" is "fox", which is not a case of Pet"#)
        let number = try decoding.error(Tagged<Pet>.self, #"{"kind": 12}"#)
        #expect(number.text == #"the tag "kind" is 12, which is not a case of Pet"#)
        let long = try decoding.error(Tagged<Pet>.self, #"{"kind": "\#(String(repeating: "x", count: 9_999))"}"#)
        #expect(long.text.utf8.count < 200)
    }

    @Test(arguments: ["a", "\u{301}"])
    func longTagIsCutInErrors(character: String) throws {
        let json = #"{"kind": "a\#(String(repeating: character, count: 1000))"}"#
        let error = #expect(throws: DecodingError.self) { try Decoding.reader.decode(Tagged<Pet>.self, json) }
        #expect("\(error as Any)".utf8.count < 1000)
    }

    @Test(arguments: Decoding.allCases)
    func missingTagIsAnError(decoding: Decoding) throws {
        let failure = try decoding.error([String: Tagged<Pet>].self, #"{"a": {"name": "Tom"}}"#)
        #expect(failure.kind == "missing")
        #expect(failure.path == ["a", "kind"])
    }

    @Test(arguments: ["true", "1.5", "[]", "{}"])
    func tagOfAnotherTypeIsAnError(tag: String) throws {
        for decoding in Decoding.allCases {
            let failure = try decoding.error([Tagged<Pet>].self, #"[{"kind": \#(tag)}]"#)
            #expect(failure.kind == "not String")
            #expect(failure.path == ["0", "kind"])
        }
    }

    @Test(arguments: ["[]", "7", #""cat""#, "null"])
    func valueThatIsNotAnObjectIsAnError(json: String) throws {
        for decoding in Decoding.allCases {
            #expect(throws: DecodingError.self) { try decoding.decode(Tagged<Pet>.self, json) }
            #expect(throws: DecodingError.self) { try decoding.decode(Tagged<OpenPet>.self, json) }
        }
    }

    @Test(arguments: Decoding.allCases)
    func errorsInValuesHaveTheirPath(decoding: Decoding) throws {
        let member = try decoding.error([Tagged<Pet>].self, #"[{"kind": "cat", "name": "Tom", "lives": true}]"#)
        #expect(member.kind == "not Int")
        #expect(member.path == ["0", "lives"])
        let missing = try decoding.error([Tagged<Pet>].self, #"[{"kind": "dog"}]"#)
        #expect(missing.kind == "missing")
        #expect(missing.path == ["0", "barkVolume"])
        let label = try decoding.error([Tagged<Pet>].self, #"[{"kind": "fish", "age": "old"}]"#)
        #expect(label.kind == "not Int")
        #expect(label.path == ["0", "age"])
        let missingLabel = try decoding.error([Tagged<Pet>].self, #"[{"kind": "fish"}]"#)
        #expect(missingLabel.kind == "missing")
        #expect(missingLabel.path == ["0", "age"])
    }

    @Test func numberThatDoesNotFitIsNamed() throws {
        enum Item: TaggedUnion {
            case small(UInt8)

            static var tagName: String { "kind" }
            static var contentName: String? { "value" }
        }
        let failure = try Decoding.reader.error(Tagged<Item>.self, #"{"kind": "small", "value": 300}"#)
        #expect(failure.text == "the number 300 does not fit UInt8")
    }

    @Test func valueThatIsNotAnObjectNeedsAnEnvelope() throws {
        struct Wrapper: Codable, Sendable {
            let text: String?
            init(_ text: String?) { self.text = text }
            init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String?.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        enum Item: TaggedUnion {
            case text(String)
            case list([Int])
            case wrapper(Wrapper)
            case date(Date)
            case amount(Decimal)
            case json(JSONValue)

            static var tagName: String { "kind" }
        }
        let items: [Item] = [
            .text("t"), .list([]), .list([1]), .wrapper(Wrapper("t")), .wrapper(Wrapper(nil)), .date(Date()),
            .amount(1),
            .json(.null), .json(7), .json([1]), .json("t"),
        ]
        for item in items {
            let error = #expect(throws: EncodingError.self) { try text([Tagged(item)]) }
            #expect("\(error as Any)".contains("is not encoded as an object"))
        }
        #expect(try text(Tagged(Item.json(["a": 1]))) == #"{"a":1,"kind":"json"}"#)
        let failure = try Decoding.reader.error([Tagged<Item>].self, #"[{"kind": "text"}]"#)
        #expect(failure.kind == "not String")
        #expect(failure.path == ["0"])
    }

    // Foundation's `Date.description` ends the process for a date that is not a number.
    @Test func errorsCanBePrintedWhateverTheValueIs() throws {
        enum Item: TaggedUnion {
            case date(Date)
            case other(Int, at: Date)

            static var tagName: String { "kind" }
            static var unknownCase: String? { "other" }
        }
        let date = Date(timeIntervalSince1970: .nan)
        for item in [Item.date(date), .other(1, at: date)] {
            let error = #expect(throws: EncodingError.self) { try text([Tagged(item)]) }
            guard case .invalidValue(let value, _) = error else { return }
            #expect("\(value)" == "Date")
        }
    }

    // MARK: - Additional properties

    @Test(arguments: Decoding.allCases)
    func caseWithAdditionalPropertiesDoesNotCountTheTag(decoding: Decoding) throws {
        enum Item: TaggedUnion, Hashable {
            case cat(Extended<Cat, Int>)

            static var tagName: String { "kind" }
        }
        let json = #"{"kind":"cat","name":"Tom","x":1}"#
        let item = try decoding.decode(Tagged<Item>.self, json)
        #expect(item.value == .cat(Extended(Cat(name: "Tom"), additional: ["x": 1])))
        #expect(try text(item) == json)
    }

    @Test(arguments: Decoding.allCases)
    func unionHasAdditionalProperties(decoding: Decoding) throws {
        let json = #"{"kind":"cat","name":"Tom","x":1}"#
        let pet = try decoding.decode(Extended<Tagged<Pet>, Int>.self, json)
        #expect(pet == Extended(Tagged(.cat(Cat(name: "Tom"))), additional: ["x": 1]))
        #expect(try text(pet) == json)
        let fish = try decoding.decode(Extended<Tagged<Pet>, Int>.self, #"{"kind": "fish", "age": 3, "x": 1}"#)
        #expect(fish == Extended(Tagged(.fish(age: 3, color: nil)), additional: ["x": 1]))
        let other = try decoding.decode(Extended<Tagged<OpenPet>, Int>.self, #"{"kind": "bird", "x": 1}"#)
        #expect(other == Extended(Tagged(.other(["kind": "bird", "x": 1]))))
    }

    // MARK: - Nesting

    indirect enum Tree: TaggedUnion {
        case inner(Inner)
        case end

        struct Inner: Codable, Sendable { let next: Tagged<Tree> }

        static var tagName: String { "kind" }
    }

    final class List: Decodable, Sendable { let next: Extended<List, JSONValue>? }

    private func tree(depth: Int) -> Data {
        let opening = String(repeating: #"{"kind": "inner", "next": "#, count: depth - 1)
        return Data((opening + #"{"kind": "end"}"# + String(repeating: "}", count: depth - 1)).utf8)
    }

    private func list(depth: Int) -> Data {
        Data((String(repeating: #"{"next": "#, count: depth) + "null" + String(repeating: "}", count: depth)).utf8)
    }

    @Test(arguments: [(100, true), (101, false), (512, false)] as [(Int, Bool)])
    func nestingIsLimited(depth: Int, isRead: Bool) async throws {
        let tree = tree(depth: depth)
        let list = list(depth: depth)
        let isEachRead = await onLargeStack {
            [
                (try? JSONReader().decode(Tagged<Tree>.self, from: tree)) != nil,
                (try? JSONDecoder().decode(Tagged<Tree>.self, from: tree)) != nil,
                (try? JSONReader().decode(Extended<List, JSONValue>.self, from: list)) != nil,
                (try? JSONDecoder().decode(Extended<List, JSONValue>.self, from: list)) != nil,
            ]
        }
        #expect(isEachRead == Array(repeating: isRead, count: 4))
    }

    /// Runs work with a stack that is large enough for the deepest nesting in a debug build.
    private func onLargeStack(_ work: @escaping @Sendable () -> [Bool]) async -> [Bool] {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}
