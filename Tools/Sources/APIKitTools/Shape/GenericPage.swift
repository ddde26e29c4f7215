/// The API's generic model of pages, `GitHubPage<Element>`, and the models that it replaces.
///
/// Pages are similar if they only differ in the elements of their single list. They have to be the responses of several
/// endpoints. An API has one generic type, so only the largest group of similar pages is replaced.
struct GenericPage {
    /// The identifier of the generic model.
    static let id = "<page>"
    /// The identifier of the generic parameter for the elements of a page.
    static let element = "<element>"

    /// The number of similar models that have to be responses for a generic type to replace them. With fewer, the types
    /// that it would replace are easier to read.
    private static let fewestResponses = 3

    /// The generic model: its list has elements of the generic parameter.
    let model: Model
    /// The elements of each of the models that it replaces.
    let elements: [ModelID: Schema]

    /// Finds the largest group of similar pages among models with some uses; nil if no group has enough responses.
    init?(_ models: Models, _ types: [ModelID: TypeUses], _ options: Plan.Options) {
        let reader = PageReader(models: models, isCodable: options.isCodable)
        guard let ids = Self.largestGroup(models, types, reader) else { return nil }
        guard let list = reader.page(of: ids[0])?.list else { return nil }
        let model = Self.model(like: ids[0], listName: list, models, apiName: options.name)
        guard let model else { return nil }
        self.model = model
        var elements: [ModelID: Schema] = [:]
        for id in ids { elements[id] = reader.page(of: id)?.element }
        self.elements = elements
    }

    /// The largest group of models that are similar pages, sorted; nil if no group has enough responses.
    private static func largestGroup(
        _ models: Models, _ types: [ModelID: TypeUses], _ reader: PageReader
    ) -> [ModelID]? {
        // A variant of a union needs a type of its own, which the union's decoder can tell from the others.
        let variants = Set(models.values.flatMap(\.variants).compactMap(\.schema.modelID))
        var groups: [Set<PageReader.MemberStructure>: [ModelID]] = [:]
        for (id, type) in types {
            let isOnlyRead = type.uses.isSubset(of: [.decoded, .response])
            let isReplaceable = isOnlyRead && !variants.contains(id)
            guard isReplaceable, let page = reader.page(of: id) else { continue }
            groups[page.structure, default: []].append(id)
        }
        let sortedGroups = groups.values.map { $0.sorted() }
        let groupsOfResponses = sortedGroups.filter { ids in
            let responses = ids.filter { types[$0]?.uses.contains(.response) == true }
            return responses.count >= fewestResponses
        }
        // Between groups of the same size, the one with the smaller first identifier is chosen, so that the result does
        // not depend on the order of the dictionary.
        return groupsOfResponses.max { first, second in
            if first.count != second.count { return first.count < second.count }
            return first[0] > second[0]
        }
    }

    /// Creates the generic model for pages like the given one: its list has elements of the generic parameter instead
    /// of its own. Nil if the model is not an object.
    private static func model(like id: ModelID, listName: String, _ models: Models, apiName: String) -> Model? {
        guard var model = models[id], var object = model.object else { return nil }
        // Some APIs call their pages lists, with a member `object: "list"`.
        let isCalledList = object.members.values.contains { $0.schema.kind == .constant("list") }
        let element = Schema(.model(Self.element), place: model.place)
        object.members[listName]?.schema.kind = .list(element)
        // The description of the list speaks of the elements of this one page.
        object.members[listName]?.schema.documentation = nil
        model.name = apiName + (isCalledList ? "List" : "Page")
        model.documentation = "A page of a list."
        model.kind = .object(object)
        return model
    }
}
