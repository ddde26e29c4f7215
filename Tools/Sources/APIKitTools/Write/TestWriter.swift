import Foundation
import OpenAPIRules

/// Writes tests for each endpoint of a recording: that its response can be read, and that its request has the recorded
/// path.
///
/// A sample is the recorded exchange of an endpoint that its tests are written from.
struct TestWriter {
    let plan: Plan
    /// The samples, by the method and the path of their endpoints.
    let samples: [String: RecordingReader.Sample]
    let filter: Filter

    /// Writes a file for each chosen endpoint that has a sample.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a line contains an invisible character, such as a line separator. With
    ///   one, a text of the recording could end its literal and become code.
    func files() throws -> [SourceFile] {
        var files: [SourceFile] = []
        for shape in plan.endpoints where filter.matches(shape.endpoint) {
            guard let sample = samples[RecordingReader.key(shape.endpoint)] else { continue }
            var tests: [[String]] = []
            if let test = responseTest(for: shape, sample) { tests.append(test) }
            if let test = requestTest(for: shape, sample) { tests.append(test) }
            if !tests.isEmpty { files.append(try file("\(shape.name)Tests", tests)) }
        }
        return files
    }

    /// Writes a file with a suite of tests, each of which is given by its lines. Only the tests of internal code need a
    /// testable import:
    ///
    ///     import APIKit
    ///     import Testing
    ///
    ///     @testable import Shop
    ///
    ///     @Suite struct OrdersRequestTests {
    ///         …
    ///     }
    private func file(_ name: String, _ tests: [[String]]) throws -> SourceFile {
        let attribute = plan.endpointsArePublic ? "" : "@testable "
        let head = [
            "import APIKit", "import Testing", "",
            "\(attribute)import \(plan.options.name)", "",
            "@Suite struct \(name) {",
        ]
        let body = Lines.indented(Lines.sections(tests))
        return try SourceFile(path: "\(name).swift", lines: head + body + ["}"])
    }

    // MARK: - Responses

    /// Writes the test of a response, with the recorded JSON in a literal of several lines. The signs `#` around the
    /// literal make it raw, so that the JSON needs no escapes. Nil if the response is not JSON.
    ///
    ///     @Test func readsARecordedResponse() throws {
    ///         _ = try OrderRequest.Response.process(data: Data(response.utf8))
    ///     }
    ///
    ///     private let response = #"""
    ///         {
    ///           "id": 1
    ///         }
    ///         """#
    private func responseTest(for shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String]? {
        guard let node = sample.exchange.response, shape.readsSingleJSON else { return nil }
        let json = SampleJSON.text(of: node)
        let poundSigns = Self.poundSigns(around: json)
        let head = [
            "@Test func readsARecordedResponse() throws {",
            "    _ = try \(shape.name).Response.process(data: Data(response.utf8))",
            "}",
            "",
            "private let response = \(poundSigns)\"\"\"",
        ]
        let jsonLines = json.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return head + Lines.indented(jsonLines) + ["    \"\"\"\(poundSigns)"]
    }

    /// The signs `#`, one or more, that a raw literal of several lines needs around a text. There are so many that the
    /// text neither ends the literal nor contains an escape: `##` for a text with `"""#` or `\#`.
    private static func poundSigns(around text: String) -> String {
        var poundSigns = "#"
        while true {
            // UTF-8 is searched, as the compiler does. In a String, a quote and a combining character after it are a
            // single Character, in which the quote would not be found.
            let hasEndOfLiteral = text.utf8.contains("\"\"\"\(poundSigns)".utf8)
            let hasEscape = text.utf8.contains("\\\(poundSigns)".utf8)
            if !hasEndOfLiteral, !hasEscape { return poundSigns }
            poundSigns += "#"
        }
    }

    // MARK: - Requests

    /// Writes the test of a request's path; nil if the recording lacks a value that the request needs:
    ///
    ///     @Test func sendsTheRecordedPath() throws {
    ///         let request = OrderRequest(id: 1)
    ///         #expect(try request.httpRequest().url.path(percentEncoded: false) == "/orders/1")
    ///     }
    private func requestTest(for shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String]? {
        var arguments: [String] = []
        for item in EndpointProperties(plan, shape).all where item.property.isRequiredArgument {
            guard let literal = literal(for: item, sample) else { return nil }
            arguments.append("\(item.property.code): \(literal)")
        }
        let path = Lines.literal(sample.sentPath)
        return [
            "@Test func sendsTheRecordedPath() throws {",
            "    let request = \(shape.name)(\(arguments.joined(separator: ", ")))",
            "    #expect(try request.httpRequest().url.path(percentEncoded: false) == \(path))",
            "}",
        ]
    }

    /// The recorded value of a property as a literal of its type, such as `1` for an Int; nil if no value was recorded,
    /// or if it is not a value of that type.
    private func literal(for item: EndpointProperty, _ sample: RecordingReader.Sample) -> String? {
        guard let value = sample.value(of: item) else { return nil }
        switch item.property.type {
        case "String":
            return Lines.literal(value)
        case "Int", "Int64":
            return Int(value) == nil ? nil : value
        case "Double":
            let isNumber = value.wholeMatch(of: /-?\d+(\.\d+)?([Ee][-+]?\d+)?/) != nil
            return isNumber ? value : nil
        case "Bool":
            return ["true", "false"].contains(value) ? value : nil
        default:
            return nil
        }
    }
}

extension EndpointShape {
    /// Whether the endpoint's response is read as a single JSON value, not as a stream of values or as something else.
    /// If statuses have different contents, the first one counts, which is also the one for data without a status.
    fileprivate var readsSingleJSON: Bool {
        guard let firstReading = reply.readings.first else { return false }
        switch firstReading {
        case .json, .envelope: return true
        case .none, .text, .bytes, .file, .events, .lines: return false
        }
    }
}

extension Property {
    /// Whether the initializer needs an argument for the property.
    fileprivate var isRequiredArgument: Bool { isRequired && constant == nil }
}

extension RecordingReader.Sample {
    /// The path of the request, decoded.
    fileprivate var sentPath: String {
        let path = "/" + exchange.path.joined(separator: "/")
        return path.removingPercentEncoding ?? path
    }

    /// Finds the text that was sent for a property of an endpoint; nil if nothing, a list or an object was sent.
    fileprivate func value(of item: EndpointProperty) -> String? {
        let name = item.property.wireName
        switch item.source {
        case .path:
            // `values` has the parts of the path that stand for its parameters.
            guard let value = values[name] else { return nil }
            return value.removingPercentEncoding ?? value
        case .query:
            return exchange.query.first { $0.name == name }?.value
        case .header:
            // The recorded names are in lower case.
            return exchange.headers.first { $0.name == name.lowercased() }?.value
        case .body:
            return textOfMember(name)
        case .page:
            // The first request of a list has no link to a page.
            return nil
        }
    }

    /// The value of a member of the body as a text; nil if it is a list or an object.
    private func textOfMember(_ name: String) -> String? {
        guard case .object(let members)? = exchange.body?.content else { return nil }
        switch members[name]?.content {
        case .text(let text)?, .number(let text)?: return text
        case .boolean(let flag)?: return "\(flag)"
        case .list?, .object?, .null?, nil: return nil
        }
    }
}
