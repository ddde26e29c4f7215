extension Plan {
    /// The model that all pages of a list are, and what stands for an element in it.
    static let (page, pageElement) = ("<page>", "<element>")

    /// Finds the models that are the same but for the elements of their only list. If three responses are, all of these
    /// models are one generic type.
    func findPages() {
        let variants = Set(api.models.values.flatMap(\.variants).compactMap(\.schema.modelID))
        var groups: [String: [ModelID]] = [:]
        for (id, type) in types where type.uses.isSubset(of: [.decoded, .response]) && !variants.contains(id) {
            if let shape = pageShape(of: id)?.shape { groups[shape, default: []].append(id) }
        }
        let pages = groups.filter { $0.value.count { types[$0]?.uses.contains(.response) == true } > 2 }
        guard let ids = pages.max(by: { ($0.value.count, $0.key) < ($1.value.count, $1.key) })?.value.sorted(),
            var model = api.models[ids[0]], var object = model.object, let list = pageShape(of: ids[0])?.list
        else { return }
        let isList = object.members.values.contains { shape(of: $0.schema, depth: 0) == "constant(\"list\")" }
        for id in ids { pageElements[id] = pageShape(of: id)?.element }
        let element = Schema(.model(Self.pageElement), place: model.place)
        object.members[list]?.schema.kind = .list(element)
        object.members[list]?.schema.documentation = nil
        model.name = options.name + (isList ? "List" : "Page")
        model.documentation = "A page of a list."
        model.kind = .object(object)
        api.models[Self.page] = model
        types = [Self.pageElement: TypeShape(name: "Element", isNested: true)]
        findUses()
    }

    /// The only list of an object with other members too, its elements, and all but these as text.
    private func pageShape(of id: ModelID) -> (list: String, element: Schema, shape: String)? {
        guard let object = api.models[id]?.object, object.others == nil else { return nil }
        let members = members(of: object, .decoded)
        let lists = members.filter(\.schema.isList)
        guard lists.count == 1, members.count > 1, case .list(let element) = lists[0].schema.kind,
            Paging.listNames.contains(lists[0].name)
        else { return nil }
        let shapes = members.map { member in
            let kind = member.name == lists[0].name ? "list" : shape(of: member.schema, depth: 0)
            return "\(member.name) \(member.isRequired) \(member.schema.isNullable) \(kind)"
        }
        return (lists[0].name, element, shapes.sorted().joined(separator: ", "))
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
            let members = object.members.values.sorted { $0.name < $1.name }
            return "(\(members.map { "\($0.name) \($0.isRequired) \(inner($0.schema, depth + 1))" }))"
        default: return "\(schema.kind)"
        }
    }
}
