/// Writes the function `next(after:)`, which leads from a page of a list to the next one.
struct PageWriter {
    let plan: Plan
    /// The form that the endpoint takes in Swift.
    let shape: EndpointShape
    /// The stored properties of the endpoint.
    let properties: [Property]

    /// Writes the function, and one that returns the number of items on all pages if the description says where it is.
    /// Empty if the endpoint has no pages:
    ///
    ///     func next(after reply: APIReply<Response>) -> Self? { next(setting: \.cursor, to: reply.model.nextCursor) }
    ///     func total(in reply: APIReply<Response>) -> Int? { reply.model.total }
    ///
    /// The model type is the type of the value that a caller receives, which is the `model` of the reply.
    func lines(modelType: String) -> [String] {
        guard let paging = shape.paging else { return [] }
        let head = "\(plan.endpointAccess)func next(after reply: APIReply<\(modelType)>) -> Self?"
        let next = Lines.property(head, nextRequest(paging, modelType: modelType), depth: 1)
        guard let total = paging.total else { return next }
        let headOfTotal = "\(plan.endpointAccess)func total(in reply: APIReply<\(modelType)>) -> Int?"
        return next + Lines.property(headOfTotal, code(of: total), depth: 1)
    }

    /// The code for the number of items on all pages:
    ///
    ///     reply.head.headers["X-Total-Count"].flatMap { Int($0) }
    ///     reply.model.total
    private func code(of total: Paging.Total) -> String {
        switch total {
        case .header(let name):
            return "reply.head.headers[\(Lines.literal(name))].flatMap { Int($0) }"
        case .member(let members):
            let path = path(to: members)
            if case .integer(.int)? = members.last?.schema.kind { return path.code }
            return path.codeForInt
        }
    }

    /// The code that creates the request for the next page from a `reply`. It sets a property of the endpoint to a
    /// value of the reply, or advances a number:
    ///
    ///     next(setting: \.pageLink, to: reply.links[.next])
    ///     next(setting: \.pageLink, to: reply.model.links?.next)
    ///     next(setting: \.cursor, to: reply.model.nextCursor)
    ///     next(advancing: \.page, by: reply.model.items.isEmpty ? 0 : 1)
    ///     next(advancing: \.offset, by: reply.model.items.count)
    ///     next(advancing: \.offset, by: reply.model.more != false ? reply.model.items.count : 0)
    ///
    /// There is no next request if the value is nil, or if the number is advanced by 0.
    private func nextRequest(_ paging: Paging, modelType: String) -> String {
        switch paging.way {
        case .header:
            return "next(setting: \\.pageLink, to: reply.links[.next])"
        case .link(let members):
            return "next(setting: \\.pageLink, to: \(path(to: members).code))"
        case .cursor(let parameter, let members, let more):
            let value = cursor(at: path(to: members), more: more.map(path))
            return "next(setting: \\.\(property(for: parameter)), to: \(value))"
        case .lastItem(let parameter, let list, let more, let id):
            let value = lastIdentifier(in: list, more: more, id: id)
            return "next(setting: \\.\(property(for: parameter)), to: \(value))"
        case .number(let parameter, let isOffset, let list, let more):
            let items = ReceivedList(list.isEmpty ? nil : path(to: list), modelType: modelType)
            let increment: String
            if isOffset {
                let count = itemCount(of: items, for: parameter)
                increment = more.map { "\(hasMore(at: path(to: $0))) ? \(count) : 0" } ?? count
            } else {
                increment = pageIncrement(of: items, more: more.map(path))
            }
            return "next(advancing: \\.\(property(for: parameter)), by: \(increment))"
        }
    }

    /// The code for a cursor, or for nil if a Boolean says that there is no next page. Without the Boolean, the cursor
    /// decides:
    ///
    ///     reply.model.hasMore != false ? reply.model.lastID : nil
    private func cursor(at path: MemberPath, more: MemberPath?) -> String {
        guard let more else { return path.code }
        return "\(hasMore(at: more)) ? \(path.code) : nil"
    }

    /// The condition that a Boolean does not say that there is no next page: `reply.model.more != false`.
    private func hasMore(at path: MemberPath) -> String {
        path.isOptional ? "\(path.code) != false" : path.code
    }

    /// The code for the identifier of the last item of a page, or for nil if there are no more items:
    ///
    ///     reply.model.hasMore == true ? reply.model.items.last?.id : nil
    ///
    /// The list is the member of the response that holds the items, and `more` the one that says whether there are
    /// more. The identifier is a member of an item.
    private func lastIdentifier(in list: Object.Member, more: Object.Member, id: Object.Member) -> String {
        let items = path(to: [list])
        let codeOfID = property(of: id, in: list.schema.core)?.code ?? Self.usualCode(for: id)
        let lastID = "\(items.chainableCode).last?.\(codeOfID)"
        let hasMore = path(to: [more])
        let condition = hasMore.isOptional ? "\(hasMore.code) == true" : hasMore.code
        return "\(condition) ? \(lastID) : nil"
    }

