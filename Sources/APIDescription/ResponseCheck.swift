import APIKitCore
import APIKitTesting

/// Checks that an endpoint's response and failure types decode the responses that an operation describes.
///
/// The types decode the examples of the description and sample values that are created from its schemas.
struct ResponseCheck {
    /// The name of the response in problems, such as `response 200`.
    private let member: String
    /// Decodes the response type or the failure type.
    private let decode: (Data) throws -> Any
    private var problems: [APIDescription.Problem] = []

    /// The greatest number of problems of one response, and of attempts to decode one sample.
    private static let limit = 40

    private init(member: String, decode: @escaping (Data) throws -> Any) {
        self.member = member
        self.decode = decode
    }

    static func problems<R: APIRequest>(
        _ endpoint: R.Type, _ operation: Operation, _ request: HTTPRequest, _ description: APIDescription
    ) -> [APIDescription.Problem] {
        var problems: [APIDescription.Problem] = []
        for (status, response) in operation.responses {
            let code = statusCode(of: status, operation)
            let isSuccess = R.Response.isSuccess(HTTPResponse.Head(status: code, url: request.url))
            guard isRead(code, isSuccess: isSuccess) else { continue }
            let member = "response \(status)"
            var check: ResponseCheck
            if isSuccess {
                check = ResponseCheck(member: member) { try R.Response.process(data: $0) }
                check.checkSuccess(R.Response.acceptedTypes, response, operation)
            } else {
                check = ResponseCheck(member: member) { try R.Failure.process(data: $0) }
            }
            // A stream is a sequence of elements in a format such as server-sent events, not a value of the schema.
            let isStream = isSuccess && R.Response.delivery == .stream
            if !isStream {
                for media in jsonContents(of: response, request) { check.checkValues(media, description) }
            }
            // The failures of an operation often share a schema. Its problems are reported only for the first of them.
            let reported = Set(problems.map(\.pointer))
            problems += check.problems.filter { !reported.contains($0.pointer) }
        }
        return problems
    }

    /// A status code for a status of the description, such as 404 for `404`, 200 for `2XX` and 500 for `default`.
    private static func statusCode(of status: String, _ operation: Operation) -> Int {
        if let code = Int(status.uppercased().replacing("X", with: "0")) { return code }
        // `default` usually describes failures. If no success is described, it describes the success.
        let describesSuccess = operation.responses.contains { $0.status.hasPrefix("2") }
        return describesSuccess ? 500 : 200
    }

    /// Whether the body of a response is decoded in the usual way.
    ///
    /// The body of a redirect is not decoded. A response type that accepts another status as a success, such as 404 as
    /// "no value", treats that status in a special way, so its body is not checked.
    private static func isRead(_ code: Int, isSuccess: Bool) -> Bool {
        switch code {
        case 200..<300: true
        case 300..<400: false
        default: !isSuccess
        }
    }

    /// The JSON contents of a response: those that the `Accept` header names or, if it names none of them, all.
    private static func jsonContents(of response: Node, _ request: HTTPRequest) -> [Node] {
        let accepted = (request.headers[.accept] ?? "").split(separator: ",").map { type in
            MIMEType(rawValue: String(type)).essence
        }
        let contents = (response["content"]?.members ?? []).map { type, media in
            (essence: MIMEType(rawValue: type).essence, media: media)
        }
        let json = contents.filter(\.essence.isJSON)
        let acceptedJSON = json.filter { accepted.contains($0.essence) }
        return (acceptedJSON.isEmpty ? json : acceptedJSON).map(\.media)
    }

    // MARK: - Content types

    /// Checks that the response type reads a content type of a success, or an empty body if none is described.
    private mutating func checkSuccess(_ accepted: [MIMEType], _ response: Node, _ operation: Operation) {
        if let content = response["content"], !content.members.isEmpty {
            checkTypes(accepted, content)
        } else if operation.method != "HEAD", failure(of: Data()) != nil {
            let message = "has no body, and the response type needs one"
            problems.add(.unreadableValue, member, message, response.pointer)
        }
    }

    private mutating func checkTypes(_ accepted: [MIMEType], _ content: Node) {
        guard !accepted.isEmpty else { return }
        let types = content.members.map { MIMEType(rawValue: $0.name).essence }
        let hasJSON = types.contains(where: \.isJSON)
        for type in accepted {
            let readsJSON = hasJSON && type.essence.isJSON
            if readsJSON || content.media(type.essence) != nil { return }
        }
        let own = accepted.map(\.essence).joined(separator: ", ")
        let message = "is \(types.joined(separator: ", ")), and the response type reads \(own)"
        problems.add(.contentType, member, message, content.pointer)
    }

    // MARK: - Values

    private mutating func checkValues(_ media: Node, _ description: APIDescription) {
        for example in media.responseExamples { check(example, of: media) }
        guard let schema = media["schema"], schema.describesMembers else { return }
        var full = SampleValue(.full)
        guard checkSamples(&full, schema) else { return }
        if let sample = full.value(of: schema) {
            checkUndescribedMembers(sample, schema, description)
        }
        let others = (1..<full.choiceCount).map(SampleValue.Variation.other)
        // These samples start with the choices with which the full value was decoded, so that the problems of the full
        // value are not reported again.
        for variation in [.required, .null] + others {
            var sample = SampleValue(variation, picks: full.mended)
            _ = checkSamples(&sample, schema)
        }
    }

    private mutating func check(_ example: Node, of media: Node) {
        guard let error = failure(of: Data(example.value.text().utf8)) else { return }
        // An example that does not fit its own schema is a mistake of the description, not of the model.
        if let mistake = media.mistake(in: example, at: .named("")) {
            let detail = "; its schema does not accept it: \(mistake.member) \(mistake.message)"
            add(.invalidExample, error, " in the example\(detail)", example.pointer)
        } else {
            add(.unreadableExample, error, " in the example", example.pointer)
        }
    }

