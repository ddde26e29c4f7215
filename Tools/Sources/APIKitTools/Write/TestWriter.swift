import Foundation

/// Writes a test for each endpoint of a recording: its response is read, and its request has the recorded path.
struct TestWriter {
    let plan: Plan
    let samples: [String: RecordingReader.Sample]
    let filter: Filter

    /// How many elements of a list are kept.
    private static let listLimit = 3

    /// The files, one for each endpoint that has a sample.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a text of the recording would become code.
    func files() throws -> [SourceFile] {
        try plan.endpoints.indices.compactMap { index in
            let shape = plan.endpoints[index]
            guard let sample = samples[RecordingReader.key(shape.endpoint)], filter.matches(shape.endpoint) else {
                return nil
            }
            let tests = response(shape, sample) + request(shape, sample)
            guard !tests.isEmpty else { return nil }
            let name = "\(shape.name)Tests"
            let imported =
                plan.options.isPublic ? "import \(plan.options.name)" : "@testable import \(plan.options.name)"
            let lines =
                ["import APIKit", "import Testing", "", imported, "", "@Suite struct \(name) {"]
                + Lines.indented(Array(tests.dropLast())) + ["}"]
            return try SourceFile(path: "\(name).swift", lines: lines)
        }
    }

    /// The test of the response.
    private func response(_ shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String] {
        guard let node = sample.exchange.response else { return [] }
        switch shape.reply.readings.first {
        case .json, .envelope: break
        default: return []
        }
        let text = Self.json(node)
        let marks = Self.marks(around: text)
        return [
            "@Test func readsARecordedResponse() throws {",
            "    _ = try \(shape.name).Response.process(data: Data(response.utf8))", "}", "",
            "private let response = \(marks)\"\"\"",
        ] + text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" } + [
            "    \"\"\"\(marks)", "",
        ]
    }

    /// As many `#` as keep a text in a literal. The compiler compares bytes, not characters with their accents.
    private static func marks(around text: String) -> String {
        var marks = "#"
        while text.utf8.contains("\"\"\"\(marks)".utf8) || text.utf8.contains("\\\(marks)".utf8) { marks += "#" }
        return marks
    }

    /// The test of the path, if the recording has all that a request needs.
    private func request(_ shape: EndpointShape, _ sample: RecordingReader.Sample) -> [String] {
        var arguments: [String] = []
        for item in EndpointProperties(plan, shape).all where item.property.constant == nil {
            let property = item.property
            if property.isOptional || property.initialValue != nil { continue }
            guard let literal = literal(item, sample) else { return [] }
            arguments.append("\(property.code): \(literal)")
        }
        let path = Lines.literal(sample.sentPath)
        return [
            "@Test func sendsTheRecordedPath() throws {",
            "    let request = \(shape.name)(\(arguments.joined(separator: ", ")))",
            "    #expect(try request.httpRequest().url.path(percentEncoded: false) == \(path))", "}", "",
        ]
    }

    private func literal(_ item: EndpointProperties.Item, _ sample: RecordingReader.Sample) -> String? {
        let name = item.property.wireName
        let value: String? =
            switch item.source {
            case .path: sample.values[name].map { $0.removingPercentEncoding ?? $0 }
            case .query: sample.exchange.query.first { $0.name == name }?.value
            case .header: sample.exchange.headers.first { $0.name == name.lowercased() }?.value
            case .body: sample.member(name)
            case .page: nil
            }
        guard let value else { return nil }
        switch item.property.type {
        case "String": return Lines.literal(value)
        case "Int", "Int64": return Int(value) == nil ? nil : value
        case "Double": return value.wholeMatch(of: /-?\d+(\.\d+)?([Ee][-+]?\d+)?/) == nil ? nil : value
        case "Bool": return ["true", "false"].contains(value) ? value : nil
        default: return nil
        }
    }

    /// A value as indented JSON, whose lists have a few elements.
    private static func json(_ node: Node, indent: String = "") -> String {
        let inner = "\(indent)  "
        switch node.content {
        case .null: return "null"
        case .boolean(let flag): return "\(flag)"
        case .number(let text): return text
        case .text(let text): return quoted(text)
        case .list(let nodes):
            let items = nodes.prefix(listLimit).map { inner + json($0, indent: inner) }
            return items.isEmpty ? "[]" : "[\n\(items.joined(separator: ",\n"))\n\(indent)]"
        case .object(let members):
            let items = members.sorted { $0.key < $1.key }.map { name, node in
                "\(inner)\(quoted(name)): \(json(node, indent: inner))"
            }
            return items.isEmpty ? "{}" : "{\n\(items.joined(separator: ",\n"))\n\(indent)}"
        }
    }

    /// A text in JSON, in which also those characters are escaped that its reader would not see.
    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(text) else { return "\"\"" }
        var result = String.UnicodeScalarView()
        for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
            if scalar.isInvisible { result += escaped(scalar).unicodeScalars } else { result.append(scalar) }
        }
        return String(result)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in String(format: "\\u%04x", Int(unit)) }.joined()
    }
}

extension RecordingReader.Sample {
    /// The path of the request, decoded.
    fileprivate var sentPath: String {
        let path = "/" + exchange.path.joined(separator: "/")
        return path.removingPercentEncoding ?? path
    }

    /// A member of the body as a text; nil if it is a list or an object.
    fileprivate func member(_ name: String) -> String? {
        guard case .object(let members)? = exchange.body?.content else { return nil }
        switch members[name]?.content {
        case .text(let text)?, .number(let text)?: return text
        case .boolean(let flag)?: return "\(flag)"
        default: return nil
        }
    }
}