    /// The code for the increment of a page number: `reply.model.items.isEmpty ? 0 : 1`. An empty page is the last one,
    /// and so is one on which a Boolean says it: `reply.model.items.isEmpty || reply.model.more == false ? 0 : 1`.
    private func pageIncrement(of items: ReceivedList, more: MemberPath?) -> String {
        guard let more else { return "\(items.isEmptyCode) ? 0 : 1" }
        let isLast = more.isOptional ? "\(more.code) == false" : "!\(more.code)"
        return "\(items.isEmptyCode) || \(isLast) ? 0 : 1"
    }

    /// The code for the increment of an offset, which is the number of items on a page: `reply.model.items.count`. If
    /// the parameter for the offset has another type than `Int`, the number is converted to it:
    /// `Int64(reply.model.items.count)`.
    private func itemCount(of items: ReceivedList, for parameter: String) -> String {
        let type = properties.first { $0.wireName == parameter }?.type ?? "Int"
        let isOtherInteger = type != "Int" && IntegerType(rawValue: type) != nil
        guard isOtherInteger else { return items.countCode }
        // The code for the count of an optional list is in parentheses already: `(reply.model.items?.count ?? 0)`.
        return items.isOptional ? "\(type)\(items.countCode)" : "\(type)(\(items.countCode))"
    }

    // MARK: - Items

    /// The items of the pages, for a function that returns those of all pages.
    struct Items {
        /// The type of an item, such as `Order`.
        let type: String
        /// The code that leads from a page to the list of its items: `\.orders`, or `{ $0.meta?.orders ?? [] }`. Nil if
        /// the page is the list.
        let list: String?
        /// Whether a page has objects or lists besides the items, which a list of the items would lose.
        let haveMoreBesides: Bool
    }

    /// Finds the items of the pages; nil if the endpoint has no pages, or if it is not clear where the items are.
    func items() -> Items? {
        guard let paging = shape.paging, let modelSchema, !modelSchema.isNullable else { return nil }
        guard let members = membersToList(paging, modelSchema) else { return nil }
        let list = members.last?.schema ?? modelSchema
        // In the signature of a method, a type nested in that of a page has another name.
        let isNested = list.core.modelID.map { plan.types[$0]?.isNested == true } ?? false
        guard list.isList, !isNested else { return nil }
        // The name of the list's type is that of its elements in brackets.
        let type = String(plan.typeName(list).dropFirst().dropLast())
        if members.isEmpty { return Items(type: type, list: nil, haveMoreBesides: false) }
        let path = path(to: members)
        let code = path.isOptional ? "{ $0\(path.ofMembers) ?? [] }" : "\\\(path.ofMembers)"
        let others = plan.object(modelSchema)?.members.values.filter { $0.name != members[0].name } ?? []
        return Items(type: type, list: code, haveMoreBesides: others.contains(where: isContent))
    }

    /// Whether a member of a page is an object or a list, and not one that describes the page, such as `meta`.
    private func isContent(_ member: Object.Member) -> Bool {
        let isAboutPage = ["cursor", "cursors", "link", "links", "meta", "page", "page info", "pagination", "paging"]
            .contains(Words(member.name).words.joined(separator: " "))
        return !isAboutPage && (member.schema.isList || plan.object(member.schema) != nil)
    }

    /// The members that lead from a page to the list of its items; empty if the page is the list. Nil if there are
    /// several lists.
    private func membersToList(_ paging: Paging, _ page: Schema) -> [Object.Member]? {
        switch paging.way {
        case .number(_, _, let list, _): return list
        case .lastItem(_, let list, _, _): return [list]
        case .header, .link, .cursor:
            if page.isList { return [] }
            let lists = plan.object(page)?.members.values.filter(\.schema.isList) ?? []
            return lists.count == 1 ? lists : nil
        }
    }

    // MARK: - Names

    /// The schema of the received model.
    private var modelSchema: Schema? {
        guard case .one(let reading) = shape.reply else { return nil }
        return reading.schema
    }

    /// The path from a reply to the last of some members of the received model, each of which contains the next one.
    private func path(to members: [Object.Member]) -> MemberPath {
        var path = MemberPath()
        var owner = modelSchema
        for member in members {
            let property = property(of: member, in: owner)
            let mayBeNil = property?.isOptional ?? (!member.isRequired || member.schema.isNullable)
            path.append(property?.code ?? Self.usualCode(for: member), mayBeNil: mayBeNil)
            owner = member.schema
        }
        return path
    }

