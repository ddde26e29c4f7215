/// Writes the function that leads from a page to the next one.
struct PageWriter {
    let plan: Plan
    let shape: EndpointShape
    let properties: [Property]

    /// The function `next(after:)`; empty if the endpoint has no pages.
    func lines(response: String) -> [String] {
        guard let paging = shape.paging else { return [] }
        let head = "\(plan.access)func next(after reply: APIReply<\(response)>) -> Self?"
        return Lines.property(head, nextPage(paging, response: response), depth: 1)
    }

    /// The code for the request of the next page.
    private func nextPage(_ paging: Paging, response: String) -> String {
        switch paging.way {
        case .header:
            return "next(setting: \\.pageLink, to: reply.links[.next])"
        case .link(let members):
            return "next(setting: \\.pageLink, to: \(MemberPath(members).url))"
        case .cursor(let parameter, let members):
            return "next(setting: \\.\(name(of: parameter)), to: \(MemberPath(members).code))"
        case .lastItem(let parameter, let list, let more, let id):
            let value = lastItem(of: list, more: more, id: id)
            return "next(setting: \\.\(name(of: parameter)), to: \(value))"
        case .number(let parameter, let isOffset, let list):
            let items = ReceivedList(list, response: response)
            let increment: String
            if isOffset {
                increment = itemCount(items, for: parameter)
            } else {
                // An empty page is the last one. With an increment of 0, there is no next request.
                increment = "\(items.isEmpty) ? 0 : 1"
            }
            return "next(advancing: \\.\(name(of: parameter)), by: \(increment))"
        }
    }

    /// The code for the identifier of the last item, or for nil if there are no more items:
    /// `reply.model.hasMore == true ? … : nil`.
    private func lastItem(of list: Object.Member, more: Object.Member, id: Object.Member) -> String {
        let items = MemberPath([list])
        let last = "\(items.code)\(items.isOptional ? "?" : "").last?.\(id.code)"
        let hasMore = MemberPath([more])
        let condition = hasMore.code + (hasMore.isOptional ? " == true" : "")
        return "\(condition) ? \(last) : nil"
    }

    /// The code for the number of items on a page, in the type of the parameter that is advanced.
    private func itemCount(_ items: ReceivedList, for parameter: String) -> String {
        // A parameter may be an `Int64`, while the count of a list is an `Int`.
        let has64Bits = properties.contains { $0.wireName == parameter && $0.type == "Int64" }
        if has64Bits { return items.isOptional ? "Int64\(items.count)" : "Int64(\(items.count))" }
        return items.count
    }

    private func name(of parameter: String) -> String {
        let property = properties.first { $0.wireName == parameter }
        return property?.code ?? SwiftName.member(parameter)
    }
}

/// The code for a member of the received model, at any depth.
private struct MemberPath {
    private let members: [Object.Member]

    init(_ members: [Object.Member]) { self.members = members }

    /// Whether one of the members may be absent.
    var isOptional: Bool { members.contains(where: \.mayBeAbsent) }

    /// `reply.model.meta?.next`
    var code: String {
        var code = "reply.model"
        var mayBeAbsent = false
        for member in members {
            code += (mayBeAbsent ? "?." : ".") + member.code
            mayBeAbsent = member.mayBeAbsent
        }
        return code
    }

    /// The code that converts the member's text to a URL.
    var url: String {
        isOptional ? "\(code).flatMap { URL(string: $0) }" : "URL(string: \(code))"
    }
}

/// The code for the items of a page.
private struct ReceivedList {
    let isOptional: Bool
    private let code: String

    /// Creates the code for the items in a member of the response, or for the whole response if there is no member.
    init(_ list: Object.Member?, response: String) {
        if let list {
            isOptional = list.mayBeAbsent
            code = MemberPath([list]).code
        } else {
            isOptional = response.hasSuffix("?")
            code = "reply.model"
        }
    }

    var count: String { isOptional ? "(\(code)?.count ?? 0)" : "\(code).count" }
    var isEmpty: String { isOptional ? "\(code)?.isEmpty != false" : "\(code).isEmpty" }
}

extension Object.Member {
    /// The name of its property, as code.
    fileprivate var code: String { SwiftName.code(SwiftName.member(name)) }
    /// Whether its property may be nil.
    fileprivate var mayBeAbsent: Bool { !isRequired || schema.isNullable }
}

extension Paging {
    /// Whether the endpoint needs a property for the link to a page.
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
