import APIKit
import Foundation
import SuiteSupport
import Testing

@Suite struct HeaderTests {
    static let date = Date(timeIntervalSince1970: 1_576_540_098)
    static let dateText = "Mon, 16 Dec 2019 23:48:18 GMT"

    /// Values and the headers that they are, for the scenarios whose names the comments give without
    /// `RestJsonInputAndOutputWith`.
    static let headers: [(values: HeaderValues, headers: [String: String])] = [
        // StringHeaders
        (
            HeaderValues(string: "Hello", strings: ["a", "b", "c"], stringSet: ["c", "b", "a"]),
            ["X-String": "Hello", "X-StringList": "a, b, c", "X-StringSet": "a, b, c"]
        ),
        // QuotedStringHeaders
        (HeaderValues(strings: ["b,c", "\"def\"", "a"]), ["X-StringList": #""b,c", "\"def\"", a"#]),
        // NumericHeaders
        (
            HeaderValues(byte: 1, short: 123, integer: 123, long: 123, float: 1.1, double: 1.1, integers: [1, 2, 3]),
            [
                "X-Byte": "1", "X-Short": "123", "X-Integer": "123", "X-Long": "123", "X-Float": "1.1",
                "X-Double": "1.1", "X-IntegerList": "1, 2, 3",
            ]
        ),
        // BooleanHeaders
        (
            HeaderValues(trueBoolean: true, falseBoolean: false, booleans: [true, false, true]),
            ["X-Boolean1": "true", "X-Boolean2": "false", "X-BooleanList": "true, false, true"]
        ),
        // EnumHeaders
        (
            HeaderValues(fooEnum: .foo, fooEnums: [.foo, .bar, .baz]), ["X-Enum": "Foo", "X-EnumList": "Foo, Bar, Baz"]
        ),
        // IntEnumHeaders
        (
            HeaderValues(integerEnum: .a, integerEnums: [.a, .b, .c]),
            ["X-IntegerEnum": "1", "X-IntegerEnumList": "1, 2, 3"]
        ),
    ]

    @Test(
        .scenario(
            "RestJsonInputAndOutputWithStringHeaders", "RestJsonInputAndOutputWithQuotedStringHeaders",
            "RestJsonInputAndOutputWithNumericHeaders", "RestJsonInputAndOutputWithBooleanHeaders",
            "RestJsonInputAndOutputWithEnumHeaders", "RestJsonInputAndOutputWithIntEnumHeaders"),
        arguments: headers)
    func sendsValues(_ values: HeaderValues, _ headers: [String: String]) async throws {
        try await expect(
            InputAndOutputWithHeadersRequest(values: values), sends: "POST", "/InputAndOutputWithHeaders",
            headers: headers)
    }

    @Test(
        .scenario(
            "RestJsonInputAndOutputWithStringHeaders", "RestJsonInputAndOutputWithQuotedStringHeaders",
            "RestJsonInputAndOutputWithNumericHeaders", "RestJsonInputAndOutputWithBooleanHeaders",
            "RestJsonInputAndOutputWithEnumHeaders", "RestJsonInputAndOutputWithIntEnumHeaders"),
        arguments: headers)
    func readsValues(_ values: HeaderValues, _ headers: [String: String]) async throws {
        let fields = headers.map { HTTPHeaders.Field(name: HTTPHeaders.Name(rawValue: $0.key), value: $0.value) }
        try await expect(InputAndOutputWithHeadersRequest(), reads: "", headers: HTTPHeaders(fields), as: values)
    }

    @Test(.scenario("RestJsonInputAndOutputWithTimestampHeaders"))
    func sendsAListOfDates() async throws {
        try await expect(
            InputAndOutputWithHeadersRequest(values: HeaderValues(timestamps: [Self.date, Self.date])), sends: "POST",
            "/InputAndOutputWithHeaders", headers: ["X-TimestampList": "\(Self.dateText), \(Self.dateText)"])
    }

    @Test(
        .scenario(
            "RestJsonInputAndOutputWithTimestampHeaders", byHand: "reading a list of HTTP dates, which contain commas"))
    func readsAListOfDates() async throws {
        try await expect(
            InputAndOutputWithHeadersRequest(), reads: "",
            headers: ["X-TimestampList": "\(Self.dateText), \(Self.dateText)"],
            as: HeaderValues(timestamps: [Self.date, Self.date]))
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatHeaderInputs", "RestJsonSupportsInfinityFloatHeaderInputs",
            "RestJsonSupportsNegativeInfinityFloatHeaderInputs", byHand: "the words for infinity and NaN"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func sendsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        try await expect(
            InputAndOutputWithHeadersRequest(values: HeaderValues(float: Float(number), double: number)),
            sends: "POST", "/InputAndOutputWithHeaders", headers: ["X-Float": word, "X-Double": word])
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatHeaderOutputs", "RestJsonSupportsInfinityFloatHeaderOutputs",
            "RestJsonSupportsNegativeInfinityFloatHeaderOutputs"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func readsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        let model = try await reply(
            InputAndOutputWithHeadersRequest(), "", headers: ["X-Float": word, "X-Double": word]
        ).model
        // NaN is not equal to itself, but its description is.
        #expect(model.float?.description == number.description)
        #expect(model.double?.description == number.description)
    }

    @Test(.scenario("RestJsonNullAndEmptyHeaders", byHand: "a header for a list that is empty"))
    func sendsEmptyHeaders() async throws {
        try await expect(
            NullAndEmptyHeadersRequest(b: "", c: []), sends: "GET", "/NullAndEmptyHeadersClient",
            headers: ["X-A": nil, "X-B": "", "X-C": ""])
        try await expect(
            NullAndEmptyHeadersRequest(a: "1", c: ["2", "3"]), sends: "GET", "/NullAndEmptyHeadersClient",
            headers: ["X-A": "1", "X-B": nil, "X-C": "2, 3"])
    }

    @Test(
        .scenario(
            "RestJsonHttpPrefixHeadersArePresent", "RestJsonHttpPrefixHeadersAreNotPresent",
            "RestJsonHttpPrefixEmptyHeaders", byHand: "headers whose names have a prefix"))
    func sendsHeadersWithAPrefix() async throws {
        try await expect(
            HTTPPrefixHeadersRequest(foo: "Foo", fooMap: ["abc": "Abc value", "def": "Def value"]), sends: "GET",
            "/HttpPrefixHeaders", headers: ["x-foo": "Foo", "x-foo-abc": "Abc value", "x-foo-def": "Def value"])
        try await expect(
            HTTPPrefixHeadersRequest(foo: "Foo"), sends: "GET", "/HttpPrefixHeaders", headers: ["x-foo": "Foo"])
        try await expect(
            HTTPPrefixHeadersRequest(fooMap: ["abc": ""]), sends: "GET", "/HttpPrefixHeaders",
            headers: ["x-foo": nil, "x-foo-abc": ""])
    }

    @Test(.scenario("RestJsonHttpPrefixHeadersArePresent", byHand: "headers whose names have a prefix"))
    func readsHeadersWithAPrefix() async throws {
        try await expect(
            HTTPPrefixHeadersRequest(), reads: "",
            headers: ["X-Foo": "Foo", "X-Foo-abc": "Abc value", "X-Foo-def": "Def value"],
            as: PrefixHeaders(foo: "Foo", fooMap: ["abc": "Abc value", "def": "Def value"]))
    }

    @Test(.scenario("HttpPrefixHeadersResponse"))
    func allHeadersOfAResponse() async throws {
        try await expect(
            HTTPPrefixHeadersInResponseRequest(), reads: "", headers: ["x-foo": "Foo", "hello": "Hello"],
            as: AllHeaders(prefixHeaders: ["x-foo": "Foo", "hello": "Hello"]))
    }

    @Test(.scenario("MediaTypeHeaderInputBase64", "MediaTypeHeaderOutputBase64"))
    func jsonInBase64() async throws {
        let request = MediaTypeHeaderRequest(json: Data("true".utf8))
        try await expect(request, sends: "GET", "/MediaTypeHeader", headers: ["X-Json": "dHJ1ZQ=="])
        try await expect(
            request, reads: "", headers: ["X-Json": "dHJ1ZQ=="], as: MediaTypeHeader(json: Data("true".utf8)))
    }

    static let dates = TimestampHeaders(
        memberEpochSeconds: date, memberHTTPDate: date, memberDateTime: date, defaultFormat: date,
        targetEpochSeconds: date, targetHTTPDate: date, targetDateTime: date)

    @Test(.scenario("RestJsonTimestampFormatHeaders"))
    func sendsDatesInEachFormat() async throws {
        try await expect(
            TimestampFormatHeadersRequest(dates: Self.dates), sends: "POST", "/TimestampFormatHeaders",
            headers: [
                "X-memberEpochSeconds": "1576540098", "X-memberHttpDate": Self.dateText,
                "X-memberDateTime": "2019-12-16T23:48:18Z", "X-defaultFormat": Self.dateText,
                "X-targetEpochSeconds": "1576540098", "X-targetHttpDate": Self.dateText,
                "X-targetDateTime": "2019-12-16T23:48:18Z",
            ])
    }

    @Test(.scenario("RestJsonTimestampFormatHeaders", byHand: "reading seconds, and a date in ISO 8601"))
    func readsDatesInEachFormat() async throws {
        try await expect(
            TimestampFormatHeadersRequest(dates: Self.dates), reads: "",
            headers: [
                "X-memberEpochSeconds": "1576540098", "X-memberHttpDate": Self.dateText,
                "X-memberDateTime": "2019-12-16T23:48:18Z", "X-defaultFormat": Self.dateText,
                "X-targetEpochSeconds": "1576540098", "X-targetHttpDate": Self.dateText,
                "X-targetDateTime": "2019-12-16T23:48:18Z",
            ], as: Self.dates)
    }
}

struct InputAndOutputWithHeadersRequest: RestJSONRequest {
    typealias Response = HeaderValues
    var values = HeaderValues()
    var path: URLPath { "InputAndOutputWithHeaders" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders {
        [
            "X-String": values.string, "X-Byte": values.byte, "X-Short": values.short, "X-Integer": values.integer,
            "X-Long": values.long, "X-Float": values.float.map { NumberOrWord($0) },
            "X-Double": values.double.map { NumberOrWord($0) }, "X-Boolean1": values.trueBoolean,
            "X-Boolean2": values.falseBoolean, "X-StringList": values.strings, "X-StringSet": values.stringSet,
            "X-IntegerList": values.integers, "X-BooleanList": values.booleans, "X-TimestampList": values.timestamps,
            "X-Enum": values.fooEnum, "X-EnumList": values.fooEnums, "X-IntegerEnum": values.integerEnum,
            "X-IntegerEnumList": values.integerEnums,
        ]
    }
}

struct HeaderValues: APIResponse, Equatable {
    var string: String?
    var byte: Int?
    var short: Int?
    var integer: Int?
    var long: Int?
    var float: Float?
    var double: Double?
    var trueBoolean: Bool?
    var falseBoolean: Bool?
    var strings: [String] = []
    var stringSet: Set<String> = []
    var integers: [Int] = []
    var booleans: [Bool] = []
    var timestamps: [Date] = []
    var fooEnum: FooEnum?
    var fooEnums: [FooEnum] = []
    var integerEnum: IntegerEnum?
    var integerEnums: [IntegerEnum] = []

    static func process(response: HTTPResponse) async throws -> HeaderValues {
        let headers = response.head.headers
        var values = HeaderValues()
        values.string = headers["X-String"]
        values.byte = headers.integer("X-Byte")
        values.short = headers.integer("X-Short")
        values.integer = headers.integer("X-Integer")
        values.long = headers.integer("X-Long")
        values.float = headers["X-Float"].flatMap { Float($0) }
        values.double = headers["X-Double"].flatMap { Double($0) }
        values.trueBoolean = headers["X-Boolean1"].flatMap { Bool($0) }
        values.falseBoolean = headers["X-Boolean2"].flatMap { Bool($0) }
        values.strings = headers.list("X-StringList")
        values.stringSet = Set(headers.list("X-StringSet"))
        values.integers = headers.list("X-IntegerList").compactMap { Int($0) }
        values.booleans = headers.list("X-BooleanList").compactMap { Bool($0) }
        values.timestamps = httpDates(headers["X-TimestampList"] ?? "")
        values.fooEnum = headers["X-Enum"].flatMap { FooEnum(rawValue: $0) }
        values.fooEnums = headers.list("X-EnumList").compactMap { FooEnum(rawValue: $0) }
        values.integerEnum = headers.integer("X-IntegerEnum").flatMap { IntegerEnum(rawValue: $0) }
        values.integerEnums = headers.list("X-IntegerEnumList").compactMap { Int($0) }
            .compactMap { IntegerEnum(rawValue: $0) }
        return values
    }

    /// The dates of a list that is separated by commas. Each date contains a comma, after the day of the week.
    private static func httpDates(_ text: String) -> [Date] {
        let parts = text.split(separator: ",")
        return stride(from: 0, to: parts.count - 1, by: 2).compactMap { index in
            Date(httpDate: parts[index].trimmingCharacters(in: .whitespaces) + "," + parts[index + 1])
        }
    }
}

struct NullAndEmptyHeadersRequest: RestJSONRequest {
    typealias Response = NoContent
    var a: String?
    var b: String?
    var c: [String]?
    var path: URLPath { "NullAndEmptyHeadersClient" }
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["X-A": a, "X-B": b, "X-C": c]
        if c?.isEmpty == true { headers["X-C"] = "" }
        return headers
    }
}

struct HTTPPrefixHeadersRequest: RestJSONRequest {
    typealias Response = PrefixHeaders
    var foo: String?
    var fooMap: [String: String] = [:]
    var path: URLPath { "HttpPrefixHeaders" }
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["X-Foo": foo]
        for (name, value) in fooMap.sorted(by: { $0.key < $1.key }) {
            headers.append(value, for: HTTPHeaders.Name(rawValue: "X-Foo-" + name))
        }
        return headers
    }
}

struct PrefixHeaders: APIResponse, Equatable {
    var foo: String?
    var fooMap: [String: String] = [:]

