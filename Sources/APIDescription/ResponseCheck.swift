import APIKitCore
import APIKitTesting

/// Feeds the responses that an operation describes to the types that read them.
struct ResponseCheck {
    private let operation: Operation
    private let decode: (Data) throws -> Void
    private let member: String
    private(set) var findings: [SchemaCheck.Finding] = []

    /// How many mistakes of one response are found.
    private static let findingLimit = 20

    static func findings<R: APIRequest>(
        _ endpoint: R.Type, _ operation: Operation, _ url: URL
    ) -> [SchemaCheck.Finding] {
        let responses = operation.responses
        let hasSuccess = responses.contains { $0.status.hasPrefix("2") }
        return responses.flatMap { status, node in
            // 301 of `301`, 200 of `2XX`.
            let code = Int(status.replacing("X", with: "0").replacing("x", with: "0")) ?? (hasSuccess ? 500 : 200)
            let isSuccess = R.Response.isSuccess(HTTPResponse.Head(status: code, url: url))
            // Of a redirect nothing is read; what counts as a success in spite of its status is read in its own way.
            guard !(300..<400 ~= code), !isSuccess || 200..<300 ~= code else { return [] as [SchemaCheck.Finding] }
            var check = ResponseCheck(operation: operation, member: "response \(status)") { data in
                if isSuccess {
                    _ = try R.Response.process(data: data)
                } else {
                    _ = try R.Failure.process(data: data)
                }
            }
            let content = node["content"]?.members ?? []
            if content.isEmpty, isSuccess, operation.method != "HEAD" { check.checkEmpty(node) }
            if !content.isEmpty, isSuccess { check.checkTypes(R.Response.acceptedTypes, of: node) }
            // The elements of a stream have a format of their own.
            guard !isSuccess || R.Response.delivery != .stream else { return check.findings }
            for (type, media) in content where RequestCheck.isJSON(MIMEType(rawValue: type).essence) {
                check.checkMedia(media)
            }
            return check.findings
        }
    }

    private init(operation: Operation, member: String, decode: @escaping (Data) throws -> Void) {
        self.operation = operation
        self.member = member
        self.decode = decode
    }

    private mutating func add(
        _ code: APIDescription.Problem.Code, _ member: String, _ message: String, _ pointer: String
    ) {
        findings.append(.init(code: code, member: member, message: message, pointer: pointer))
    }

    /// Checks a response without a body.
    private mutating func checkEmpty(_ node: Node) {
        do {
            try decode(Data())
        } catch {
            add(.unreadableValue, member, "has no body, and the response type needs one", node.pointer)
        }
    }

    /// Checks that the response type reads one of the types that are described.
    private mutating func checkTypes(_ accepted: [MIMEType], of node: Node) {
        guard !accepted.isEmpty, let content = node["content"] else { return }
        let acceptsJSON = accepted.contains { RequestCheck.isJSON($0.essence) }
        let isRead = content.members.contains { type, _ in
            let essence = MIMEType(rawValue: type).essence
            return essence == "*/*" || acceptsJSON && RequestCheck.isJSON(essence)
                || accepted.contains { $0.essence == essence || essence == "\($0.essence.prefix { $0 != "/" })/*" }
        }
        if !isRead {
            let types = content.members.map(\.name).joined(separator: ", ")
            let own = accepted.map(\.essence).joined(separator: ", ")
            add(.contentType, member, "is \(types), and the response type reads \(own)", content.pointer)
        }
    }

    private mutating func checkMedia(_ media: Node) {
        for example in media.responseExamples {
            do {
                try decode(Data(example.value.text().utf8))
            } catch {
                // If the schema does not accept it either, whose mistake it is cannot be known.
                let own = media["schema"].flatMap { SchemaCheck.findings(example.value, $0, "", .response).first }
                let problem = own.map { "; it is not as its schema says: \($0.member) \($0.message)" } ?? ""
                add(own == nil ? .unreadableExample : .invalidExample, error, " in the example\(problem)", example.pointer)
            }
        }
        // Of a free object or a scalar alone, a sample says nothing.
        if let schema = media["schema"], !schema.kinds.isEmpty, schema.kinds != ["object"] || !schema.propertyNames.isEmpty {
            checkSamples(of: schema)
        }
    }

    /// Feeds values that the schema allows. A decoder reports one mistake at a time, so each is mended to find the next.
    private mutating func checkSamples(of schema: Node) {
        var sample = SampleValue(.full)
        guard let value = sample.value(of: schema), isAccepted(value, schema) else { return }
        do {
            try decode(Data(value.text().utf8))
        } catch {
            let place = schema.member(at: SampleValue.names(of: error)) ?? schema.resolved
            return add(.unreadableValue, error, "", place.pointer)
        }
        let choices = (1..<max(sample.choiceCount, 1)).map(SampleValue.Variation.choice)
        for variation in [.required, .null] + choices {
            var fixed: Set<String> = []
            while findings.count < Self.findingLimit {
                var sample = SampleValue(variation, fixed: fixed)
                guard let value = sample.value(of: schema), isAccepted(value, schema) else { break }
                do {
                    try decode(Data(value.text().utf8))
                    break
                } catch {
                    guard let (name, change) = sample.change(of: SampleValue.names(of: error)) else { break }
                    fixed.insert(name)
                    add(.unreadableValue, error, ", which the description allows", change)
                }
            }
        }
    }

    private func isAccepted(_ value: JSONValue, _ schema: Node) -> Bool {
        SchemaCheck.findings(value, schema, "", .response).isEmpty
    }

    /// Adds what a decoder reports.
    private mutating func add(
        _ code: APIDescription.Problem.Code, _ error: any Error, _ detail: String, _ pointer: String
    ) {
        let place = SampleValue.names(of: error).reduce(into: "") { text, name in
            text += Int(name) != nil ? "[\(name)]" : text.isEmpty ? name : ".\(name)"
        }
        let text = ErrorText.of(error)
        let isNamed = !place.isEmpty && text.hasPrefix(place)
        let problem = isNamed ? String(text.dropFirst(place.count)) : ": \(text)"
        let message = problem.hasPrefix(":") ? "cannot be read\(problem)" : String(problem.dropFirst())
        add(code, place.isEmpty ? member : "\(member) \(place)", message + detail, pointer)
    }
}

extension Operation {
    /// The responses by their status, which is `default` for those that have no other.
    var responses: [(status: String, node: Node)] {
        (node["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.node.resolved) }
    }
}

extension Node {
    /// The examples of a media type or, without any, those of its schema.
    var responseExamples: [Node] {
        let named = self["examples"]?.members.compactMap { $0.node.resolved["value"] } ?? []
        let own = named + [self["example"]].compactMap(\.self)
        guard own.isEmpty, let schema = self["schema"]?.resolved else { return own }
        return [schema["example"]].compactMap(\.self) + (schema["examples"]?.elements ?? [])
    }

    /// The schema of what a decoder names; nil if there is none.
    func member(at names: [String]) -> Node? {
        names.reduce(self as Node?) { schema, name in
            guard let schema else { return nil }
            if Int(name) != nil { return schema.parts.lazy.compactMap { $0["items"] }.first }
            return schema.property(name)
        }?.resolved
    }
}
