extension Plan {
    /// The identifier of the API's generic model of pages.
    static let page = "<page>"
    /// The identifier of the generic parameter for the elements of a page.
    static let pageElement = "<element>"

    /// The number of similar models that have to be responses for a generic type to replace them. With fewer, the types
    /// that it would replace are easier to read.
    private static let fewestResponses = 3

    /// Replaces the models of pages by one generic type, `GitHubPage<Element>`, if the API has similar ones.
    ///
    /// Pages are similar if they only differ in the elements of their single list. They have to be the responses of
    /// several endpoints. An API has one generic type, so only the largest group of similar pages is replaced.
    /// ``pageElements`` has the elements of each of its models afterwards, and ``types`` the generic model instead of
    /// them.
    func findPages() {
        guard let ids = largestGroupOfPages(), let model = pageModel(like: ids[0]) else { return }
        for id in ids { pageElements[id] = page(of: id)?.element }
        api.models[Self.page] = model
        // The uses have to be determined again, since a single model now replaces those of all pages. Only the generic
        // parameter is not found by its uses.
        types = [Self.pageElement: TypeShape(name: "Element", isNested: true)]
        findUses()
    }

    /// The largest group of models that are similar pages, sorted; nil if no group has enough responses.
    private func largestGroupOfPages() -> [ModelID]? {
        // A variant of a union needs a type of its own, which the union's decoder can tell from the others.
        let variants = Set(api.models.values.flatMap(\.variants).compactMap(\.schema.modelID))
        var groups: [Set<MemberStructure>: [ModelID]] = [:]
        for (id, type) in types {
            let isOnlyRead = type.uses.isSubset(of: [.decoded, .response])
            let isReplaceable = isOnlyRead && !variants.contains(id)
            guard isReplaceable, let page = page(of: id) else { continue }
            groups[page.structure, default: []].append(id)
        }
        let sortedGroups = groups.values.map { $0.sorted() }
        let groupsOfResponses = sortedGroups.filter { ids in
            let responses = ids.filter { types[$0]?.uses.contains(.response) == true }
            return responses.count >= Self.fewestResponses
        }
        // Between groups of the same size, the one with the smaller first identifier is chosen, so that the result does
        // not depend on the order of the dictionary.
        return groupsOfResponses.max { first, second in
            if first.count != second.count { return first.count < second.count }
            return first[0] > second[0]
        }
    }

    /// Creates the generic model for pages like the given one: its list has elements of the generic parameter instead
    /// of its own. Nil if the model is not a page.
    private func pageModel(like id: ModelID) -> Model? {
        guard var model = api.models[id], var object = model.object, let list = page(of: id)?.list else {
            return nil
        }
        // Some APIs call their pages lists, with a member `object: "list"`.
        let isCalledList = object.members.values.contains { $0.schema.kind == .constant("list") }
        let element = Schema(.model(Self.pageElement), place: model.place)
        object.members[list]?.schema.kind = .list(element)
        // The description of the list speaks of the elements of this one page.
        object.members[list]?.schema.documentation = nil
        model.name = options.name + (isCalledList ? "List" : "Page")
        model.documentation = "A page of a list."
        model.kind = .object(object)
        return model
    }

    // MARK: - Structures

    /// An object that may be a page: it has a single list and other members.
    private struct Page {
        /// The name of its only list.
        let list: String
        /// The elements of the list.
        let element: Schema
        /// Its members, apart from the elements of the list. It is equal for pages that only differ in these.
        let structure: Set<MemberStructure>
    }

    /// What is compared of a member to find similar objects.
    private struct MemberStructure: Hashable {
        let name: String
        let isRequired: Bool
        let isNullable: Bool
        let values: ValueStructure
    }

    /// What is compared of values to find similar objects: instead of a model's identifier, the members that it has.
    private indirect enum ValueStructure: Hashable {
        case object(Set<MemberStructure>)
        case list(ValueStructure, isNullable: Bool)
        case dictionary(ValueStructure, isNullable: Bool)
        /// Values of any other kind, or of a model that is not compared by its members.
        case other(Schema.Kind)
    }

    /// Reads a model as a page: an object that has a single list with a general name such as `data`, and other members.
    /// Nil for other models.
    private func page(of id: ModelID) -> Page? {
        guard let object = api.models[id]?.object, object.others == nil else { return nil }
        let members = members(of: object, .decoded)
        let lists = members.filter(\.schema.isList)
        guard lists.count == 1, members.count > 1 else { return nil }
        let list = lists[0]
        guard Paging.listNames.contains(list.name), case .list(let element) = list.schema.kind else { return nil }
        let structure = structure(of: members, withoutElementsOf: list)
        return Page(list: list.name, element: element, structure: structure)
    }

    /// The structure of a page's members, in which the elements of its list count as any JSON. It is equal for pages
    /// that only differ in their elements.
    private func structure(
        of members: [Object.Member], withoutElementsOf list: Object.Member
    ) -> Set<MemberStructure> {
        var listOfAny = list
        listOfAny.schema.kind = .list(Schema(.any, place: list.schema.place))
        var structures: Set = [structure(of: listOfAny, depth: 0)]
        for member in members where member.name != list.name {
            structures.insert(structure(of: member, depth: 0))
        }
        return structures
    }

    /// The structure of a member, for comparison. The depth is the number of objects around the member's own object.
    private func structure(of member: Object.Member, depth: Int) -> MemberStructure {
        MemberStructure(
            name: member.name, isRequired: member.isRequired, isNullable: member.schema.isNullable,
            values: structure(of: member.schema, depth: depth))
    }

    /// The structure of values, for comparison. Two different models have the same structure if their members have the
    /// same names and the same structures.
    ///
    /// Objects more than three levels deep are equal only if they are the same model, which also ends the recursion for
    /// a model that contains itself.
    ///
    /// - Parameters:
    ///   - schema: The schema of the values.
    ///   - depth: The number of objects around them.
    /// - Returns: The structure.
    private func structure(of schema: Schema, depth: Int) -> ValueStructure {
        switch schema.kind {
        case .list(let element):
            return .list(structure(of: element, depth: depth), isNullable: element.isNullable)
        case .dictionary(let element):
            return .dictionary(structure(of: element, depth: depth), isNullable: element.isNullable)
        case .model:
            guard depth < 3, let object = object(schema) else { return .other(schema.kind) }
            let members = object.members.values.map { structure(of: $0, depth: depth + 1) }
            return .object(Set(members))
        default:
            return .other(schema.kind)
        }
    }
}