    static func process(response: HTTPResponse) async throws -> PrefixHeaders {
        var result = PrefixHeaders(foo: response.head.headers["X-Foo"])
        let prefix = "x-foo-"
        for header in response.head.headers where header.name.rawValue.lowercased().hasPrefix(prefix) {
            result.fooMap[String(header.name.rawValue.dropFirst(prefix.count))] = header.value
        }
        return result
    }
}

struct HTTPPrefixHeadersInResponseRequest: RestJSONRequest {
    typealias Response = AllHeaders
    var path: URLPath { "HttpPrefixHeadersResponse" }
}

struct AllHeaders: APIResponse, Equatable {
    var prefixHeaders: [String: String] = [:]

    static func process(response: HTTPResponse) async throws -> AllHeaders {
        var result = AllHeaders()
        for header in response.head.headers { result.prefixHeaders[header.name.rawValue] = header.value }
        return result
    }
}

struct MediaTypeHeaderRequest: RestJSONRequest {
    typealias Response = MediaTypeHeader
    var json: Data?
    var path: URLPath { "MediaTypeHeader" }
    var headers: HTTPHeaders { ["X-Json": json] }
}

struct MediaTypeHeader: APIResponse, Equatable {
    var json: Data?

    static func process(response: HTTPResponse) async throws -> MediaTypeHeader {
        MediaTypeHeader(json: response.head.headers["X-Json"].flatMap { Data(base64Encoded: $0) })
    }
}

struct TimestampFormatHeadersRequest: RestJSONRequest {
    typealias Response = TimestampHeaders
    var dates: TimestampHeaders
    var path: URLPath { "TimestampFormatHeaders" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders {
        [
            "X-memberEpochSeconds": dates.memberEpochSeconds.map { UnixDate($0) },
            "X-memberHttpDate": dates.memberHTTPDate,
            "X-memberDateTime": dates.memberDateTime.map { ISO8601Date($0) },
            "X-defaultFormat": dates.defaultFormat,
            "X-targetEpochSeconds": dates.targetEpochSeconds.map { UnixDate($0) },
            "X-targetHttpDate": dates.targetHTTPDate,
            "X-targetDateTime": dates.targetDateTime.map { ISO8601Date($0) },
        ]
    }
}

struct TimestampHeaders: APIResponse, Equatable {
    var memberEpochSeconds: Date?
    var memberHTTPDate: Date?
    var memberDateTime: Date?
    var defaultFormat: Date?
    var targetEpochSeconds: Date?
    var targetHTTPDate: Date?
    var targetDateTime: Date?

    static func process(response: HTTPResponse) async throws -> TimestampHeaders {
        let headers = response.head.headers
        return TimestampHeaders(
            memberEpochSeconds: headers.integer("X-memberEpochSeconds").map(date),
            memberHTTPDate: headers.date("X-memberHttpDate"),
            memberDateTime: headers["X-memberDateTime"].flatMap(date),
            defaultFormat: headers.date("X-defaultFormat"),
            targetEpochSeconds: headers.integer("X-targetEpochSeconds").map(date),
            targetHTTPDate: headers.date("X-targetHttpDate"),
            targetDateTime: headers["X-targetDateTime"].flatMap(date))
    }

    private static func date(seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

    private static func date(text: String) -> Date? { try? Date(text, strategy: .iso8601) }
}
