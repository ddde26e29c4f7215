import APIKit
import Foundation
import SuiteSupport
import Testing

@Suite struct QueryTests {
    @Test(.scenario("RestJsonAllQueryStringTypes"))
    func sendsEveryType() async throws {
        let request = AllQueryStringTypesRequest(
            string: "Hello there", strings: ["a", "b", "c"], stringSet: ["c", "a", "b"], byte: 1, short: 2, integer: 3,
            integers: [1, 2, 3], integerSet: [3, 2, 1], long: 4, float: 1.1, double: 1.1, doubles: [1.1, 2.1, 3.1],
            boolean: true, booleans: [true, false, true], timestamp: Date(timeIntervalSince1970: 1),
            timestamps: [1, 2, 3].map { Date(timeIntervalSince1970: $0) }, fooEnum: .foo,
            fooEnums: [.foo, .baz, .bar], integerEnum: .a, integerEnums: [.a, .b, .c],
            others: ["String": ["Hello there"], "StringList": ["a", "b", "c"], "Timestamp": ["1970-01-01T00:00:01Z"]])
        try await expect(
            request, sends: "GET",
            "/AllQueryStringTypesInput?String=Hello%20there&StringList=a&StringList=b&StringList=c&StringSet=a"
                + "&StringSet=b&StringSet=c&Byte=1&Short=2&Integer=3&IntegerList=1&IntegerList=2&IntegerList=3"
                + "&IntegerSet=1&IntegerSet=2&IntegerSet=3&Long=4&Float=1.1&Double=1.1&DoubleList=1.1&DoubleList=2.1"
                + "&DoubleList=3.1&Boolean=true&BooleanList=true&BooleanList=false&BooleanList=true"
                + "&Timestamp=1970-01-01T00%3A00%3A01Z&TimestampList=1970-01-01T00%3A00%3A01Z"
                + "&TimestampList=1970-01-01T00%3A00%3A02Z&TimestampList=1970-01-01T00%3A00%3A03Z&Enum=Foo"
                + "&EnumList=Foo&EnumList=Baz&EnumList=Bar&IntegerEnum=1&IntegerEnumList=1&IntegerEnumList=2"
                + "&IntegerEnumList=3")
    }

    @Test(.scenario("RestJsonQueryStringMap"))
    func sendsAMap() async throws {
        try await expect(
            AllQueryStringTypesRequest(others: ["QueryParamsStringKeyA": ["Foo"], "QueryParamsStringKeyB": ["Bar"]]),
            sends: "GET", "/AllQueryStringTypesInput?QueryParamsStringKeyA=Foo&QueryParamsStringKeyB=Bar")
    }

    @Test(.scenario("RestJsonQueryStringEscaping"))
    func encodesReservedCharacters() async throws {
        let text = " %:/?#[]@!$&'()*+,;=😹"
        try await expect(
            AllQueryStringTypesRequest(string: text, others: ["String": [text]]), sends: "GET",
            "/AllQueryStringTypesInput?String="
                + "%20%25%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%F0%9F%98%B9")
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatQueryValues", "RestJsonSupportsInfinityFloatQueryValues",
            "RestJsonSupportsNegativeInfinityFloatQueryValues", byHand: "the words for infinity and NaN"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func sendsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        try await expect(
            AllQueryStringTypesRequest(
                float: Float(number), double: number, others: ["Float": [word], "Double": [word]]),
            sends: "GET", "/AllQueryStringTypesInput?Float=\(word)&Double=\(word)")
    }

    @Test(.scenario("RestJsonZeroAndFalseQueryValues"))
    func sendsZeroAndFalse() async throws {
        try await expect(
            AllQueryStringTypesRequest(integer: 0, boolean: false, others: ["Integer": ["0"], "Boolean": ["false"]]),
            sends: "GET", "/AllQueryStringTypesInput?Integer=0&Boolean=false")
    }

    @Test(
        .scenario(
            "RestJsonConstantAndVariableQueryStringMissingOneValue", "RestJsonConstantAndVariableQueryStringAllValues")
    )
    func sendsConstantAndVariableParameters() async throws {
        try await expect(
            ConstantAndVariableQueryStringRequest(baz: "bam"), sends: "GET",
            "/ConstantAndVariableQueryString?foo=bar&baz=bam")
        try await expect(
            ConstantAndVariableQueryStringRequest(baz: "bam", maybeSet: "yes"), sends: "GET",
            "/ConstantAndVariableQueryString?foo=bar&baz=bam&maybeSet=yes")
    }

    @Test(.scenario("RestJsonConstantQueryString"))
    func sendsAParameterWithoutAValue() async throws {
        try await expect(
            ConstantQueryStringRequest(hello: "hi"), sends: "GET", "/ConstantQueryString/hi?foo=bar&hello")
    }

    @Test(.scenario("RestJsonOmitsNullQuery", "RestJsonSerializesEmptyQueryValue"))
    func omitsNilButSendsEmptyText() async throws {
        try await expect(
            OmitsNullSerializesEmptyStringRequest(), sends: "GET", "/OmitsNullSerializesEmptyString")
        try await expect(
            OmitsNullSerializesEmptyStringRequest(emptyString: ""), sends: "GET",
            "/OmitsNullSerializesEmptyString?Empty=")
    }

    @Test(.scenario("RestJsonOmitsEmptyListQueryValues"))
    func omitsEmptyLists() async throws {
        try await expect(OmitsSerializingEmptyListsRequest(), sends: "POST", "/OmitsSerializingEmptyLists")
    }

