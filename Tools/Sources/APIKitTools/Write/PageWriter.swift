/// Writes what leads from a page to the next one.
struct PageWriter {
    let plan: Plan
    let shape: EndpointShape
    let properties: [Property]

    func lines(response: String) -> [String] {
        guard let paging = shape.paging else { return [] }
        let head = "\(plan.access)func next(after reply: APIReply<\(response)>) -> Self?"
        return Lines.property(head, value(of: paging, response), depth: 1)
    }

    private func value(of paging: Paging, _ response: String) -> String {
        switch paging.way {
        case .header: return "next(setting: \\.pageLink, to: reply.links[.next])"
        case .link(let members):
            return "next(setting: \\.pageLink, to: \(path(members, end: ".flatMap { URL(string: $0) }")))"
        case .cursor(let parameter, let members):
            return "next(setting: \\.\(name(of: parameter)), to: \(path(members)))"
        case .lastItem(let parameter, let list, let more, let id):
            let items = path([list]) + (list.isRequired && !list.schema.isNullable ? "" : "?")
            let hasMore = path([more]) + (more.isRequired && !more.schema.isNullable ? "" : " == true")
            let last = "\(items).last?.\(path([id], start: ""))"
            return "next(setting: \\.\(name(of: parameter)), to: \(hasMore) ? \(last) : nil)"
        case .number(let parameter, let isOffset, let list):
            let isOptional = list.map { !$0.isRequired || $0.schema.isNullable } ?? response.hasSuffix("?")
            let items = list.map { path([$0]) } ?? "reply.model"
            let length = isOptional ? "(\(items)?.count ?? 0)" : "\(items).count"
            let count = isLong(parameter) ? "Int64\(isOptional ? length : "(\(length))")" : length
            let isEmpty = isOptional ? "\(items)?.isEmpty != false" : "\(items).isEmpty"
            return "next(advancing: \\.\(name(of: parameter)), by: \(isOffset ? count : "\(isEmpty) ? 0 : 1"))"
        }
    }

    private func name(of parameter: String) -> String {
        properties.first { $0.wireName == parameter }?.code ?? SwiftName.member(parameter)
    }

    /// Whether the property of a parameter has 64 bits on every platform, unlike the count of a list.
    private func isLong(_ parameter: String) -> Bool {
        properties.contains { $0.wireName == parameter && $0.type == "Int64" }
    }

    /// The value of a member of a member, in the reply.
    private func path(_ members: [Object.Member], start: String = "reply.model.", end: String = "") -> String {
        var text = start
        var isOptional = false
        for (index, member) in members.enumerated() {
            text += SwiftName.code(SwiftName.member(member.name))
            isOptional = isOptional || !member.isRequired || member.schema.isNullable
            if index < members.count - 1 { text += !member.isRequired || member.schema.isNullable ? "?." : "." }
        }
        guard !end.isEmpty else { return text }
        return isOptional ? text + end : "URL(string: \(text))"
    }
}

extension Paging {
    /// Whether the endpoint needs a property for a link.
    var needsLink: Bool {
        switch way {
        case .header, .link: true
        case .cursor, .lastItem, .number: false
        }
    }

    /// Whether a parameter is the number that pages advance.
    func isNumber(_ name: String) -> Bool {
        if case .number(name, _, _) = way { true } else { false }
    }

    /// The number of the first page, or of its first item.
    var firstNumber: String {
        if case .number(_, true, _) = way { "0" } else { "1" }
    }
}

/// The names of statuses in code.
enum StatusName {
    private static let names = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritative", 204: "noContent", 205: "resetContent",
        206: "partialContent", 207: "multiStatus", 208: "alreadyReported", 226: "imUsed",
    ]

    /// Such as `accepted`.
    static func name(of status: Int) -> String { names[status] ?? "status\(status)" }
}
