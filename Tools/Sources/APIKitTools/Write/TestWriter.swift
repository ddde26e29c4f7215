import Foundation

/// Writes tests for each endpoint of a recording: that its response can be read, and that its request has the recorded
/// path.
struct TestWriter {
    let plan: Plan
    let samples: [String: RecordingReader.Sample]
    let filter: Filter

    /// The files, one for each endpoint that has a sample.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a text of the recording would become code.
    func files() throws -> [SourceFile] {
        var files: [SourceFile] = []
        for shape in plan.endpoints where filter.matches(shape.endpoint) {
            guard let sample = samples[RecordingReader.key(shape.endpoint)] else { continue }
            let tests = [responseTest(shape, sample), requestTest(shape, sample)].compactMap(\.self)
            guard !tests.isEmpty else { continue }
            files.append(try file("\(shape.name)Tests", tests))
        }
        return files
    }

    private func file(_ name: String, _ tests: [[String]]) throws -> SourceFile {
        let attribute = plan.options.isPublic ? "" : "@testable "
        let head = [
            "import APIKit", "import Testing", "",
            "\(attribute)import \(plan.options.name)", "",
            "@Suite struct \(name) {",
        ]
        let body = Lines.indented(Array(tests.joined(separator: [""])))
        return try SourceFile(path: "\(name).swift", lines: head + body + ["}"])
    }

    // MARK: - Responses

    /// The test of the response; nil if that is not JSON.
    private func responseTest(_ shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String]? {
        guard let node = sample.exchange.response else { return nil }
        switch shape.reply.readings.first {
        case .json, .envelope: break
        default: return nil
        }
        let text = SampleJSON.text(of: node)
        let marks = Self.marks(around: text)
        let head = [
            "@Test func readsARecordedResponse() throws {",
            "    _ = try \(shape.name).Response.process(data: Data(response.utf8))",
            "}",
            "",
            "private let response = \(marks)\"\"\"",
        ]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return head + Lines.indented(lines) + ["    \"\"\"\(marks)"]
    }

    /// As many `#` as a literal needs so that the text neither ends it nor contains an escape. UTF-8 is searched, as in
    /// the compiler: in a String, a combining character after a quote would hide the quote.
    private static func marks(around text: String) -> String {
        var marks = "#"
        while true {
            let hasEnd = text.utf8.contains("\"\"\"\(marks)".utf8)
            let hasEscape = text.utf8.contains("\\\(marks)".utf8)
            if !hasEnd, !hasEscape { return marks }
            marks += "#"
        }
    }

    // MARK: - Requests

    /// The test of the path; nil if the recording lacks a value that the request needs.
    private func requestTest(_ shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String]? {
        var arguments: [String] = []
        for item in EndpointProperties(plan, shape).all where item.property.isArgument {
            guard let literal = literal(item, sample) else { return nil }
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

    /// The recorded value of a property as a literal of its type; nil if nothing was recorded or no literal fits.
    private func literal(_ item: EndpointProperties.Item, _ sample: RecordingReader.Sample) -> String? {
        guard let value = sample.value(of: item) else { return nil }
        let isLiteral: Bool
        switch item.property.type {
        case "String": return Lines.literal(value)
        case "Int", "Int64": isLiteral = Int(value) != nil
        case "Double": isLiteral = value.wholeMatch(of: /-?\d+(\.\d+)?([Ee][-+]?\d+)?/) != nil
        case "Bool": isLiteral = value == "true" || value == "false"
        default: isLiteral = false
        }
        return isLiteral ? value : nil
    }
}

extension Property {
    /// Whether the initializer needs an argument for the property.
    fileprivate var isArgument: Bool { isNeeded && constant == nil }
}

extension RecordingReader.Sample {
    /// The path of the request, decoded.
    fileprivate var sentPath: String {
        let path = "/" + exchange.path.joined(separator: "/")
        return path.removingPercentEncoding ?? path
    }

    /// The text that was sent for a property of an endpoint; nil if nothing, a list or an object was sent.
    fileprivate func value(of item: EndpointProperties.Item) -> String? {
        let name = item.property.wireName
        switch item.source {
        case .path:
            guard let value = values[name] else { return nil }
            return value.removingPercentEncoding ?? value
        case .query: return exchange.query.first { $0.name == name }?.value
        case .header: return exchange.headers.first { $0.name == name.lowercased() }?.value
        case .body: return member(name)
        case .page: return nil
        }
    }

    /// A member of the body as a text; nil if it is a list or an object.
    private func member(_ name: String) -> String? {
        guard case .object(let members)? = exchange.body?.content else { return nil }
        switch members[name]?.content {
        case .text(let text)?, .number(let text)?: return text
        case .boolean(let flag)?: return "\(flag)"
        case .list?, .object?, .null?, nil: return nil
        }
    }
}
