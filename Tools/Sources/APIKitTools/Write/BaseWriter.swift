/// Writes the file with what all endpoints share: the base, the protocol and the failure.
struct BaseWriter {
    let plan: Plan

    func lines() -> [String] {
        let name = plan.options.name
        let access = plan.options.isPublic ? "public " : ""
        let property = SwiftName.code(SwiftName.member(name))
        let title = plan.api.title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var lines = ["nonisolated extension APIBase {", "    /// The base of \(title)."]
        if !plan.api.credentials.isEmpty {
            let list = plan.api.credentials.joined(separator: ", or ")
            lines.append("    ///")
            lines += Documentation.comment(["The API expects \(list): see `authorized(by:for:)`."], depth: 1).map {
                "    \($0)"
            }
        }
        let url = Lines.literal(plan.api.baseURL ?? "https://api.example.com")
        var arguments = [url]
        if !plan.api.headers.isEmpty {
            let headers = plan.api.headers.sorted { $0.key < $1.key }.map {
                "\(Lines.literal($0)): \(Lines.literal($1))"
            }
            arguments.append("headers: [\(headers.joined(separator: ", "))]")
        }
        if let style { arguments.append("parameterStyle: \(style)") }
        lines += Lines.indented(
            Lines.list("\(access)static let \(property) = APIBase(", arguments, ")", depth: 1, trailingComma: false))
        lines += ["}", "", "/// An endpoint of \(title)."]
        lines.append("\(access)nonisolated protocol \(name)Request: APIRequest\(plan.failure == nil ? " {}" : " {")")
        if let failure = plan.failure {
            lines += ["    associatedtype Failure = \(plan.typeName(failure))", "}"]
        }
        lines += ["", "nonisolated extension \(name)Request {"]
        lines += ["    \(access)var base: APIBase { .\(property) }", "}"]
        if plan.datesAreNumbers { lines += modelProtocol(name, access) }
        for id in plan.nested(in: .api) {
            if let writer = TypeWriter(plan, id) { lines += [""] + writer.lines(depth: 0) }
        }
        return lines
    }

    /// The style of the parameters, if it differs from the usual one.
    private var style: String? {
        var settings: [String] = []
        // What no standard defines: lists in the style of objects have the index where objects have a name.
        let hasIndexes = plan.api.endpoints.contains { endpoint in
            endpoint.parameters.contains { $0.style.isMembers && $0.schema.isList }
                || endpoint.body?.styles.values.contains { $0.isMembers } == true
        }
        if hasIndexes { settings.append("lists: .indexed") }
        if plan.datesAreNumbers { settings.append("dates: .secondsSince1970") }
        return settings.isEmpty ? nil : "ParameterStyle(\(settings.joined(separator: ", ")))"
    }

    private func modelProtocol(_ name: String, _ access: String) -> [String] {
        [
            "", "/// A model of the API, whose dates are seconds since 1970.",
            "\(access)nonisolated protocol \(name)Model: JSONResponse {}", "",
            "nonisolated extension \(name)Model {",
            "    \(access)static var decoder: JSONReader { JSONReader(dates: .secondsSince1970) }", "}",
        ]
    }
}

extension Parameter.Style {
    fileprivate var isMembers: Bool { if case .members = self { true } else { false } }
}

extension Schema {
    fileprivate var isList: Bool { if case .list = kind { true } else { false } }
}
