import APIKit
import Foundation
import SuiteSupport
import Testing

@Suite struct PathTests {
    @Test(.scenario("RestJsonInputWithHeadersAndAllParams"))
    func sendsEveryType() async throws {
        try await expect(
            HTTPRequestWithLabels(string: "string"), sends: "GET",
            "/HttpRequestWithLabels/string/1/2/3/4.1/5.1/true/2019-12-16T23%3A48%3A18Z")
    }

    @Test(.scenario("RestJsonHttpRequestLabelEscaping"))
    func encodesReservedCharacters() async throws {
        try await expect(
            HTTPRequestWithLabels(string: " %:/?#[]@!$&'()*+,;=😹"), sends: "GET",
            "/HttpRequestWithLabels/%20%25%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%F0%9F%98%B9"
                + "/1/2/3/4.1/5.1/true/2019-12-16T23%3A48%3A18Z")
    }

    @Test(
        .scenario(
            "RestJsonSupportsNaNFloatLabels", "RestJsonSupportsInfinityFloatLabels",
            "RestJsonSupportsNegativeInfinityFloatLabels", byHand: "the words for infinity and NaN"),
        arguments: [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")])
    func sendsNumbersThatAreNotFinite(number: Double, word: String) async throws {
        try await expect(
            HTTPRequestWithFloatLabels(float: Float(number), double: number), sends: "GET",
            "/FloatHttpLabels/\(word)/\(word)")
    }

    @Test(.scenario("RestJsonHttpRequestWithGreedyLabelInPath"))
    func keepsTheSlashesOfSegments() async throws {
        try await expect(
            HTTPRequestWithGreedyLabelInPath(foo: "hello/escape", baz: "there/guy"), sends: "GET",
            "/HttpRequestWithGreedyLabelInPath/foo/hello%2Fescape/baz/there/guy")
    }

    @Test(.scenario("RestJsonHttpRequestWithLabelsAndTimestampFormat"))
    func sendsDatesInEachFormat() async throws {
        try await expect(
            HTTPRequestWithLabelsAndTimestampFormat(date: Date(timeIntervalSince1970: 1_576_540_098)), sends: "GET",
            "/HttpRequestWithLabelsAndTimestampFormat/1576540098/Mon%2C%2016%20Dec%202019%2023%3A48%3A18%20GMT"
                + "/2019-12-16T23%3A48%3A18Z/2019-12-16T23%3A48%3A18Z/1576540098"
                + "/Mon%2C%2016%20Dec%202019%2023%3A48%3A18%20GMT/2019-12-16T23%3A48%3A18Z")
    }

    @Test(.scenario("RestJsonToleratesRegexCharsInSegments"))
    func keepsPunctuationOfLiteralText() async throws {
        try await expect(HTTPRequestWithRegexLiteral(text: "abc"), sends: "GET", "/ReDosLiteral/abc/(a+)+")
    }

    @Test(.scenario("RestJsonEndpointTrait"))
    func sendsToAHostOfItsOwn() async throws {
        try await expect(EndpointOperation(), sends: "POST", "/EndpointOperation")
        #expect(try EndpointOperation().httpRequest().url.host() == "foo.example.com")
    }

    @Test(.scenario("RestJsonEndpointTraitWithHostLabel"))
    func sendsToAHostWithAValue() async throws {
        let request = EndpointWithHostLabelOperation(label: "bar")
        try await expect(request, sends: "POST", "/EndpointWithHostLabelOperation", .json(#"{"label": "bar"}"#))
        #expect(try request.httpRequest().url.host() == "foo.bar.example.com")
    }

    @Test(.scenario("RestJsonHostWithPath"))
    func appendsToThePathOfTheBase() async throws {
        try await expect(HostWithPathOperation(), sends: "GET", "/custom/HostWithPathOperation")
        #expect(try HostWithPathOperation().httpRequest().url.host() == "example.com")
    }
}

struct HTTPRequestWithLabels: RestJSONRequest {
    typealias Response = NoContent
    var string: String
    var short: Int16 = 1
    var integer = 2
    var long: Int64 = 3
    var float: Float = 4.1
    var double = 5.1
    var boolean = true
    var timestamp = Date(timeIntervalSince1970: 1_576_540_098)
    var path: URLPath {
        """
        HttpRequestWithLabels/\(list: string)/\(short)/\(integer)/\(long)/\(list: float)/\(list: double)/\(list: boolean)/\
        \(list: timestamp)
        """
    }
}

struct HTTPRequestWithFloatLabels: RestJSONRequest {
    typealias Response = NoContent
    var float: Float
    var double: Double
    var path: URLPath { "FloatHttpLabels/\(list: NumberOrWord(float))/\(list: NumberOrWord(double))" }
}

struct HTTPRequestWithGreedyLabelInPath: RestJSONRequest {
    typealias Response = NoContent
    var foo: String
    var baz: String
    var path: URLPath { "HttpRequestWithGreedyLabelInPath/foo/\(foo)/baz/\(segments: baz)" }
}

struct HTTPRequestWithLabelsAndTimestampFormat: RestJSONRequest {
    typealias Response = NoContent
    var memberEpochSeconds: UnixDate
    var memberHTTPDate: HTTPDate
    var memberDateTime: ISO8601Date
    var defaultFormat: Date
    var targetEpochSeconds: UnixDate
    var targetHTTPDate: HTTPDate
    var targetDateTime: ISO8601Date

    /// Creates a request in which all dates are the same.
    init(date: Date) {
        memberEpochSeconds = UnixDate(date)
        memberHTTPDate = HTTPDate(date)
        memberDateTime = ISO8601Date(date)
        defaultFormat = date
        targetEpochSeconds = UnixDate(date)
        targetHTTPDate = HTTPDate(date)
        targetDateTime = ISO8601Date(date)
    }

    var path: URLPath {
        """
        HttpRequestWithLabelsAndTimestampFormat/\(list: memberEpochSeconds)/\(list: memberHTTPDate)/\
        \(list: memberDateTime)/\(list: defaultFormat)/\(list: targetEpochSeconds)/\(list: targetHTTPDate)/\
        \(list: targetDateTime)
        """
    }
}

struct HTTPRequestWithRegexLiteral: RestJSONRequest {
    typealias Response = NoContent
    var text: String
    var path: URLPath { "ReDosLiteral/\(text)/(a+)+" }
}

struct EndpointOperation: APIRequest {
    typealias Response = NoContent
    var base: APIBase { "https://foo.example.com" }
    var path: URLPath { "EndpointOperation" }
    var method: HTTPMethod { .post }
}

struct EndpointWithHostLabelOperation: JSONRequest {
    typealias Response = NoContent
    var label: String
    var base: APIBase { APIBase("https://foo.\(label).example.com") }
    var path: URLPath { "EndpointWithHostLabelOperation" }
    var method: HTTPMethod { .post }
    var parameters: Parameters { ["label": label] }
}

struct HostWithPathOperation: APIRequest {
    typealias Response = NoContent
    var base: APIBase { "https://example.com/custom" }
    var path: URLPath { "HostWithPathOperation" }
}
