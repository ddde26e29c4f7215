extension Plan {
    /// Finds types that contain themselves, other than in lists: enums among them are indirect, and structs that do so
    /// without an enum between have the member in an `Indirect`.
    func findCycles() {
        var edges: [ModelID: [(name: String, id: ModelID)]] = [:]
        for id in types.keys {
            edges[id] = api.models[id]?.schemas.compactMap { name, schema in
                guard case .model(let inner) = schema.kind, types[inner] != nil else { return nil }
                return (name, inner)
            }
        }
        for id in cyclic(edges) {
            guard case .union? = api.models[id]?.kind else { continue }
            types[id]?.isIndirect = true
            edges[id] = []
        }
        let remaining = cyclic(edges)
        for id in remaining {
            for (name, inner) in edges[id] ?? [] where remaining.contains(inner) {
                indirectMembers.insert("\(id)\u{0}\(name)")
            }
        }
    }

    /// The models that contain themselves: those that can be reached from themselves, among those that are left once
    /// models without others inside, and those that are in no other, are taken away.
    private func cyclic(_ edges: [ModelID: [(name: String, id: ModelID)]]) -> Set<ModelID> {
        var targets = edges.mapValues { Set($0.map(\.id)) }
        var count = 0
        while count != targets.count {
            count = targets.count
            let used = Set(targets.values.joined())
            targets = targets.filter { !$0.value.isEmpty && used.contains($0.key) }
            let remaining = Set(targets.keys)
            targets = targets.mapValues { $0.intersection(remaining) }
        }
        return Set(
            targets.keys.filter { id in
                var found: Set<ModelID> = []
                var work = [id]
                while let next = work.popLast() {
                    for target in targets[next] ?? [] where found.insert(target).inserted { work.append(target) }
                }
                return found.contains(id)
            })
    }
}
