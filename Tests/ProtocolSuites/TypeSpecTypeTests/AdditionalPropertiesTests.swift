import APIKit
import Foundation
import SuiteSupport
import Testing

/// Models with properties whose names are not known: the folder `type/property/additional-properties`.
@Suite struct AdditionalPropertiesTests {
    struct Named: Codable, Sendable, Equatable {
        var name: String
    }

    struct Derived: Codable, Sendable, Equatable {
        var name: String
        var index: Int
        var age: Float?
    }

    /// A model with a kind; only the kind `derived` has an index and an age.
    struct KindOrDerived: Codable, Sendable, Equatable {
        struct Kind: RawRepresentable, Codable, Sendable, Hashable {
            var rawValue: String
            static let derived = Kind(rawValue: "derived")
        }
        var kind: Kind
        var name: String
        var index: Int?
        var age: Float?
    }

    struct Numbered: Codable, Sendable, Equatable {
        var id: Float
    }

    struct State: Codable, Sendable, Equatable {
        var state: String
    }

    struct Known<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var knownProp: Property
    }

    struct NumberedDerived: Codable, Sendable, Equatable {
        var id: Float
        var derivedProp: String
    }

    struct NamedDerived: Codable, Sendable, Equatable {
        var name: String
        var derivedProp: Float
    }

    struct KnownDerived<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var knownProp: String
        var derivedProp: Property
    }

    struct Flagged: Codable, Sendable, Equatable {
        var flag: Bool
    }

    let path = "type/property/additionalProperties"
    let unknown: [String: JSONValue] = ["prop1": 32, "prop2": true, "prop3": "abc"]
    let unknownJSON = #""prop1":32,"prop2":true,"prop3":"abc""#
    let ok = State(state: "ok")

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsUnknown_get",
            "Type_Property_AdditionalProperties_ExtendsUnknown_put"))
    func extendsUnknown() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordUnknown",
            Extended(Named(name: "ExtendsUnknownAdditionalProperties"), additional: unknown),
            #"{"name":"ExtendsUnknownAdditionalProperties","prop1":32,"prop2":true,"prop3":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsUnknownDerived_get",
            "Type_Property_AdditionalProperties_ExtendsUnknownDerived_put"))
    func extendsUnknownDerived() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordUnknownDerived",
            Extended(
                Derived(name: "ExtendsUnknownAdditionalProperties", index: 314, age: 2.71875), additional: unknown),
            #"{"age":2.71875,"index":314,"name":"ExtendsUnknownAdditionalProperties",\#(unknownJSON)}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsUnknownDiscriminated_get",
            "Type_Property_AdditionalProperties_ExtendsUnknownDiscriminated_put"))
    func extendsUnknownDiscriminated() async throws {
        try await expectGetAndPut(
            "\(path)/extendsUnknownDiscriminated",
            Extended(
                KindOrDerived(kind: .derived, name: "Derived", index: 314, age: 2.71875), additional: unknown),
            #"{"age":2.71875,"index":314,"kind":"derived","name":"Derived","prop1":32,"prop2":true,"prop3":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_IsUnknown_get",
            "Type_Property_AdditionalProperties_IsUnknown_put"))
    func isUnknown() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordUnknown", Extended(Named(name: "IsUnknownAdditionalProperties"), additional: unknown),
            #"{"name":"IsUnknownAdditionalProperties","prop1":32,"prop2":true,"prop3":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_IsUnknownDerived_get",
            "Type_Property_AdditionalProperties_IsUnknownDerived_put"))
    func isUnknownDerived() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordUnknownDerived",
            Extended(Derived(name: "IsUnknownAdditionalProperties", index: 314, age: 2.71875), additional: unknown),
            #"{"age":2.71875,"index":314,"name":"IsUnknownAdditionalProperties",\#(unknownJSON)}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_IsUnknownDiscriminated_get",
            "Type_Property_AdditionalProperties_IsUnknownDiscriminated_put"))
    func isUnknownDiscriminated() async throws {
        try await expectGetAndPut(
            "\(path)/isUnknownDiscriminated",
            Extended(
                KindOrDerived(kind: .derived, name: "Derived", index: 314, age: 2.71875), additional: unknown),
            #"{"age":2.71875,"index":314,"kind":"derived","name":"Derived","prop1":32,"prop2":true,"prop3":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsString_get",
            "Type_Property_AdditionalProperties_ExtendsString_put"))
    func extendsString() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordString",
            Extended(Named(name: "ExtendsStringAdditionalProperties"), additional: ["prop": "abc"]),
            #"{"name":"ExtendsStringAdditionalProperties","prop":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_IsString_get",
            "Type_Property_AdditionalProperties_IsString_put"))
    func isString() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordstring",
            Extended(Named(name: "IsStringAdditionalProperties"), additional: ["prop": "abc"]),
            #"{"name":"IsStringAdditionalProperties","prop":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadString_get",
            "Type_Property_AdditionalProperties_SpreadString_put"))
    func spreadString() async throws {
        try await expectGetAndPut(
            "\(path)/spreadRecordString", Extended(Named(name: "SpreadSpringRecord"), additional: ["prop": "abc"]),
            #"{"name":"SpreadSpringRecord","prop":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsFloat_get",
            "Type_Property_AdditionalProperties_ExtendsFloat_put"))
    func extendsFloat() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordFloat", Extended(Numbered(id: 43.125), additional: ["prop": Float(43.125)]),
            #"{"id":43.125,"prop":43.125}"#)
    }

    @Test(.scenario("Type_Property_AdditionalProperties_IsFloat_get", "Type_Property_AdditionalProperties_IsFloat_put"))
    func isFloat() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordFloat", Extended(Numbered(id: 43.125), additional: ["prop": Float(43.125)]),
            #"{"id":43.125,"prop":43.125}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadFloat_get",
            "Type_Property_AdditionalProperties_SpreadFloat_put"))
    func spreadFloat() async throws {
        try await expectGetAndPut(
            "\(path)/spreadRecordFloat", Extended(Numbered(id: 43.125), additional: ["prop": Float(43.125)]),
            #"{"id":43.125,"prop":43.125}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsModel_get",
            "Type_Property_AdditionalProperties_ExtendsModel_put"))
    func extendsModel() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordModel", Extended(Known(knownProp: ok), additional: ["prop": ok]),
            #"{"knownProp":{"state":"ok"},"prop":{"state":"ok"}}"#)
    }

    @Test(.scenario("Type_Property_AdditionalProperties_IsModel_get", "Type_Property_AdditionalProperties_IsModel_put"))
    func isModel() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordModel", Extended(Known(knownProp: ok), additional: ["prop": ok]),
            #"{"knownProp":{"state":"ok"},"prop":{"state":"ok"}}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadModel_get",
            "Type_Property_AdditionalProperties_SpreadModel_put"))
    func spreadModel() async throws {
        try await expectGetAndPut(
            "\(path)/spreadRecordModel", Extended(Known(knownProp: ok), additional: ["prop": ok]),
            #"{"knownProp":{"state":"ok"},"prop":{"state":"ok"}}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsModelArray_get",
            "Type_Property_AdditionalProperties_ExtendsModelArray_put"))
    func extendsModelArray() async throws {
        try await expectGetAndPut(
            "\(path)/extendsRecordModelArray", Extended(Known(knownProp: [ok, ok]), additional: ["prop": [ok, ok]]),
            #"{"knownProp":[{"state":"ok"},{"state":"ok"}],"prop":[{"state":"ok"},{"state":"ok"}]}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_IsModelArray_get",
            "Type_Property_AdditionalProperties_IsModelArray_put"))
    func isModelArray() async throws {
        try await expectGetAndPut(
            "\(path)/isRecordModelArray", Extended(Known(knownProp: [ok, ok]), additional: ["prop": [ok, ok]]),
            #"{"knownProp":[{"state":"ok"},{"state":"ok"}],"prop":[{"state":"ok"},{"state":"ok"}]}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadModelArray_get",
            "Type_Property_AdditionalProperties_SpreadModelArray_put"))
    func spreadModelArray() async throws {
        try await expectGetAndPut(
            "\(path)/spreadRecordModelArray", Extended(Known(knownProp: [ok, ok]), additional: ["prop": [ok, ok]]),
            #"{"knownProp":[{"state":"ok"},{"state":"ok"}],"prop":[{"state":"ok"},{"state":"ok"}]}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadDifferentString_get",
            "Type_Property_AdditionalProperties_SpreadDifferentString_put"))
    func spreadDifferentString() async throws {
        try await expectGetAndPut(
            "\(path)/spreadDifferentRecordString", Extended(Numbered(id: 43.125), additional: ["prop": "abc"]),
            #"{"id":43.125,"prop":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadDifferentFloat_get",
            "Type_Property_AdditionalProperties_SpreadDifferentFloat_put"))
    func spreadDifferentFloat() async throws {
        try await expectGetAndPut(
            "\(path)/spreadDifferentRecordFloat", Extended(Named(name: "abc"), additional: ["prop": Float(43.125)]),
            #"{"name":"abc","prop":43.125}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadDifferentModel_get",
            "Type_Property_AdditionalProperties_SpreadDifferentModel_put"))
    func spreadDifferentModel() async throws {
        try await expectGetAndPut(
            "\(path)/spreadDifferentRecordModel", Extended(Known(knownProp: "abc"), additional: ["prop": ok]),
            #"{"knownProp":"abc","prop":{"state":"ok"}}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadDifferentModelArray_get",
            "Type_Property_AdditionalProperties_SpreadDifferentModelArray_put"))
    func spreadDifferentModelArray() async throws {
        try await expectGetAndPut(
            "\(path)/spreadDifferentRecordModelArray",
            Extended(Known(knownProp: "abc"), additional: ["prop": [ok, ok]]),
            #"{"knownProp":"abc","prop":[{"state":"ok"},{"state":"ok"}]}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadString_get",
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadString_put"))
    func extendsDifferentSpreadString() async throws {
        try await expectGetAndPut(
            "\(path)/extendsDifferentSpreadString",
            Extended(NumberedDerived(id: 43.125, derivedProp: "abc"), additional: ["prop": "abc"]),
            #"{"derivedProp":"abc","id":43.125,"prop":"abc"}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadFloat_get",
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadFloat_put"))
    func extendsDifferentSpreadFloat() async throws {
        try await expectGetAndPut(
            "\(path)/extendsDifferentSpreadFloat",
            Extended(NamedDerived(name: "abc", derivedProp: 43.125), additional: ["prop": Float(43.125)]),
            #"{"derivedProp":43.125,"name":"abc","prop":43.125}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadModel_get",
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadModel_put"))
    func extendsDifferentSpreadModel() async throws {
        try await expectGetAndPut(
            "\(path)/extendsDifferentSpreadModel",
            Extended(KnownDerived(knownProp: "abc", derivedProp: ok), additional: ["prop": ok]),
            #"{"derivedProp":{"state":"ok"},"knownProp":"abc","prop":{"state":"ok"}}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadModelArray_get",
            "Type_Property_AdditionalProperties_ExtendsDifferentSpreadModelArray_put"))
    func extendsDifferentSpreadModelArray() async throws {
        let list = #"[{"state":"ok"},{"state":"ok"}]"#
        try await expectGetAndPut(
            "\(path)/extendsDifferentSpreadModelArray",
            Extended(KnownDerived(knownProp: "abc", derivedProp: [ok, ok]), additional: ["prop": [ok, ok]]),
            #"{"derivedProp":\#(list),"knownProp":"abc","prop":\#(list)}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_MultipleSpread_get",
            "Type_Property_AdditionalProperties_MultipleSpread_put"))
    func multipleSpread() async throws {
        try await expectGetAndPut(
            "\(path)/multipleSpreadRecord",
            Extended(Flagged(flag: true), additional: ["prop1": "abc", "prop2": 43.125] as [String: JSONValue]),
            #"{"flag":true,"prop1":"abc","prop2":43.125}"#)
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadRecordUnion_get",
            "Type_Property_AdditionalProperties_SpreadRecordUnion_put"))
    func spreadRecordUnion() async throws {
        try await expectGetAndPut(
            "\(path)/spreadRecordUnion",
            Extended(Flagged(flag: true), additional: ["prop1": "abc", "prop2": 43.125] as [String: JSONValue]),
            #"{"flag":true,"prop1":"abc","prop2":43.125}"#)
    }

    struct Widget0: Codable, Sendable, Equatable {
        var fooProp: String
    }

    struct Widget1: Codable, Sendable, Equatable {
        var start: Date
        var end: Date?
    }

    enum Widget0Or1: TaggedUnion, Equatable {
        case kind0(Widget0)
        case kind1(Widget1)

        static var tagName: String { "kind" }
    }

    let start = Date(timeIntervalSince1970: 1_609_459_200)
    let end = Date(timeIntervalSince1970: 1_609_545_600)
    let interval = #"{"end":"2021-01-02T00:00:00Z","kind":"kind1","start":"2021-01-01T00:00:00Z"}"#

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion_get",
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion_put"))
    func spreadRecordNonDiscriminatedUnion() async throws {
        let widgets: [String: Tagged<Widget0Or1>] = [
            "prop1": Tagged(.kind0(Widget0(fooProp: "abc"))), "prop2": Tagged(.kind1(Widget1(start: start, end: end))),
        ]
        try await expectGetAndPut(
            "\(path)/spreadRecordNonDiscriminatedUnion", Extended(Named(name: "abc"), additional: widgets),
            #"{"name":"abc","prop1":{"fooProp":"abc","kind":"kind0"},"prop2":\#(interval)}"#)
    }

    /// Two models with the same kind: the start is any text in one of them, and only the other one has an end. So this
    /// struct is both.
    struct Widget2Or1: Codable, Sendable, Equatable {
        var kind = "kind1"
        var start: String
        var end: Date?
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion2_get",
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion2_put"))
    func spreadRecordNonDiscriminatedUnion2() async throws {
        let widgets = [
            "prop1": Widget2Or1(start: "2021-01-01T00:00:00Z"),
            "prop2": Widget2Or1(start: "2021-01-01T00:00:00Z", end: end),
        ]
        try await expectGetAndPut(
            "\(path)/spreadRecordNonDiscriminatedUnion2", Extended(Named(name: "abc"), additional: widgets),
            #"{"name":"abc","prop1":{"kind":"kind1","start":"2021-01-01T00:00:00Z"},"prop2":\#(interval)}"#)
    }

    struct Widget2: Codable, Sendable, Equatable {
        var kind = "kind1"
        var start: String
    }

    enum Widgets2OrWidget: Codable, Sendable, Equatable {
        case widgets2([Widget2])
        case widget(Tagged<Widget0Or1>)

        init(from decoder: any Decoder) throws {
            if let widgets = try? [Widget2](from: decoder) {
                self = .widgets2(widgets)
            } else {
                self = .widget(try Tagged(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .widgets2(let widgets): try widgets.encode(to: encoder)
            case .widget(let widget): try widget.encode(to: encoder)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion3_get",
            "Type_Property_AdditionalProperties_SpreadRecordNonDiscriminatedUnion3_put",
            byHand: "init(from:) and encode(to:) of a union"))
    func spreadRecordNonDiscriminatedUnion3() async throws {
        let widget2 = Widget2(start: "2021-01-01T00:00:00Z")
        let widgets: [String: Widgets2OrWidget] = [
            "prop1": .widgets2([widget2, widget2]), "prop2": .widget(Tagged(.kind1(Widget1(start: start, end: end)))),
        ]
        let element = #"{"kind":"kind1","start":"2021-01-01T00:00:00Z"}"#
        try await expectGetAndPut(
            "\(path)/spreadRecordNonDiscriminatedUnion3", Extended(Named(name: "abc"), additional: widgets),
            #"{"name":"abc","prop1":[\#(element),\#(element)],"prop2":\#(interval)}"#)
    }
}
