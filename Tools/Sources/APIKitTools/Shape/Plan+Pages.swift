extension Plan {
    /// The identifier of the API's generic model of pages.
    static let page = "<page>"
    /// The identifier of the generic parameter for the elements of a page.
    static let pageElement = "<element>"

    /// Finds the models that only differ in the elements of their single list. If at least three of them are whole
    /// responses, all of these models become one generic type.
    func findPages() {
        let variants = Set(api.models.values.flatMap(\.variants).compactMap(\.schema.modelID))
        var groups: [String: [ModelID]] = [:]
        for (id, type) in types where type.uses.isSubset(of: [.decoded, .response]) && !variants.contains(id) {
            if let page = pageShape(of: id) { groups[page.shape, default: []].append(id) }
        }
        let pages = groups.filter { $0.value.count { types[$0]?.uses.contains(.response) == true } > 2 }
        let largest = pages.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }
        guard let ids = largest?.value.sorted(), let model = pageModel(like: ids[0]) else {
            return
        }
        for id in ids { pageElements[id] = pageShape(of: id)?.element }
        api.models[Self.page] = model
        // The uses have to be determined again, since a single model now replaces those of all pages.
        types = [Self.pageElement: TypeShape(name: "Element", isNested: true)]
        findUses()
    }

    /// The generic model for pages like the given one.
    private func pageModel(like id: ModelID) -> Model? {
        guard var model = api.models[id], var object = model.object, let list = pageShape(of: id)?.list else {
            return nil
        }
        let isList = object.members.values.contains { $0.schema.kind == .constant("list") }
        let element = Schema(.model(Self.pageElement), place: model.place)
        object.members[list]?.schema.kind = .list(element)
        object.members[list]?.schema.documentation = nil
        model.name = options.name + (isList ? "List" : "Page")
        model.documentation = "A page of a list."
        model.kind = .object(object)
        return model
    }

    /// The structure of a page apart from its elements.
    private struct PageShape {
        /// The name of its only list.
        let list: String
        let element: Schema
        /// The structure as a text, which is equal for pages that only differ in their elements.
        let shape: String
    }

    /// The shape of an object that has a single list and other members; nil for other models.
    private func pageShape(of id: ModelID) -> PageShape? {
        guard let object = api.models[id]?.object, object.others == nil else { return nil }
        let members = members(of: object, .decoded)
        let lists = members.filter(\.schema.isList)
        guard lists.count == 1, members.count > 1, Paging.listNames.contains(lists[0].name),
            case .list(let element) = lists[0].schema.kind
        else { return nil }
        let shapes = members.map { member in
            let kind = member.name == lists[0].name ? "list" : shape(of: member.schema, depth: 0)
            return "\(member.name) \(member.isRequired) \(member.schema.isNullable) \(kind)"
        }
        return PageShape(list: lists[0].name, element: element, shape: shapes.sorted().joined(separator: ", "))
    }

    /// The structure of a schema's values as a text. Objects more than three levels deep are the same only if they are
    /// the same model, which also ends the recursion for a model that contains itself.
    private func shape(of schema: Schema, depth: Int) -> String {
        func inner(_ schema: Schema, _ depth: Int) -> String {
            shape(of: schema, depth: depth) + (schema.isNullable ? "?" : "")
        }
        switch schema.kind {
        case .list(let element): return "[\(inner(element, depth))]"
        case .dictionary(let element): return "[:\(inner(element, depth))]"
        case .model(let id):
            guard depth < 3, let object = object(schema) else { return id }
            let members = object.members.values.sorted { $0.name < $1.name }.map { member in
                "\(member.name) \(member.isRequired) \(inner(member.schema, depth + 1))"
            }
            return "(\(members))"
        default: return "\(schema.kind)"
        }
    }
}
