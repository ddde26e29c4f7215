import APIKit
import Foundation
import SuiteSupport
import Testing

// What the endpoints of an API in restJson1, Smithy's protocol for JSON over HTTP, share.

extension APIBase {
    static let restJSON = APIBase("https://example.com")
}

protocol RestJSONRequest: APIRequest {}

extension RestJSONRequest {
    var base: APIBase { .restJSON }
}

/// A model in JSON, in which dates are seconds since 1970, and infinity and NaN are words.
protocol RestJSONModel: JSONResponse, JSONBody {}

extension RestJSONModel {
    static var decoder: JSONReader {
        JSONReader(
            dates: .secondsSince1970,
            nonConformingFloats: .convertFromString(
                positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN"))
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder.api
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }
}

enum FooEnum: String, Codable, ParameterValue {
    case foo = "Foo"
    case baz = "Baz"
    case bar = "Bar"
    case one = "1"
    case zero = "0"
}

enum IntegerEnum: Int, Codable, ParameterValue {
    case a = 1
    case b = 2
    case c = 3
}

struct GreetingStruct: RestJSONModel, Equatable {
    var hi: String?
}

/// A number that becomes a word in a path, a query or a header if it is infinite or NaN. The library does not send
/// these, so this is written by hand.
struct NumberOrWord<Value: BinaryFloatingPoint & ParameterValue>: ParameterValue {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    var parameterNode: Parameters.Node {
        if value.isNaN { return "NaN".parameterNode }
        if value == .infinity { return "Infinity".parameterNode }
        if value == -.infinity { return "-Infinity".parameterNode }
        return value.parameterNode
    }
}

/// Checks that the length of the body is known, so that the engine sends it as `Content-Length`.
func expectContentLength(
    _ length: Int, of request: some APIRequest, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try request.httpRequest().body?.length == length, sourceLocation: sourceLocation)
}
