/// Identifies a member of a model.
struct MemberKey: Hashable {
    let model: ModelID
    /// The member's name in JSON.
    let name: String
}

/// The types that contain themselves.
///
/// Swift does not allow a `Category` with a member `parent` that is a `Category` too, unless it is in a list or a
/// dictionary. Enums that contain themselves become `indirect`. The structs that still contain themselves get members
/// of the type `Indirect`.
struct Cycles {
    /// The unions whose enums have to be `indirect`.
    let indirectEnums: Set<ModelID>
    /// The members that have the type `Indirect`.
    let indirectMembers: Set<MemberKey>

    /// Finds the types that contain themselves.
    init(_ uses: ModelUses) {
        var contents: [ModelID: [Content]] = [:]
        for id in uses.types.keys { contents[id] = Self.directContents(of: id, uses) }
        let indirectEnums = Self.modelsThatContainThemselves(contents).filter { id in
            if case .union? = uses.models[id]?.kind { true } else { false }
        }
        // An indirect enum ends each cycle that it is part of.
        for id in indirectEnums { contents[id] = [] }
        let structs = Self.modelsThatContainThemselves(contents)
        var indirectMembers: Set<MemberKey> = []
        for id in structs {
            // A member that leads from one of these structs to another may be a part of a cycle.
            for content in contents[id] ?? [] where structs.contains(content.model) {
                indirectMembers.insert(MemberKey(model: id, name: content.name))
            }
        }
        self.indirectEnums = indirectEnums
        self.indirectMembers = indirectMembers
    }

    /// A model inside of another one.
    private struct Content {
        /// The name of the member or the variant that it is the type of.
        let name: String
        let model: ModelID
    }

    /// Lists the models that a value of a model contains directly, as the types of its members or variants, to find
    /// types that contain themselves. The elements of lists and dictionaries are left out, since these collections
    /// already store them indirectly.
    private static func directContents(of id: ModelID, _ uses: ModelUses) -> [Content] {
        var contents: [Content] = []
        for (name, schema) in uses.models[id]?.schemas ?? [] {
            if case .model(let inner) = schema.kind, uses.types[inner] != nil {
                contents.append(Content(name: name, model: inner))
            }
        }
        return contents
    }

    /// The models that contain themselves, directly or through others.
    private static func modelsThatContainThemselves(_ contents: [ModelID: [Content]]) -> Set<ModelID> {
        let contained = contents.mapValues { Set($0.map(\.model)) }
        let candidates = withoutAcyclicEnds(contained)
        return Set(candidates.keys.filter { isReachable($0, from: $0, in: candidates) })
    }

    /// Removes models that cannot be part of a cycle from a list of the models that each one contains, so that few
    /// remain for the slower search that follows.
    ///
    /// A model in a cycle contains another one and is contained in another one. Models without either are removed until
    /// all remaining ones have both. A model on a path between two cycles also remains.
    private static func withoutAcyclicEnds(_ contents: [ModelID: Set<ModelID>]) -> [ModelID: Set<ModelID>] {
        var rest = contents
        var countBefore = 0
        while countBefore != rest.count {
            countBefore = rest.count
            let contained = Set(rest.values.joined())
            rest = rest.filter { id, inner in !inner.isEmpty && contained.contains(id) }
            // The removed models are no longer contents of others, which may thereby become empty.
            let remaining = Set(rest.keys)
            rest = rest.mapValues { $0.intersection(remaining) }
        }
        return rest
    }

    /// Whether a model contains the target at any depth.
    private static func isReachable(
        _ target: ModelID, from start: ModelID, in contents: [ModelID: Set<ModelID>]
    ) -> Bool {
        var known: Set<ModelID> = []
        var work = [start]
        while let next = work.popLast() {
            for id in contents[next] ?? [] {
                let isNew = known.insert(id).inserted
                guard isNew else { continue }
                if id == target { return true }
                work.append(id)
            }
        }
        return false
    }
}