    @Test(.scenario("RestJsonQueryIdempotencyTokenAutoFill", "RestJsonQueryIdempotencyTokenAutoFillIsSet"))
    func createsAnIdempotencyToken() async throws {
        let target = "/QueryIdempotencyTokenAutoFill?token="
        let created = QueryIdempotencyTokenRequest()
        try await expect(created, sends: "POST", target + created.token.uuidString)
        #expect(created.token != QueryIdempotencyTokenRequest().token)

        let token = try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000000"))
        try await expect(
            QueryIdempotencyTokenRequest(token: token), sends: "POST", target + "00000000-0000-4000-8000-000000000000")
    }

    @Test(.scenario("RestJsonQueryParamsStringListMap"))
    func sendsAMapOfLists() async throws {
        try await expect(
            QueryParamsAsStringListMapRequest(qux: "named", foo: ["baz": ["bar", "qux"]]), sends: "POST",
            "/StringListMap?corge=named&baz=bar&baz=qux")
    }

    @Test(.scenario("RestJsonQueryPrecedence"))
    func namedParametersTakePrecedenceOverAMap() async throws {
        try await expect(
            QueryPrecedenceRequest(foo: "named", baz: ["bar": "fromMap", "qux": "alsoFromMap"]), sends: "POST",
            "/Precedence?bar=named&qux=alsoFromMap")
    }
}

struct AllQueryStringTypesRequest: RestJSONRequest {
    typealias Response = NoContent
    var string: String?
    var strings: [String] = []
    var stringSet: Set<String> = []
    var byte: Int8?
    var short: Int16?
    var integer: Int32?
    var integers: [Int] = []
    var integerSet: Set<Int> = []
    var long: Int64?
    var float: Float?
    var double: Double?
    var doubles: [Double] = []
    var boolean: Bool?
    var booleans: [Bool] = []
    var timestamp: Date?
    var timestamps: [Date] = []
    var fooEnum: FooEnum?
    var fooEnums: [FooEnum] = []
    var integerEnum: IntegerEnum?
    var integerEnums: [IntegerEnum] = []
    /// More parameters; the named ones above take precedence.
    var others: [String: [String]] = [:]

    var path: URLPath { "AllQueryStringTypesInput" }
    var parameters: Parameters {
        let named: Parameters = [
            "String": string, "StringList": strings, "StringSet": stringSet, "Byte": byte, "Short": short,
            "Integer": integer, "IntegerList": integers, "IntegerSet": integerSet, "Long": long,
            "Float": float.map { NumberOrWord($0) }, "Double": double.map { NumberOrWord($0) }, "DoubleList": doubles,
            "Boolean": boolean, "BooleanList": booleans, "Timestamp": timestamp, "TimestampList": timestamps,
            "Enum": fooEnum, "EnumList": fooEnums, "IntegerEnum": integerEnum, "IntegerEnumList": integerEnums,
        ]
        let names = named.map { $0.name }
        return named + Parameters(encoding: others.filter { !names.contains($0.key) })
    }
}

struct ConstantAndVariableQueryStringRequest: RestJSONRequest {
    typealias Response = NoContent
    var baz: String?
    var maybeSet: String?
    var path: URLPath { "ConstantAndVariableQueryString" }
    var parameters: Parameters { ["foo": "bar", "baz": baz, "maybeSet": maybeSet] }
}

struct ConstantQueryStringRequest: RestJSONRequest {
    typealias Response = NoContent
    var hello: String
    var path: URLPath { "ConstantQueryString/\(hello)" }
    var parameters: Parameters { ["foo": "bar", "hello": .flag] }
}

struct OmitsNullSerializesEmptyStringRequest: RestJSONRequest {
    typealias Response = NoContent
    var nullValue: String?
    var emptyString: String?
    var path: URLPath { "OmitsNullSerializesEmptyString" }
    var parameters: Parameters { ["Null": nullValue, "Empty": emptyString] }
}

struct OmitsSerializingEmptyListsRequest: RestJSONRequest {
    typealias Response = NoContent
    var strings: [String] = []
    var integers: [Int] = []
    var doubles: [Double] = []
    var booleans: [Bool] = []
    var timestamps: [Date] = []
    var fooEnums: [FooEnum] = []
    var integerEnums: [IntegerEnum] = []
    var path: URLPath { "OmitsSerializingEmptyLists" }
    var method: HTTPMethod { .post }
    var query: Parameters {
        [
            "StringList": strings, "IntegerList": integers, "DoubleList": doubles, "BooleanList": booleans,
            "TimestampList": timestamps, "EnumList": fooEnums, "IntegerEnumList": integerEnums,
        ]
    }
}

struct QueryIdempotencyTokenRequest: RestJSONRequest {
    typealias Response = NoContent
    var token = UUID()
    var path: URLPath { "QueryIdempotencyTokenAutoFill" }
    var method: HTTPMethod { .post }
    var query: Parameters { ["token": token] }
}

struct QueryParamsAsStringListMapRequest: RestJSONRequest {
    typealias Response = NoContent
    var qux: String?
    var foo: [String: [String]] = [:]
    var path: URLPath { "StringListMap" }
    var method: HTTPMethod { .post }
    var query: Parameters { ["corge": qux] + Parameters(encoding: foo) }
}

struct QueryPrecedenceRequest: RestJSONRequest {
    typealias Response = NoContent
    var foo: String?
    var baz: [String: String] = [:]
    var path: URLPath { "Precedence" }
    var method: HTTPMethod { .post }
    var query: Parameters { ["bar": foo] + Parameters(encoding: baz.filter { $0.key != "bar" }) }
}
