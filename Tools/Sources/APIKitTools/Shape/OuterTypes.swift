/// The outer types that types use: those that are not nested in another type. A nested type of the same name would hide
/// them.
struct OuterTypes {
    private let uses: ModelUses
    private let ownership: Ownership
    private let outerNames: [ModelID: String]
    /// The results for models that have been looked up.
    private var known: [ModelID: Set<String>] = [:]

    /// Creates a list of the types with some names, all of which are outer types.
    init(_ uses: ModelUses, _ ownership: Ownership, _ outerNames: [ModelID: String]) {
        self.uses = uses
        self.ownership = ownership
        self.outerNames = outerNames
    }

    /// Finds the names of the outer types that a model and the types nested in it use. Keeps the result in ``known``.
    ///
    /// `names(of:)` looks at the model's members, and calls this method again for those that have nested types.
    mutating func names(usedIn id: ModelID) -> Set<String> {
        if let names = known[id] { return names }
        // Ends the recursion for a type that contains itself.
        known[id] = []
        let schemas = uses.models[id]?.schemas.map(\.schema) ?? []
        let names = names(of: schemas)
        known[id] = names
        return names
    }

    /// Finds the names of the outer types of values: `Order` for a list of the type `Order`. If a type is nested, its
    /// own name is left out, and the names of the outer types that it uses are returned instead.
    ///
    /// The results for nested types are kept in ``known``.
    mutating func names(of schemas: [Schema]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas {
            guard let id = schema.core.modelID else { continue }
            if let element = uses.pageElements[id] {
                // A page is written as the API's generic type with its element: `GitHubPage<Issue>`.
                if let page = outerNames[GenericPage.id] { names.insert(page) }
                names.formUnion(self.names(of: [element]))
            } else if let type = ownership.types[id] {
                if type.isNested {
                    names.formUnion(self.names(usedIn: id))
                } else {
                    names.insert(outerNames[id] ?? "")
                }
            }
        }
        return names
    }
}