    /// A model's property for a member. Its name may differ from the member's own, for example beside a member with a
    /// similar name. Nil if the model is generic.
    private func property(of member: Object.Member, in owner: Schema?) -> Property? {
        let properties = owner.map { plan.properties(of: $0) } ?? []
        return properties.first { $0.wireName == member.name }
    }

    /// The name that a member usually has, as code.
    private static func usualCode(for member: Object.Member) -> String {
        SwiftName.code(SwiftName.member(member.name))
    }

    /// The name, as code, of the property whose value is sent as a parameter.
    private func property(for parameter: String) -> String {
        let property = properties.first { $0.wireName == parameter }
        return property?.code ?? SwiftName.member(parameter)
    }
}

/// The path from a reply to a member of the received model, at any depth.
private struct MemberPath {
    /// The code for the value at the end of the path: `reply.model.meta?.next`.
    var code: String { "reply.model\(ofMembers)" }
    /// The code after that of the model: `.meta?.next`.
    private(set) var ofMembers = ""
    /// Whether one of the members may be nil.
    private(set) var isOptional = false
    /// Whether the last member may be nil.
    private var lastMayBeNil = false

    /// Appends a property of the value at the end of the path.
    mutating func append(_ property: String, mayBeNil: Bool) {
        ofMembers += (lastMayBeNil ? "?." : ".") + property
        lastMayBeNil = mayBeNil
        isOptional = isOptional || mayBeNil
    }

    /// The code that a member access can follow: `reply.model.items`, or `reply.model.items?` if it may be nil itself.
    /// In `reply.model.meta?.items`, only the member before it may be nil.
    var chainableCode: String { lastMayBeNil ? "\(code)?" : code }

    /// The code that converts the number at the end of the path to an `Int`, or to nil if it is too large:
    ///
    ///     Int(exactly: reply.model.total)                                nothing may be nil
    ///     reply.model.meta?.total.flatMap { Int(exactly: $0) }           the number may be nil
    ///     (reply.model.meta?.total).flatMap { Int(exactly: $0) }         only a member before it may be nil
    ///
    /// Without the parentheses, the last line would call the `flatMap` of the number.
    var codeForInt: String {
        if !isOptional { return "Int(exactly: \(code))" }
        let optionalValue = lastMayBeNil ? code : "(\(code))"
        return "\(optionalValue).flatMap { Int(exactly: $0) }"
    }
}

/// The items of a received page, as code.
private struct ReceivedList {
    /// Whether the list of items may be nil. A page without a list is empty.
    let isOptional: Bool
    /// The code for the list, which a member access can follow: `reply.model.items?`, or `reply.model` if the response
    /// is the list itself.
    private let code: String

    /// Finds the items of a page in a member of the response, or in the response itself:
    ///
    ///     the member `items`               reply.model.items
    ///     no member, type `[Order]?`       reply.model, which may be nil
    ///
    /// - Parameters:
    ///   - path: The path to the member with the items; nil if the response is the list itself.
    ///   - modelType: The type of `reply.model`. A `?` at its end shows that the response may be nil.
    init(_ path: MemberPath?, modelType: String) {
        if let path {
            isOptional = path.isOptional
            code = path.chainableCode
        } else {
            isOptional = modelType.hasSuffix("?")
            code = isOptional ? "reply.model?" : "reply.model"
        }
    }

    /// The code for the number of items.
    var countCode: String { isOptional ? "(\(code).count ?? 0)" : "\(code).count" }
    /// The code for whether there are no items.
    var isEmptyCode: String { isOptional ? "\(code).isEmpty != false" : "\(code).isEmpty" }
}

extension Paging {
    /// Whether the endpoint needs the property `pageLink` for the URL of a page.
    var needsLink: Bool {
        switch way {
        case .header, .link: true
        case .cursor, .lastItem, .number: false
        }
    }

    /// Whether the next page is requested by advancing the number in a parameter.
    func advances(_ parameterName: String) -> Bool {
        if case .number(let advancedName, _, _, _) = way { parameterName == advancedName } else { false }
    }

    /// The code for the number with which a list begins. The first offset is 0. The first page is 1, unless the
    /// description of the parameter says that it is 0.
    func firstNumber(of parameter: Parameter) -> String {
        if case .number(parameter: _, isOffset: true, list: _, more: _) = way { return "0" }
        return parameter.startsAtZero ? "0" : "1"
    }
}

/// The names of statuses in code.
enum StatusName {
    private static let names = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritative", 204: "noContent", 205: "resetContent",
        206: "partialContent", 207: "multiStatus", 208: "alreadyReported", 226: "imUsed",
    ]

    /// The name of a status: `accepted` for 202, and `status299` for a status without a name.
    static func name(of status: Int) -> String { names[status] ?? "status\(status)" }
}