    /// Decodes a sample value until decoding succeeds, and adds a problem for each error.
    ///
    /// Decoding stops at the first error. The sample is therefore changed at the place of each error to find the next.
    ///
    /// - Returns: Whether the last sample was decoded; false also if no valid sample can be created.
    private mutating func checkSamples(_ sample: inout SampleValue, _ schema: Node) -> Bool {
        for _ in 0..<Self.limit {
            guard problems.count < Self.limit, let value = sample.value(of: schema) else { return false }
            let isValid = SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
            guard isValid else { return false }
            guard let error = failure(of: Data(value.text().utf8)) else { return true }
            guard mend(&sample, error, schema) else { return false }
        }
        return false
    }

    /// Changes the sample at the place of a decoding error, and adds a problem for the error.
    ///
    /// - Returns: False if the sample has no other value at this place.
    private mutating func mend(_ sample: inout SampleValue, _ error: any Error, _ schema: Node) -> Bool {
        let isAllowed = ", which the description allows"
        guard let choice = sample.mend(error) else {
            let place = schema.member(at: SampleValue.names(of: error)) ?? schema
            // A full value has no null and lacks no member, so the error is not about what the description allows: the
            // model has another type.
            let detail = sample.variation == .full ? "" : isAllowed
            add(.unreadableValue, error, detail, place.pointer)
            return false
        }
        // If the schema allows any text, a guess that the model rejects, such as a date, is not a problem.
        if choice.isDescribed { add(.unreadableValue, error, isAllowed, choice.pointer) }
        return true
    }

    /// Adds a problem for each member that the model decodes and that no response of the description has.
    ///
    /// All responses count, since endpoints may share a model of which each response has only some members.
    private mutating func checkUndescribedMembers(
        _ sample: JSONValue, _ schema: Node, _ description: APIDescription
    ) {
        let members = UndescribedMembers.find(in: sample, schema, decode)
        guard !members.isEmpty else { return }
        let described = description.responseMemberNames
        for member in members where !described.contains(SampleValue.path(of: member.names.suffix(1))) {
            let message = "is read, and no response in the description has it"
            problems.add(.unknown, place(of: member.names), message, member.pointer)
        }
    }

    /// The error that decoding throws; nil if it succeeds.
    private func failure(of data: Data) -> (any Error)? {
        do {
            _ = try decode(data)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Problems

    /// Adds a problem for a decoding error.
    private mutating func add(
        _ code: APIDescription.Problem.Code, _ error: any Error, _ detail: String, _ pointer: String
    ) {
        let names = SampleValue.names(of: error)
        let message = Self.message(of: error, at: names)
        problems.add(code, place(of: names), message + detail, pointer)
    }

    /// The message for an error, without the coding path at the start of its text: a problem names the place itself.
    private static func message(of error: any Error, at names: [String]) -> String {
        let text = ErrorText.of(error)
        let path = codingPath(names)
        let beginsWithPath = !path.isEmpty && text.hasPrefix(path)
        guard beginsWithPath else { return "cannot be read: \(text)" }
        let rest = text.dropFirst(path.count)
        return rest.hasPrefix(":") ? "cannot be read\(rest)" : String(rest.dropFirst())
    }

    /// The name of a member of the response in problems: `response 200 [0].login`.
    private func place(of names: [String]) -> String {
        names.isEmpty ? member : "\(member) \(Self.codingPath(names))"
    }

    /// A coding path as error texts write it: `[0].login`.
    private static func codingPath(_ names: [String]) -> String {
        var path = ""
        for name in names {
            if Int(name) != nil {
                path += "[\(name)]"
            } else {
                path += path.isEmpty ? name : ".\(name)"
            }
        }
        return path
    }
}

extension Operation {
    /// The described responses with their statuses, such as `200`, `2XX` or `default`.
    var responses: [(status: String, node: Node)] {
        (node["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.node) }
    }
}

extension APIDescription {
    /// The names of all members in all responses, in the form of ``SampleValue/path(of:)``.
    fileprivate var responseMemberNames: Set<String> {
        var names: Set<String> = []
        var visited: Set<String> = []
        var nodes = operations.flatMap(\.responses).map(\.node)
        while let node = nodes.popLast() {
            guard visited.insert(node.pointer).inserted else { continue }
            for name in node["properties"]?.value.names ?? [] { names.insert(SampleValue.path(of: [name])) }
            nodes += node.members.map(\.node) + node.elements
            if let reference = node.reference { nodes.append(reference) }
        }
        return names
    }
}

extension Node {
    /// The first problem of an example with the schema beside it; nil if the example fits the schema.
    func mistake(in example: Node, at place: Place) -> APIDescription.Problem? {
        guard let schema = self["schema"] else { return nil }
        let problem = SchemaCheck.problems(example.value, schema, at: place, .response).first
        return problem.map { .init(.invalidExample, $0.member, $0.message, example.pointer) }
    }

    /// The schema at a coding path; nil if the schema does not describe it.
    func member(at names: [String]) -> Node? {
        var schema: Node? = self
        for name in names {
            // A coding path names elements of lists by their indexes.
            if let index = Int(name) {
                schema = schema?.element(at: index)
            } else {
                schema = schema?.property(decodedAs: name)
            }
        }
        return schema
    }

    /// Whether samples of the schema can show a problem. They cannot if the schema allows any value or any object.
    fileprivate var describesMembers: Bool {
        if kinds.isEmpty { return false }
        return kinds != ["object"] || !propertyNames.isEmpty
    }
}
