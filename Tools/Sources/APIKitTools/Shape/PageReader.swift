/// Reads models as pages of lists, which are compared by their structures.
struct PageReader {
    let models: Models
    let isCodable: Bool

    /// An object that may be a page: it has a single list and other members.
    struct Page {
        /// The name of its only list.
        let list: String
        /// The elements of the list.
        let element: Schema
        /// Its members, apart from the elements of the list. It is equal for pages that only differ in these.
        let structure: Set<MemberStructure>
    }

    /// What is compared of a member to find similar objects.
    struct MemberStructure: Hashable {
        let name: String
        let isRequired: Bool
        let isNullable: Bool
        let values: ValueStructure
    }

    /// What is compared of values to find similar objects: instead of a model's identifier, the members that it has.
    indirect enum ValueStructure: Hashable {
        case object(Set<MemberStructure>)
        case list(ValueStructure, isNullable: Bool)
        case dictionary(ValueStructure, isNullable: Bool)
        /// Values of any other kind, or of a model that is not compared by its members.
        case other(Schema.Kind)
    }

    /// Reads a model as a page: an object that has a single list with a general name such as `data`, and other members.
    /// Nil for other models.
    func page(of id: ModelID) -> Page? {
        guard let object = models[id]?.object, object.others == nil else { return nil }
        let members = object.members(for: .decoded, isCodable: isCodable)
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
            guard depth < 3, let object = models.object(schema) else { return .other(schema.kind) }
            let members = object.members.values.map { structure(of: $0, depth: depth + 1) }
            return .object(Set(members))
        default:
            return .other(schema.kind)
        }
    }
}
