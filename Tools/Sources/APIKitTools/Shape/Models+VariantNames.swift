extension Models {
    /// The models with names for the variants of unions that have neither a name nor a tag that is a text, so that
    /// their cases in Swift can be told apart.
    func namingVariants() -> Models {
        mapValues { model in
            guard case .union(let union) = model.kind else { return model }
            var named = model
            named.kind = .union(namingVariants(of: union))
            return named
        }
    }

    /// The union with names for its unnamed variants.
    ///
    /// An object is named after a member that no other variant has: in a union of `{"id", "email"}` and
    /// `{"id", "phone"}`, the variants are `email` and `phone`. Without such a member, it is named after the number or
    /// the Boolean of its tag. An enum of texts or numbers is called `option`. The only object of a union and variants
    /// of other kinds stay without a name, and their cases are called after the kind.
    private func namingVariants(of union: Union) -> Union {
        let objects = union.variants.compactMap { object($0.schema) }
        // The number of variants that have a member of this name.
        var variantsWithMember: [String: Int] = [:]
        for name in objects.flatMap(\.members.keys) { variantsWithMember[name, default: 0] += 1 }
        var named = union
        for (index, variant) in union.variants.enumerated() where variant.name == nil {
            // A text of the tag is a name itself.
            let hasNamingTag = variant.tags.contains { $0.text != nil }
            if hasNamingTag { continue }
            switch model(variant.schema)?.kind {
            case .texts, .numbers:
                named.variants[index].name = "option"
            case .object(let object) where objects.count > 1:
                let ownMembers = object.members.values.filter { variantsWithMember[$0.name] == 1 }
                named.variants[index].name = nameOfFirst(of: ownMembers) ?? name(ofTag: variant, in: union)
            default:
                break
            }
        }
        return named
    }

    /// The name of a variant after the number or the Boolean of its tag: `kind1` for the number 1 of the tag `kind`.
    /// Nil if it has no tag.
    private func name(ofTag variant: Union.Variant, in union: Union) -> String? {
        guard let member = union.tag, let tag = variant.tags.first else { return nil }
        return "\(member) \(tag.word)"
    }

    /// The name of the first required member in alphabetical order; that of the first optional one if none is required.
    /// Nil if there are no members.
    private func nameOfFirst(of members: [Object.Member]) -> String? {
        let required = members.filter(\.isRequired).map(\.name).min()
        let optional = members.filter { !$0.isRequired }.map(\.name).min()
        return required ?? optional
    }
}
