import APIKit
import Foundation
import SuiteSupport
import Testing

/// Properties of several types: the folder `type/union`.
@Suite struct UnionTests {
    struct Model<Property: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
        var prop: Property
    }

    struct Send<Property: Codable & Sendable & Equatable>: SuiteRequest {
        typealias Response = NoContent
        let path: URLPath
        let prop: Property
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(Model(prop: prop), encoder: .api) }
    }

    /// Checks the two endpoints of a union.
    func expectGetAndSend<Property: Codable & Sendable & Equatable>(
        _ folder: String, _ property: Property, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let path = "type/union/\(folder)"
        let body = #"{"prop":\#(json)}"#

        let get = Get<Model<Property>>(path: "\(segments: path)")
        try await expect(get, sends: "GET", "/\(path)", sourceLocation: sourceLocation)
        try await expect(get, reads: body, as: Model(prop: property), sourceLocation: sourceLocation)

        let send = Send(path: "\(segments: path)", prop: property)
        try await expect(
            send, sends: "POST", "/\(path)", headers: ["Content-Type": "application/json"], .text(body),
            sourceLocation: sourceLocation)
        try await expect(send, reads: "", status: 204, as: NoContent(), sourceLocation: sourceLocation)
    }

    enum StringsOnly: String, Codable { case a, b, c }

    @Test(.scenario("Type_Union_StringsOnly_get", "Type_Union_StringsOnly_send"))
    func stringsOnly() async throws {
        try await expectGetAndSend("strings-only", StringsOnly.b, #""b""#)
    }

    struct StringExtensible: RawRepresentable, Codable, Sendable, Hashable {
        var rawValue: String
        static let b = StringExtensible(rawValue: "b")
        static let c = StringExtensible(rawValue: "c")
    }

    @Test(.scenario("Type_Union_StringExtensible_get", "Type_Union_StringExtensible_send"))
    func stringExtensible() async throws {
        try await expectGetAndSend("string-extensible", StringExtensible(rawValue: "custom"), #""custom""#)
    }

    struct StringExtensibleNamed: RawRepresentable, Codable, Sendable, Hashable {
        var rawValue: String
        static let optionB = StringExtensibleNamed(rawValue: "b")
        static let c = StringExtensibleNamed(rawValue: "c")
    }

    @Test(.scenario("Type_Union_StringExtensibleNamed_get", "Type_Union_StringExtensibleNamed_send"))
    func stringExtensibleNamed() async throws {
        try await expectGetAndSend("string-extensible-named", StringExtensibleNamed(rawValue: "custom"), #""custom""#)
    }

    enum IntsOnly: Int, Codable { case one = 1, two, three }

    @Test(.scenario("Type_Union_IntsOnly_get", "Type_Union_IntsOnly_send"))
    func intsOnly() async throws {
        try await expectGetAndSend("ints-only", IntsOnly.two, "2")
    }

    enum FloatsOnly: Double, Codable { case small = 1.1, medium = 2.2, large = 3.3 }

    @Test(.scenario("Type_Union_FloatsOnly_get", "Type_Union_FloatsOnly_send"))
    func floatsOnly() async throws {
        try await expectGetAndSend("floats-only", FloatsOnly.medium, "2.2")
    }

    struct Cat: Codable, Sendable, Equatable {
        var name: String
    }

    struct Dog: Codable, Sendable, Equatable {
        var bark: String
    }

    enum CatOrDog: Codable, Sendable, Equatable {
        case cat(Cat)
        case dog(Dog)

        init(from decoder: any Decoder) throws {
            if let cat = try? Cat(from: decoder) {
                self = .cat(cat)
            } else {
                self = .dog(try Dog(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .cat(let cat): try cat.encode(to: encoder)
            case .dog(let dog): try dog.encode(to: encoder)
            }
        }
    }

    @Test(
        .scenario(
            "Type_Union_ModelsOnly_get", "Type_Union_ModelsOnly_send", byHand: "init(from:) and encode(to:) of a union")
    )
    func modelsOnly() async throws {
        try await expectGetAndSend("models-only", CatOrDog.cat(Cat(name: "test")), #"{"name":"test"}"#)
    }

    enum Vertical: String, Codable { case up, down }
    enum Direction: String, Codable { case left, right, up, down }

    struct EnumsOnly: Codable, Sendable, Equatable {
        var lr: Direction
        var ud: Vertical
    }

    @Test(.scenario("Type_Union_EnumsOnly_get", "Type_Union_EnumsOnly_send"))
    func enumsOnly() async throws {
        try await expectGetAndSend("enums-only", EnumsOnly(lr: .right, ud: .up), #"{"lr":"right","ud":"up"}"#)
    }

    enum StringOrArray: Codable, Sendable, Equatable {
        case string(String)
        case array([String])

        init(from decoder: any Decoder) throws {
            if let string = try? String(from: decoder) {
                self = .string(string)
            } else {
                self = .array(try [String](from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .string(let string): try string.encode(to: encoder)
            case .array(let array): try array.encode(to: encoder)
            }
        }
    }

    struct StringAndArray: Codable, Sendable, Equatable {
        var string: StringOrArray
        var array: StringOrArray
    }

    @Test(
        .scenario(
            "Type_Union_StringAndArray_get", "Type_Union_StringAndArray_send",
            byHand: "init(from:) and encode(to:) of a union"))
    func stringAndArray() async throws {
        try await expectGetAndSend(
            "string-and-array", StringAndArray(string: .string("test"), array: .array(["test1", "test2"])),
            #"{"array":["test1","test2"],"string":"test"}"#)
    }

    struct MixedLiterals: Codable, Sendable, Equatable {
        var stringLiteral: JSONValue
        var intLiteral: JSONValue
        var floatLiteral: JSONValue
        var booleanLiteral: JSONValue
    }

    @Test(.scenario("Type_Union_MixedLiterals_get", "Type_Union_MixedLiterals_send"))
    func mixedLiterals() async throws {
        try await expectGetAndSend(
            "mixed-literals",
            MixedLiterals(stringLiteral: "a", intLiteral: 2, floatLiteral: 3.3, booleanLiteral: true),
            #"{"booleanLiteral":true,"floatLiteral":3.3,"intLiteral":2,"stringLiteral":"a"}"#)
    }

    enum MixedType: Codable, Sendable, Equatable {
        case model(Cat)
        case literal(String)
        case int(Int32)
        case boolean(Bool)

        init(from decoder: any Decoder) throws {
            if let string = try? String(from: decoder) {
                self = .literal(string)
            } else if let int = try? Int32(from: decoder) {
                self = .int(int)
            } else if let boolean = try? Bool(from: decoder) {
                self = .boolean(boolean)
            } else {
                self = .model(try Cat(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .model(let cat): try cat.encode(to: encoder)
            case .literal(let string): try string.encode(to: encoder)
            case .int(let int): try int.encode(to: encoder)
            case .boolean(let boolean): try boolean.encode(to: encoder)
            }
        }
    }

    struct MixedTypes: Codable, Sendable, Equatable {
        var model: MixedType
        var literal: MixedType
        var int: MixedType
        var boolean: MixedType
        var array: [MixedType]
    }

    @Test(
        .scenario(
            "Type_Union_MixedTypes_get", "Type_Union_MixedTypes_send", byHand: "init(from:) and encode(to:) of a union")
    )
    func mixedTypes() async throws {
        let cat = MixedType.model(Cat(name: "test"))
        let types = MixedTypes(
            model: cat, literal: .literal("a"), int: .int(2), boolean: .boolean(true),
            array: [cat, .literal("a"), .int(2), .boolean(true)])
        let array = #"[{"name":"test"},"a",2,true]"#
        try await expectGetAndSend(
            "mixed-types", types,
            #"{"array":\#(array),"boolean":true,"int":2,"literal":"a","model":{"name":"test"}}"#)
    }
}
