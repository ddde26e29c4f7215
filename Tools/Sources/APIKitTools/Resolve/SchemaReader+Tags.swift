import OpenAPIRules

extension SchemaReader {
    /// Adds the tag of a `discriminator` to a union, and to its variants the texts that the `mapping` assigns to them.
    /// ``findTags()`` turns these into numbers if the member has numbers.
    ///
    /// The tag is the member whose value identifies the variant. With the tag `type` and the mapping
    /// `{"card": "#/components/schemas/Card"}`, a value `{"type": "card", …}` is a `Card`.
    func addTags(to union: inout Union, _ element: Element) throws {
        guard let discriminator = element.child("discriminator"), let tag = try discriminator.text("propertyName")
        else { return }
        union.tag = tag
        // A base that lists its children itself.
        if !descendants(of: element).isEmpty { basesOfInheritance.insert(element.id) }
        var tagsByElement: [String: [Tag]] = [:]
        for mapped in mappedElements(of: discriminator) {
            tagsByElement[mapped.element.id, default: []].append(.text(mapped.tag))
        }
        for index in union.variants.indices {
            guard case .model(let id) = union.variants[index].schema.kind else { continue }
            // The mapping leads to the element that describes the model.
            union.variants[index].tags = tagsByElement[Self.elementID(of: id)] ?? []
        }
    }

    /// The element of the schema that a mapping names, by a reference or by its name.
    func mappedElement(_ text: String, in reference: Element) throws -> Element {
        let isName = !text.contains("/") && !text.contains(".")
        let target = try documents.target(of: isName ? "#/components/schemas/\(text)" : text, in: reference)
        return try self.target(of: target)
    }

    /// Finds the tags of unions that the description does not name. Called after all models have been read, so that the
    /// result does not depend on their order.
    ///
    /// A tag is the member whose value identifies the variant of a union: a text, a number or a Boolean.
    ///
    /// 1. A union without a discriminator gets a tag if its variants have a suitable member.
    /// 2. If it still has none, it takes over the tag of the unions inside of it.
    /// 3. A union with a discriminator, which names the tag, gets the values that the mapping does not have. If no
    ///    value is known, and the member is never a text, the tag is dropped with a note.
    /// 4. In such a union, variants that are unions with the same tag get the values of their own variants.
    func findTags() {
        let ids = models.keys.filter { union($0) != nil }.sorted()
        let haveDiscriminator = ids.filter { union($0)?.tag != nil }
        for id in ids {
            guard var union = union(id), union.tag == nil else { continue }
            inferTags(of: &union)
            models[id]?.kind = .union(union)
        }
        adoptTagsOfInnerUnions(ids.filter { !haveDiscriminator.contains($0) })
        for id in haveDiscriminator {
            guard var union = union(id), let tag = union.tag, let place = models[id]?.place else { continue }
            convertMappedTags(of: &union, tag)
            addMissingTags(to: &union, tag)
            let hasNoTags = union.variants.allSatisfy(\.tags.isEmpty)
            if hasNoTags, isNeverText(tag, in: union) {
                let text: NoteText = "the tag \(tag) of a union has no known values: its variants are tried in turn"
                note(.simplified, text, at: place)
                union.tag = nil
            }
            models[id]?.kind = .union(union)
        }
        // The inner unions come last, since their own tags have to be known before the outer ones take them over.
        let completedUnions = haveDiscriminator.compactMap { id in
            union(id).map { (id: id, union: withTagsOfInnerUnions($0, id: id)) }
        }
        for (id, union) in completedUnions { models[id]?.kind = .union(union) }
    }

    /// The union with an identifier; nil if the model is something else.
    private func union(_ id: ModelID) -> Union? {
        if case .union(let union)? = models[id]?.kind { union } else { nil }
    }

    /// Whether the variants that describe the member of a tag have numbers or Booleans there, which OpenAPI does not
    /// allow.
    private func isNeverText(_ tag: String, in union: Union) -> Bool {
        let kinds = union.variants.compactMap { kind(ofMember: tag, in: $0) }
        return !kinds.isEmpty && kinds.allSatisfy { $0.isNumber || $0.isBoolean }
    }

    /// The kind of a member of a variant, without a limit to some values; nil if the variant does not describe it.
    private func kind(ofMember name: String, in variant: Union.Variant) -> Schema.Kind? {
        model(variant.schema.kind)?.object?.members[name]?.schema.kind.unlimited(in: models)
    }

    /// Turns the keys of a mapping, which are texts, into numbers or Booleans for the variants that have these.
    private func convertMappedTags(of union: inout Union, _ tag: String) {
        for index in union.variants.indices {
            let kind = kind(ofMember: tag, in: union.variants[index])
            union.variants[index].tags = union.variants[index].tags.map { mapped in
                guard let text = mapped.text else { return mapped }
                return Tag(mapped: text, kind: kind)
            }
        }
    }

