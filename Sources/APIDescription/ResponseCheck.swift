import APIKitCore
import APIKitTesting

/// Feeds the responses that an operation describes to the types that read them.
struct ResponseCheck {
    private let member: String
    private let decode: (Data) throws -> Any
    private var problems: [APIDescription.Problem] = []

    /// How many mistakes of one response are found, and how many times each is mended.
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
            // The elements of a stream have a format of their own.
            let isStream = isSuccess && R.Response.delivery == .stream
            if !isStream {
                for media in jsonContents(of: response, request) { check.checkValues(media, description) }
            }
            // Many failures have one schema, whose problems are reported once.
            let reported = Set(problems.map(\.pointer))
            problems += check.problems.filter { !reported.contains($0.pointer) }
        }
        return problems
    }

    /// A status that stands for the one that is described, such as `2XX` or `default`.
    private static func statusCode(of status: String, _ operation: Operation) -> Int {
        if let code = Int(status.uppercased().replacing("X", with: "0")) { return code }
        // The default is for failures, unless no success is described.
        let describesSuccess = operation.responses.contains { $0.status.hasPrefix("2") }
        return describesSuccess ? 500 : 200
    }

    /// Whether the body of a response is read. That of a redirect is not, and one that is a success in spite of its
    /// status is read in a way of its own.
    private static func isRead(_ code: Int, isSuccess: Bool) -> Bool {
        switch code {
        case 200..<300: true
        case 300..<400: false
        default: !isSuccess
        }
    }

    /// What a response has in JSON: for the types that the request asks for or, without any, for all types.
    private static func jsonContents(of response: Node, _ request: HTTPRequest) -> [Node] {
        let accepted = (request.headers[.accept] ?? "").split(separator: ",").map { type in
            MIMEType(rawValue: String(type)).essence
        }
        let contents = (response["content"]?.members ?? []).map { type, media in
            (essence: MIMEType(rawValue: type).essence, media: media)
        }
        let json = contents.filter(\.essence.isJSON)
        let asked = json.filter { accepted.contains($0.essence) }
        return (asked.isEmpty ? json : asked).map(\.media)
    }

    // MARK: - Content types

    /// Checks that the response type reads what a success has, which may be nothing.
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
        for variation in [.required, .null] + others {
            var sample = SampleValue(variation, picks: full.mended)
            _ = checkSamples(&sample, schema)
        }
    }

    private mutating func check(_ example: Node, of media: Node) {
        guard let error = failure(of: Data(example.value.text().utf8)) else { return }
        // If the schema does not accept it either, whose mistake it is cannot be known.
        if let mistake = media.mistake(in: example, at: .named("")) {
            let detail = "; its schema does not accept it: \(mistake.member) \(mistake.message)"
            add(.invalidExample, error, " in the example\(detail)", example.pointer)
        } else {
            add(.unreadableExample, error, " in the example", example.pointer)
        }
    }

    /// Feeds a value that the schema allows. A decoder reports one mistake at a time: each is mended to find the next.
    ///
    /// - Returns: Whether the value can be created, and in the end is read.
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

    /// Chooses another value where a decoder has failed, and adds what it reports.
    ///
    /// - Returns: Whether there is another value.
    private mutating func mend(_ sample: inout SampleValue, _ error: any Error, _ schema: Node) -> Bool {
        let isAllowed = ", which the description allows"
        guard let choice = sample.mend(error) else {
            let place = schema.member(at: SampleValue.names(of: error)) ?? schema
            // A full value has nothing unusual that the description allows: the model has another type.
            add(.unreadableValue, error, sample.variation == .full ? "" : isAllowed, place.pointer)
            return false
        }
        // Another guess at a text is made without a word.
        if choice.isDescribed { add(.unreadableValue, error, isAllowed, choice.pointer) }
        return true
    }

    /// Finds members that the model reads, and that no response of the description has: an endpoint may share its model
    /// with others that have more of them.
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

    /// Why a value cannot be read; nil if it can.
    private func failure(of data: Data) -> (any Error)? {
        do {
            _ = try decode(data)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Problems

    /// Adds what a decoder reports.
    private mutating func add(
        _ code: APIDescription.Problem.Code, _ error: any Error, _ detail: String, _ pointer: String
    ) {
        let names = SampleValue.names(of: error)
        let message = Self.message(of: error, at: names)
        problems.add(code, place(of: names), message + detail, pointer)
    }

    /// What an error says, without the place at which its text begins.
    private static func message(of error: any Error, at names: [String]) -> String {
        let text = ErrorText.of(error)
        let path = codingPath(names)
        let hasPlace = !path.isEmpty && text.hasPrefix(path)
        guard hasPlace else { return "cannot be read: \(text)" }
        let rest = text.dropFirst(path.count)
        return rest.hasPrefix(":") ? "cannot be read\(rest)" : String(rest.dropFirst())
    }

    /// What problems call a member of the response: `response 200 [0].login`.
    private func place(of names: [String]) -> String {
        names.isEmpty ? member : "\(member) \(Self.codingPath(names))"
    }

    /// A coding path as error texts have it: `[0].login`.
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
    /// The responses by their status, which is `default` for those that have no other.
    var responses: [(status: String, node: Node)] {
        (node["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.node) }
    }
}

extension APIDescription {
    /// The names of all members of all responses, as paths of one name.
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
    /// Why the schema of a type does not accept an example; nil if it does.
    func mistake(in example: Node, at place: Place) -> APIDescription.Problem? {
        guard let schema = self["schema"] else { return nil }
        let problem = SchemaCheck.problems(example.value, schema, at: place, .response).first
        return problem.map { .init(.invalidExample, $0.member, $0.message, example.pointer) }
    }

    /// The schema of what a decoder names; nil if there is none.
    func member(at names: [String]) -> Node? {
        var schema: Node? = self
        for name in names {
            if let index = Int(name) {
                schema = schema?.element(at: index)
            } else {
                schema = schema?.property(decodedAs: name)
            }
        }
        return schema
    }

    /// Whether there is something to say about a value: of a free object or a scalar alone, a sample says nothing.
    fileprivate var describesMembers: Bool {
        if kinds.isEmpty { return false }
        return kinds != ["object"] || !propertyNames.isEmpty
    }
}
