extension Plan {
    /// Names the variants of unions that have neither a name nor a tag. An object is named after a member that no other
    /// variant has, preferably a required one.
    func nameVariants() {
        for (id, model) in api.models {
            guard case .union(var union) = model.kind else { continue }
            let objects = union.variants.compactMap { object($0.schema) }
            var counts: [String: Int] = [:]
            for name in objects.flatMap(\.members.keys) { counts[name, default: 0] += 1 }
            for (index, variant) in union.variants.enumerated() where variant.name == nil && variant.tags.isEmpty {
                if case .texts? = self.model(variant.schema)?.kind {
                    union.variants[index].name = "option"
                }
                guard objects.count > 1, let object = object(variant.schema) else {
                    continue
                }
                let own = object.members.values.filter { counts[$0.name] == 1 }
                let required = own.filter(\.isRequired).map(\.name).min()
                let optional = own.filter { !$0.isRequired }.map(\.name).min()
                union.variants[index].name = required ?? optional
            }
            api.models[id]?.kind = .union(union)
        }
    }
}
