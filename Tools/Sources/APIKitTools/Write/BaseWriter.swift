/// Writes the file that all endpoints of an API share: its bases, its protocols and its failure.
struct BaseWriter {
    let plan: Plan

    private var name: String { plan.options.name }

    func lines() -> [String] {
        var lines = bases() + [""] + requestProtocol()
        if !plan.decoderArguments.isEmpty { lines += [""] + modelProtocol() }
        let readings = plan.endpoints.lazy.flatMap(\.reply.readings)
        if readings.contains(where: \.isEnvelope) { lines += [""] + envelope() }
        for id in plan.nested(in: .api) {
            if let writer = TypeWriter(plan, id) { lines += [""] + writer.lines(depth: 0) }
        }
        return lines
    }

    // MARK: - Bases

    private func bases() -> [String] {
        let declarations = plan.bases.indices.map { Lines.indented(declaration(ofBase: $0)) }
        return ["nonisolated extension APIBase {"] + declarations.joined(separator: [""]) + ["}"]
    }

    private func declaration(ofBase index: Int) -> [String] {
        let (name, base) = plan.bases[index]
        var arguments = [Lines.literal(base.url)]
        if let headers = headers() { arguments.append("headers: \(headers)") }
        if let style = parameterStyle(of: base) { arguments.append("parameterStyle: \(style)") }
        let start = "\(plan.access)static let \(SwiftName.code(name)) = APIBase("
        return comment(onBase: index) + Lines.list(start, arguments, ")", depth: 1)
    }

    private func comment(onBase index: Int) -> [String] {
        guard index == 0 else {
            return [Lines.comment("The base of \(title) for endpoints \(distinction(of: plan.bases[index].base)).")]
        }
        let first = Lines.comment("The base of \(title).")
        let credentials = plan.api.credentials
        guard !credentials.isEmpty else { return [first] }
        let expected = "The API expects \(credentials.joined(separator: ", or ")): see `authorized(by:for:)`."
        return [first, "///"] + Lines.wrapped(expected).map(Lines.comment)
    }

    /// A phrase that distinguishes the endpoints of a base from those of the main base.
    private func distinction(of base: Base) -> String {
        if base.url != plan.bases[0].base.url { return "on a server of their own" }
        switch base.lists {
        case .indexed: return "whose lists have indexes, as in `ids[0]=1`"
        case .repeated, .commas: return "whose lists repeat the name"
        }
    }

    /// The code for the headers that all requests have; nil if there are none.
    private func headers() -> String? {
        guard !plan.api.headers.isEmpty else { return nil }
        let elements = plan.api.headers.sorted { $0.key < $1.key }.map { name, value in
            "\(Lines.literal(name)): \(Lines.literal(value))"
        }
        return "[\(elements.joined(separator: ", "))]"
    }

    /// The code for the base's style of parameters; nil for the default style.
    private func parameterStyle(of base: Base) -> String? {
        var settings: [String] = []
        if base.lists != .repeated { settings.append("lists: .\(base.lists)") }
        if plan.datesAreNumbers { settings.append("dates: .secondsSince1970") }
        return settings.isEmpty ? nil : "ParameterStyle(\(settings.joined(separator: ", ")))"
    }

    /// The title in a sentence: `the Shop API` for "Shop", "Shop API" and "The Shop API". A title that begins with a
    /// possessive has no article: `Ann's API`.
    private var title: String {
        var words = plan.api.title.split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if words.first?.lowercased() == "the" { words.removeFirst() }
        if let index = words.firstIndex(where: { $0.lowercased() == "api" }) {
            words[index] = "API"
        } else {
            words.append("API")
        }
        let text = words.joined(separator: " ")
        let isPossessive = words[0].hasSuffix("'s") || words[0].hasSuffix("’s")
        return isPossessive ? text : "the \(text)"
    }

    // MARK: - Protocols

    private func requestProtocol() -> [String] {
        var lines = [Lines.comment("An endpoint of \(title).")]
        let head = "\(plan.access)nonisolated protocol \(name)Request: APIRequest {"
        if let failure = plan.failure {
            lines += [head, "    associatedtype Failure = \(plan.typeName(failure))", "}"]
        } else {
            lines.append(head + "}")
        }
        return lines + [
            "",
            "nonisolated extension \(name)Request {",
            "    \(plan.access)var base: APIBase { .\(SwiftName.code(plan.bases[0].name)) }",
            "}",
        ]
    }

    /// The protocol that provides the decoder of all models.
    private func modelProtocol() -> [String] {
        let decoder = "JSONReader(\(plan.decoderArguments.joined(separator: ", ")))"
        let property = Lines.property("\(plan.access)static var decoder: JSONReader", decoder, depth: 1)
        return [
            Lines.comment("A model of \(title)."),
            "\(plan.access)nonisolated protocol \(name)Model: JSONResponse {}",
            "",
            "nonisolated extension \(name)Model {",
        ] + Lines.indented(property) + ["}"]
    }

    private func envelope() -> [String] {
        let member = SwiftName.code(plan.envelopeMember ?? "")
        return [
            Lines.comment("The object around the content of a response."),
            "\(plan.access)nonisolated struct \(name)Envelope<Content: Decodable & Sendable>: JSONEnvelope {",
            "    \(plan.access)let \(member): Content",
            "    \(plan.access)var content: Content { \(member) }",
            "}",
        ]
    }
}
