/// Writes the file with what all endpoints share: the base, the protocol and the failure.
struct BaseWriter {
    let plan: Plan

    /// `the Shop API`, whether the title is that, "Shop" or "The Shop API".
    private var title: String {
        var words = plan.api.title.split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if words.first?.lowercased() == "the" { words.removeFirst() }
        if let index = words.firstIndex(where: { $0.lowercased() == "api" }) {
            words[index] = "API"
        } else {
            words.append("API")
        }
        let isPossessive = words[0].hasSuffix("'s") || words[0].hasSuffix("’s")
        return (isPossessive ? "" : "the ") + words.joined(separator: " ")
    }

    func lines() -> [String] {
        let name = plan.options.name
        var lines = ["nonisolated extension APIBase {"]
        for index in plan.bases.indices { lines += (index == 0 ? [] : [""]) + Lines.indented(declaration(of: index)) }
        lines += ["}", "", Lines.comment("An endpoint of \(title).")]
        lines.append(
            "\(plan.access)nonisolated protocol \(name)Request: APIRequest\(plan.failure == nil ? " {}" : " {")")
        if let failure = plan.failure {
            lines += ["    associatedtype Failure = \(plan.typeName(failure))", "}"]
        }
        lines += ["", "nonisolated extension \(name)Request {"]
        lines += ["    \(plan.access)var base: APIBase { .\(SwiftName.code(plan.bases[0].name)) }", "}"]
        if !plan.decoderArguments.isEmpty { lines += modelProtocol(name) }
        if plan.endpoints.contains(where: { $0.reply.readings.contains(where: \.isEnvelope) }) {
            lines += envelope(name)
        }
        for id in plan.nested(in: .api) {
            if let writer = TypeWriter(plan, id) { lines += [""] + writer.lines(depth: 0) }
        }
        return lines
    }

    private func declaration(of index: Int) -> [String] {
        let (name, base) = plan.bases[index]
        let isServer = base.url != plan.bases[0].base.url
        let use = " for endpoints \(isServer ? "on a server of their own" : Self.lists(base))"
        var lines = [Lines.comment("The base of \(title)\(index == 0 ? "" : use).")]
        if index == 0, !plan.api.credentials.isEmpty {
            let list = plan.api.credentials.joined(separator: ", or ")
            lines += ["///"]
            lines += Lines.wrapped("The API expects \(list): see `authorized(by:for:)`.").map(Lines.comment)
        }
        var arguments = [Lines.literal(base.url)]
        if !plan.api.headers.isEmpty {
            let headers = plan.api.headers.sorted { $0.key < $1.key }.map {
                "\(Lines.literal($0)): \(Lines.literal($1))"
            }
            arguments.append("headers: [\(headers.joined(separator: ", "))]")
        }
        var settings = base.lists == .repeated ? [] : ["lists: .\(base.lists)"]
        if plan.datesAreNumbers { settings.append("dates: .secondsSince1970") }
        if !settings.isEmpty { arguments.append("parameterStyle: ParameterStyle(\(settings.joined(separator: ", ")))") }
        let start = "\(plan.access)static let \(SwiftName.code(name)) = APIBase("
        return lines + Lines.list(start, arguments, ")", depth: 1)
    }

    private static func lists(_ base: Base) -> String {
        base.lists == .indexed ? "whose lists have indexes, as in `ids[0]=1`" : "whose lists repeat the name"
    }

    private func envelope(_ name: String) -> [String] {
        let member = SwiftName.code(plan.envelopeMember ?? "")
        return [
            "", Lines.comment("The object around the content of a response."),
            "\(plan.access)nonisolated struct \(name)Envelope<Content: Decodable & Sendable>: JSONEnvelope {",
            "    \(plan.access)let \(member): Content", "    \(plan.access)var content: Content { \(member) }", "}",
        ]
    }

    private func modelProtocol(_ name: String) -> [String] {
        let reader = "JSONReader(\(plan.decoderArguments.joined(separator: ", ")))"
        return [
            "",
            Lines.comment("A model of \(title)."),
            "\(plan.access)nonisolated protocol \(name)Model: JSONResponse {}", "",
            "nonisolated extension \(name)Model {",
        ] + Lines.indented(Lines.property("\(plan.access)static var decoder: JSONReader", reader, depth: 1)) + ["}"]
    }
}