    /// Adds tags to the variants to which the mapping assigns none: the values that the tag's member can have, or else
    /// the variant's name, if it can have any text. Variants that are unions with the same tag are left out.
    private func addMissingTags(to union: inout Union, _ tag: String) {
        for index in union.variants.indices where union.variants[index].tags.isEmpty {
            let variant = union.variants[index]
            guard case .model(let id) = variant.schema.kind else { continue }
            if self.union(id)?.tag == tag { continue }
            if let tags = tags(of: variant, member: tag) {
                union.variants[index].tags = tags
                continue
            }
            let kind = kind(ofMember: tag, in: variant)
            let isNeverText = kind.map { $0.isNumber || $0.isBoolean } ?? false
            if !isNeverText, let name = models[id]?.name { union.variants[index].tags = [.text(name)] }
        }
    }

    /// Gives each variant that has no tags, and that is a union with the same tag, the tags of that union's variants.
    private func withTagsOfInnerUnions(_ outer: Union, id: ModelID) -> Union {
        guard let tag = outer.tag else { return outer }
        var outer = outer
        for index in outer.variants.indices where outer.variants[index].tags.isEmpty {
            guard let inner = outer.variants[index].schema.modelID, union(inner)?.tag == tag else { continue }
            outer.variants[index].tags = tags(ofUnion: inner, tag, besides: id)
        }
        return outer
    }

    /// The tags of a union's variants, sorted, also of those that are unions themselves.
    private func tags(ofUnion start: ModelID, _ tag: String, besides outer: ModelID) -> [Tag] {
        var tags: Set<Tag> = []
        var seen: Set<ModelID> = [outer, start]
        var work = [start]
        while let id = work.popLast() {
            for variant in union(id)?.variants ?? [] {
                tags.formUnion(variant.tags)
                guard variant.tags.isEmpty, let inner = variant.schema.modelID, union(inner)?.tag == tag else {
                    continue
                }
                if seen.insert(inner).inserted { work.append(inner) }
            }
        }
        return tags.sorted()
    }

    /// Finds the tag of a union without a discriminator, and adds it. It is a member of all objects, whose values
    /// differ: `type`, if it is always `card` in one object and always `transfer` in the other, or 1 and 2.
    ///
    /// If there is none, several objects may have the same value: the tag then tells groups of variants apart. If there
    /// is no such member either, some objects may do without the member that the others require. Variants that are not
    /// objects get no tags. Nothing changes if no member tells objects apart.
    private func inferTags(of union: inout Union) {
        let indicesOfObjects = union.variants.indices.filter { index in
            model(union.variants[index].schema.kind)?.object != nil
        }
        guard indicesOfObjects.count > 1 else { return }
        let objects = indicesOfObjects.map { union.variants[$0] }
        let members = objects.flatMap { model($0.schema.kind)?.object?.members.keys.sorted() ?? [] }
        // The usual names of tags are tried first.
        var names: [String] = []
        for name in ["type", "object", "kind"] + members where !names.contains(name) { names.append(name) }
        guard let chosen = firstTag(of: objects, among: names) else { return }
        union.tag = chosen.name
        for (index, tags) in zip(indicesOfObjects, chosen.tags) { union.variants[index].tags = tags }
    }

    /// Gives unions without a tag that of the unions inside of them, if it identifies all variants that are models.
    ///
    /// Without it, the first inner union would read the values of all others, as unknown variants.
    private func adoptTagsOfInnerUnions(_ ids: [ModelID]) {
        var hasChanged = true
        // A union may be inside of another one that is inside of a third one.
        while hasChanged {
            hasChanged = false
            for id in ids {
                guard var outer = union(id), outer.tag == nil, let inferred = tagOfInnerUnions(outer, id: id) else {
                    continue
                }
                outer.tag = inferred.name
                for (index, tags) in inferred.tags.enumerated() { outer.variants[index].tags = tags }
                models[id]?.kind = .union(outer)
                hasChanged = true
            }
        }
    }

