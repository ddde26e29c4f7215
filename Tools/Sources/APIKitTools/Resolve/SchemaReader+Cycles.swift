extension SchemaReader {
    /// Replaces the variants of unions that contain themselves by those of all unions in the cycle. Called after all
    /// models have been read.
    ///
    ///     A: { oneOf: [X, B] }
    ///     B: { oneOf: [A, Y] }
    ///
    /// Both become a union of `X` and `Y`, which accepts the same values. An enum with itself as a variant would read a
    /// value that no other variant accepts again and again.
    func flattenUnionsInCycles() {
        var innerUnions: [ModelID: Set<ModelID>] = [:]
        var outerUnions: [ModelID: Set<ModelID>] = [:]
        for (id, model) in models {
            for inner in model.variants.compactMap(\.schema.modelID) where models[inner]?.variants.isEmpty == false {
                innerUnions[id, default: []].insert(inner)
                outerUnions[inner, default: []].insert(id)
            }
        }
        var done: Set<ModelID> = []
        for id in innerUnions.keys.sorted() where !done.contains(id) && outerUnions[id] != nil {
            // The cycle consists of the unions that this one leads to, and that lead back to it.
            let inside = Self.reachable(from: id, innerUnions)
            guard inside.contains(id) else { continue }
            let cycle = inside.intersection(Self.reachable(from: id, outerUnions))
            done.formUnion(cycle)
            flatten(cycle)
        }
    }

    /// The models that a model leads to, directly or through others.
    private static func reachable(from start: ModelID, _ next: [ModelID: Set<ModelID>]) -> Set<ModelID> {
        var reachable: Set<ModelID> = []
        var work = [start]
        while let id = work.popLast() {
            for other in next[id] ?? [] where reachable.insert(other).inserted { work.append(other) }
        }
        return reachable
    }

    /// Gives each union of a cycle the variants of all of them, apart from these unions.
    private func flatten(_ cycle: Set<ModelID>) {
        var unions: [(id: ModelID, union: Union)] = []
        for id in cycle.sorted() {
            guard case .union(var union)? = models[id]?.kind else { continue }
            union.variants.removeAll { variant in variant.schema.modelID.map(cycle.contains) ?? false }
            unions.append((id, union))
        }
        for (id, union) in unions {
            guard let place = models[id]?.place else { continue }
            models[id]?.kind = .union(flat(union, in: unions.map(\.union), at: place))
        }
    }

    /// One union of a cycle with its own variants, followed by those of the others. It is any JSON, with a note, if the
    /// unions of the cycle have no variants at all or too many.
    private func flat(_ union: Union, in cycle: [Union], at place: Place) -> Union {
        var flat = union
        let count = cycle.reduce(0) { $0 + $1.variants.count }
        if count == 0 {
            note(.simplified, "a union of nothing but itself is any JSON", at: place)
            flat.variants = [Union.Variant(schema: Schema(.any, place: place))]
        } else if count > Self.maximumVariants {
            note(.simplified, "a union of \(count) variants is any JSON", at: place)
            flat.variants = [Union.Variant(schema: Schema(.any, place: place))]
        } else {
            addVariants(of: cycle, to: &flat)
        }
        return flat
    }

    /// Adds the variants of other unions that a union does not have.
    private func addVariants(of others: [Union], to union: inout Union) {
        var known = Set(union.variants.map(\.schema))
        for other in others {
            for var variant in other.variants where known.insert(variant.schema).inserted {
                // The texts of another member do not identify a variant of this union.
                if other.tag != union.tag { variant.tags = [] }
                union.variants.append(variant)
            }
        }
    }
}
