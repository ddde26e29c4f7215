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
            } else if isSuccess, operation.method != "HEAD", (try? check.decode(Data())) == nil {
                let message = "has no body, and the response type needs one"
                check.problems.add(.unreadableValue, check.member, message, response.pointer)
            }
            // The elements of a stream have a format of their own.
            if !isSuccess || R.Response.delivery != .stream {
                let types = content?.members.filter { MIMEType(rawValue: $0.name).essence.isJSON } ?? []
                // The others are for requests that ask for them.
                let sent = types.filter { asked.contains(MIMEType(rawValue: $0.name).essence) }
                for (_, media) in sent.isEmpty ? types : sent {
                    check.checkExamples(media)
                    if let schema = media["schema"] { check.checkSamples(schema) }
                }
            }
            // Many failures have one schema.
            for problem in check.problems where !problems.contains(where: { $0.pointer == problem.pointer }) {
                problems.append(problem)
            }
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

    private mutating func checkExamples(_ media: Node) {
        for example in media.responseExamples {
            guard let error = failure(of: example.value) else { continue }
            // If the schema does not accept it either, whose mistake it is cannot be known.
            let own = media["schema"]?.mistake(in: example, "")
            let detail = own.map { "; its schema does not accept it: \($0.member) \($0.message)" } ?? ""
            let code: APIDescription.Problem.Code = own == nil ? .unreadableExample : .invalidExample
            add(code, error, " in the example\(detail)", example.pointer)
        }
    }

    /// Feeds values that the schema allows. A decoder reports one mistake at a time: each is mended to find the next.
    private mutating func checkSamples(_ schema: Node) {
        // Of a free object or a scalar alone, a sample says nothing.
        guard !schema.kinds.isEmpty, schema.kinds != ["object"] || !schema.propertyNames.isEmpty else { return }
        var (picks, variations): ([String: Int], [SampleValue.Variation]) = ([:], [.full])
        while !variations.isEmpty, problems.count < Self.limit {
            let variation = variations.removeFirst()
            var fixed: Set<String> = []
            for _ in 0..<Self.limit {
                var sample = SampleValue(variation, fixed: fixed, picks: picks)
                guard let value = sample.value(of: schema), SchemaCheck.problems(value, schema, "", .response).isEmpty
                else { break }
                guard let error = failure(of: value) else {
                    if variation == .full {
                        variations = [.required, .null] + (1..<sample.choiceCount).map(SampleValue.Variation.other)
                    }
                    break
                }
                let names = SampleValue.names(of: error)
                let choice = variation == .full ? sample.nextChoice(at: names, after: error) : sample.change(at: names)
                if choice?.isAllowed != false {
                    let place = choice?.pointer ?? (schema.member(at: names) ?? schema.resolved).pointer
                    let isAllowed = variation != .full || choice != nil
                    add(.unreadableValue, error, isAllowed ? ", which the description allows" : "", place)
                }
                guard let choice else { break }
                if variation == .full { picks[choice.path, default: 0] += 1 } else { fixed.insert(choice.path) }
            }
        }
    }

    /// Why a value cannot be read; nil if it can.
    private func failure(of value: JSONValue) -> (any Error)? {
        do {
            try decode(Data(value.text().utf8))
            return nil
        } catch {
            return error
        }
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
        (node["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.node.resolved) }
    }
}

extension Node {
    /// The examples of a media type or, without any, those of its schema.
    var responseExamples: [Node] {
        let named = self["examples"]?.members.compactMap { $0.node.resolved["value"] } ?? []
        let own = named + [self["example"]].compactMap(\.self)
        guard own.isEmpty, let schema = self["schema"]?.resolved else { return own }
        return [schema["example"]].compactMap(\.self) + schema.list("examples")
    }

    /// Why a schema does not accept an example; nil if it does.
    func mistake(in example: Node, _ member: String) -> APIDescription.Problem? {
        SchemaCheck.problems(example.value, self, member, .response).first.map {
            .init(.invalidExample, $0.member, $0.message, example.pointer)
        }
    }

    /// The schema of what a decoder names; nil if there is none.
    func member(at names: [String]) -> Node? {
        names.reduce(self as Node?) { schema, name in
            Int(name) == nil ? schema?.property(name) : schema?.parts.lazy.compactMap { $0["items"] }.first
        }?.resolved
    }
}
