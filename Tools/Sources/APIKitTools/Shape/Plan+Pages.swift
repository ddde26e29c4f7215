extension Plan {
    /// The model that all pages of a list are, and what stands for an element in it.
    static let page = "<page>"
    static let pageElement = "<element>"

    /// Finds the models that are the same but for the elements of their only list. If three responses are, all of these
    /// models are one generic type.
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
        // All uses are found again, now that the models of pages are one.
        types = [Self.pageElement: TypeShape(name: "Element", isNested: true)]
        findUses()
    }

    /// A model like another one, but with elements of any type in its list.
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

    /// What a page is but for its elements.
    private struct PageShape {
        /// The name of its only list.
        let list: String
        let element: Schema
        /// All but the elements, as text.
        let shape: String
    }

    /// The shape of an object with one list and other members; nil for others.
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

    /// The structure of a schema's values as text.
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
