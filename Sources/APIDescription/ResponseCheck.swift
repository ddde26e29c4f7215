import APIKitCore
import APIKitTesting

/// Feeds the responses that an operation describes to the types that read them.
struct ResponseCheck {
    private let member: String
    private let decode: (Data) throws -> Void
    private var problems: [APIDescription.Problem] = []

    /// How many mistakes of one response are found, and how many times each is mended.
    private static let limit = 40

    static func problems<R: APIRequest>(
        _ endpoint: R.Type, _ operation: Operation, _ request: HTTPRequest
    ) -> [APIDescription.Problem] {
        let asked = (request.headers[.accept] ?? "").split(separator: ",").map { MIMEType(rawValue: "\($0)").essence }
        let hasSuccess = operation.responses.contains { $0.status.hasPrefix("2") }
        var problems: [APIDescription.Problem] = []
        for (status, response) in operation.responses {
            let code = Int(status.replacing("X", with: "0").replacing("x", with: "0")) ?? (hasSuccess ? 500 : 200)
            let isSuccess = R.Response.isSuccess(HTTPResponse.Head(status: code, url: request.url))
            // Of a redirect nothing is read, and what is a success in spite of its status is read in its own way.
            guard !(300..<400 ~= code), !isSuccess || 200..<300 ~= code else { continue }
            var check = ResponseCheck(
                member: "response \(status)",
                decode: { _ = isSuccess ? try R.Response.process(data: $0) as Any : try R.Failure.process(data: $0) })
            let content = response["content"]
            if isSuccess, let content, !content.members.isEmpty {
                check.checkTypes(R.Response.acceptedTypes, content)
            } else if isSuccess, operation.method != "HEAD", check.failure(of: Data()) != nil {
                let message = "has no body, and the response type needs one"
                check.problems.add(.unreadableValue, check.member, message, response.pointer)
            }
            // The elements of a stream have a format of their own.
            if !isSuccess || R.Response.delivery != .stream {
                let types = content?.members.filter { MIMEType(rawValue: $0.name).essence.isJSON } ?? []
                // The others are for requests that ask for them.
                let sent = types.filter { asked.contains(MIMEType(rawValue: $0.name).essence) }
                for (_, media) in sent.isEmpty ? types : sent { check.checkValues(media) }
            }
            // Many failures have one schema.
            problems += check.problems.filter { problem in !problems.contains { $0.pointer == problem.pointer } }
        }
        return problems
    }

    private mutating func checkTypes(_ accepted: [MIMEType], _ content: Node) {
        let types = content.members.map { MIMEType(rawValue: $0.name).essence }
        let isRead = accepted.contains { own in
            content.media(own.essence) != nil || own.essence.isJSON && types.contains(where: \.isJSON)
        }
        guard !accepted.isEmpty, !isRead else { return }
        let own = accepted.map(\.essence).joined(separator: ", ")
        let message = "is \(types.joined(separator: ", ")), and the response type reads \(own)"
        problems.add(.contentType, member, message, content.pointer)
    }

    private mutating func checkValues(_ media: Node) {
        for example in media.responseExamples {
            guard let error = failure(of: Data(example.value.text().utf8)) else { continue }
            // If the schema does not accept it either, whose mistake it is cannot be known.
            let own = media.mistake(in: example, "")
            let detail = own.map { "; its schema does not accept it: \($0.member) \($0.message)" } ?? ""
            let code: APIDescription.Problem.Code = own == nil ? .unreadableExample : .invalidExample
            add(code, error, " in the example\(detail)", example.pointer)
        }
        // Of a free object or a scalar alone, a sample says nothing.
        guard let schema = media["schema"], !schema.kinds.isEmpty,
            schema.kinds != ["object"] || !schema.propertyNames.isEmpty
        else { return }
        var full = SampleValue(.full)
        guard checkSamples(&full, schema) else { return }
        for variation in [.required, .null] + (1..<full.choiceCount).map(SampleValue.Variation.other) {
            var sample = SampleValue(variation, picks: full.mended)
            _ = checkSamples(&sample, schema)
        }
    }

    /// Feeds a value that the schema allows; false if it cannot be read or created. A decoder reports one mistake at a
    /// time: each is mended to find the next.
    private mutating func checkSamples(_ sample: inout SampleValue, _ schema: Node) -> Bool {
        for _ in 0..<Self.limit where problems.count < Self.limit {
            guard let value = sample.value(of: schema), SchemaCheck.problems(value, schema, "", .sample).isEmpty
            else { return false }
            guard let error = failure(of: Data(value.text().utf8)) else { return true }
            let choice = sample.mend(error)
            if choice?.isAllowed != false {
                let names = SampleValue.names(of: error)
                let place = choice?.pointer ?? (schema.member(at: names) ?? schema).pointer
                let isAllowed = sample.variation != .full || choice != nil
                add(.unreadableValue, error, isAllowed ? ", which the description allows" : "", place)
            }
            if choice == nil { return false }
        }
        return false
    }

    /// Why a value cannot be read; nil if it can.
    private func failure(of data: Data) -> (any Error)? {
        if case .failure(let error) = Result(catching: { try decode(data) }) { error } else { nil }
    }

    /// Adds what a decoder reports.
    private mutating func add(
        _ code: APIDescription.Problem.Code, _ error: any Error, _ detail: String, _ pointer: String
    ) {
        let place = SampleValue.names(of: error).reduce(into: "") { text, name in
            text += Int(name) != nil ? "[\(name)]" : text.isEmpty ? name : ".\(name)"
        }
        let text = ErrorText.of(error)
        let problem = !place.isEmpty && text.hasPrefix(place) ? String(text.dropFirst(place.count)) : ": \(text)"
        let message = problem.hasPrefix(":") ? "cannot be read\(problem)" : String(problem.dropFirst())
        problems.add(code, place.isEmpty ? member : "\(member) \(place)", message + detail, pointer)
    }
}

extension Operation {
    /// The responses by their status, which is `default` for those that have no other.
    var responses: [(status: String, node: Node)] {
        (node["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.node) }
    }
}

extension Node {
    /// Why the schema of a type does not accept an example; nil if it does.
    func mistake(in example: Node, _ member: String) -> APIDescription.Problem? {
        guard let schema = self["schema"] else { return nil }
        let problem = SchemaCheck.problems(example.value, schema, member, .response).first
        return problem.map { .init(.invalidExample, $0.member, $0.message, example.pointer) }
    }

    /// The schema of what a decoder names; nil if there is none.
    func member(at names: [String]) -> Node? {
        var schema: Node? = self
        for name in names {
            if let index = Int(name) {
                schema = schema?.element(at: index)
            } else {
                schema = schema?.property(name)
            }
        }
        return schema
    }
}