    /// The tag that all unions inside of a union have, with the values for each of its variants. Nil if there is no
    /// such union, if one of them has variants without tags, if two variants have the same value, or if only one
    /// variant is an object or a union.
    private func tagOfInnerUnions(_ outer: Union, id: ModelID) -> InferredTag? {
        let innerTags = outer.variants.compactMap { variant in variant.schema.modelID.flatMap { union($0) }?.tag }
        guard let name = innerTags.first else { return nil }
        var tagsOfVariants: [[Tag]] = []
        var objectCount = 0
        for variant in outer.variants {
            let tags = tags(of: variant, member: name) ?? tags(ofInnerUnion: variant, name, besides: id) ?? []
            let model = model(variant.schema.kind)
            let isObjectOrUnion = model?.object != nil || model?.variants.isEmpty == false
            if isObjectOrUnion {
                if tags.isEmpty { return nil }
                objectCount += 1
            }
            tagsOfVariants.append(tags)
        }
        guard objectCount > 1, Self.areDifferent(tagsOfVariants) else { return nil }
        return InferredTag(name: name, tags: tagsOfVariants)
    }

    /// The tags of a variant that is a union with the same tag. Nil if it is not, or has models without tags.
    private func tags(ofInnerUnion variant: Union.Variant, _ tag: String, besides outer: ModelID) -> [Tag]? {
        guard let id = variant.schema.modelID, let inner = union(id), inner.tag == tag else { return nil }
        let areAllTagged = inner.variants.allSatisfy { !$0.tags.isEmpty || $0.schema.modelID == nil }
        return areAllTagged ? tags(ofUnion: id, tag, besides: outer) : nil
    }

    /// A member that tells variants apart, with the tags of each variant.
    private struct InferredTag {
        let name: String
        let tags: [[Tag]]
    }

    /// The member that tells some objects apart best; nil if there is none.
    private func firstTag(of objects: [Union.Variant], among names: [String]) -> InferredTag? {
        let candidates = names.compactMap { name in
            allTags(of: objects, member: name).map { InferredTag(name: name, tags: $0) }
        }
        if let different = candidates.first(where: { Self.areDifferent($0.tags) }) { return different }
        if let groups = candidates.first(where: { Self.areGroups($0.tags) }) { return groups }
        for name in names {
            if let tags = tagsOfSome(objects, member: name) { return InferredTag(name: name, tags: tags) }
        }
        return nil
    }

    /// The single values of a member that some variants require, and that the others do not have: these get no tags.
    /// Nil if the member does not tell at least two variants apart.
    private func tagsOfSome(_ variants: [Union.Variant], member name: String) -> [[Tag]]? {
        var tagsOfVariants: [[Tag]] = []
        for variant in variants {
            guard let member = model(variant.schema.kind)?.object?.members[name] else {
                tagsOfVariants.append([])
                continue
            }
            guard member.isAlwaysThere, let tags = tags(of: variant, member: name), tags.count == 1 else { return nil }
            tagsOfVariants.append(tags)
        }
        let tags = tagsOfVariants.joined()
        let areDifferent = Set(tags).count == tags.count
        return areDifferent && tags.count > 1 ? tagsOfVariants : nil
    }

    /// The values of a member in each of some variants, in their order. Nil if one variant has no such values.
    private func allTags(of variants: [Union.Variant], member name: String) -> [[Tag]]? {
        var tagsOfVariants: [[Tag]] = []
        for variant in variants {
            guard let tags = tags(of: variant, member: name) else { return nil }
            tagsOfVariants.append(tags)
        }
        return tagsOfVariants
    }

    /// Whether each tag belongs to one variant.
    private static func areDifferent(_ tagsOfVariants: [[Tag]]) -> Bool {
        let tags = tagsOfVariants.joined()
        return Set(tags).count == tags.count
    }

    /// Whether each variant has a single tag, and at least two of these differ.
    private static func areGroups(_ tagsOfVariants: [[Tag]]) -> Bool {
        let haveOneTag = tagsOfVariants.allSatisfy { $0.count == 1 }
        return haveOneTag && Set(tagsOfVariants).count > 1
    }

    /// The maximum number of values that identify one variant. A member with more values is unlikely to be a tag.
    private static let maximumTagsOfVariant = 7

    /// The values by which a member identifies a variant: `card` for a member `type` that is always `card`.
    ///
    /// They are the member's constant, or the values of its enum. Nil if the variant does not have the member, or if
    /// the member may have too many other values.
    private func tags(of variant: Union.Variant, member name: String) -> [Tag]? {
        let model = model(variant.schema.kind)
        var tags: [Tag]
        switch model?.object?.members[name]?.schema.kind {
        case .constant(let text)?: tags = [.text(text)]
        case .fixed(let flag, .boolean)?: tags = [.boolean(flag == "true")]
        case .fixed(let number, _)?: tags = [.number(number)]
        case .model(let id)?:
            switch models[id]?.kind {
            case .texts(let texts): tags = texts.map { .text($0.value) }
            case .numbers(let numbers, _): tags = numbers.map { .number($0.value) }
            default: return nil
            }
        default: return nil
        }
        return tags.count <= Self.maximumTagsOfVariant ? tags : nil
    }
}
