extension SchemaReader {
    /// The maximum number of variants of a union. Each is compared with all others, so the time grows with the square
    /// of the number.
    static let maximumVariants = 500

    /// Reads the `oneOf` or `anyOf` of a schema. A union of texts only becomes an enum, and one of too many variants
    /// becomes any JSON.
    ///
    /// - Parameters:
    ///   - element: The schema with `oneOf` or `anyOf`.
    ///   - common: The members beside the variants, which each variant has too.
    ///   - owner: The schema that the union is for, if `element` is only a part of it.
    /// - Returns: The kind of the union; nil if there are no variants, or if they only restrict values that the schema
    ///   describes elsewhere.
    /// - Throws: ``DescriptionError`` if a variant cannot be read.
    func union(_ element: Element, with common: Object?, for owner: Element? = nil) throws -> Schema.Kind? {
        let elements = try element.list("oneOf") ?? element.list("anyOf") ?? []
        if elements.isEmpty { return nil }
        guard elements.count <= Self.maximumVariants else {
            note(.simplified, "a union of \(elements.count) variants is any JSON", at: element.place)
            return .any
        }
        let variants = try variants(elements, with: common)
        if variants.isEmpty {
            // Variants such as `{"required": ["id"]}` leave open what the values are. With other members or a type, the
            // schema itself says that; otherwise any value fits.
            let isDescribedElsewhere = common != nil || element.has("type")
            return isDescribedElsewhere ? nil : .any
        }
        var union = Union(variants: variants)
        try addTags(to: &union, element)
        let owner = owner ?? element
        if let texts = texts(of: union) { return kind(ofTexts: texts, for: owner) }
        if let numbers = numbers(of: union) { return kind(of: numbers, for: owner) }
        return simplified(union, for: owner)
    }

    /// Reads the variants that describe values.
    ///
    /// Variants that only require members are left out, since they do not say what the values are. So is null, which
    /// ``allowsNull(_:)`` reports.
    ///
    /// - Parameters:
    ///   - elements: The variants in the description.
    ///   - common: The members that the schema has beside the variants. Each variant gets them too.
    /// - Returns: The variants.
    /// - Throws: ``DescriptionError`` if a variant cannot be read.
    private func variants(_ elements: [Element], with common: Object?) throws -> [Union.Variant] {
        var variants: [Union.Variant] = []
        for element in elements {
            guard element.saysMoreThanRequired, try !isNull(element) else { continue }
            var schema = try schema(element)
            schema.isNullable = false
            if let common { schema = adding(common, to: schema, at: element) }
            variants.append(Union.Variant(schema: schema, name: element.title))
        }
        return variants
    }

    /// Adds the common members of a union, which all of its values have, to one variant: with the common member `id`,
    /// the variant `{"email"}` becomes `{"email", "id"}`.
    ///
    /// The variant's own members take precedence. A variant that is not an object stays as it is.
    private func adding(_ common: Object, to schema: Schema, at element: Element) -> Schema {
        guard let model = model(schema.kind), var object = model.object else {
            return schema
        }
        // A variant that has the schema in its `allOf` has the common members already.
        let hasAllMembers = common.members.keys.allSatisfy { object.members[$0] != nil }
        if hasAllMembers { return schema }
        object.members.merge(common.members) { own, _ in own }
        // The variant's own model may be used elsewhere, so the combined object is another model.
        let combinedModel = Model(kind: .object(object), documentation: model.documentation, place: model.place)
        var combined = schema
        combined.kind = add(combinedModel, id: element.id + Self.combinedSuffix)
        return combined
    }

    /// The end of the identifier of a variant to which common members were added. The rest is that of its element.
    private static let combinedSuffix = "+"

    /// The identifier of the element that describes a model.
    private static func elementID(of model: ModelID) -> String {
        model.hasSuffix(combinedSuffix) ? String(model.dropLast(combinedSuffix.count)) : model
    }

    /// The simplest kind that covers all values of a union.
    func simplified(_ union: Union, for element: Element) -> Schema.Kind {
        let variants = Union(variants: flattened(union)).simplifiedVariants(in: models)
        if variants.count == 1 { return variants[0].schema.kind }
        return addModel(.union(Union(variants: variants, tag: union.tag)), describedBy: element)
    }

    /// The variants of a union, with unnamed inner unions replaced by theirs. An inner union that has a name, or
    /// another tag, stays.
    private func flattened(_ union: Union) -> [Union.Variant] {
        var variants: [Union.Variant] = []
        for variant in union.variants {
            guard let model = model(variant.schema.kind), model.name == nil, case .union(let inner) = model.kind else {
                variants.append(variant)
                continue
            }
            let hasOtherTag = inner.tag != nil && inner.tag != union.tag
            variants += hasOtherTag ? [variant] : inner.variants
        }
        return variants
    }

    /// Whether a kind is an enum of texts, one of which is a path of members such as `owner.name`. A server accepts
    /// more such paths than a description lists.
    func hasPathsOfMembers(_ kind: Schema.Kind) -> Bool {
        guard case .texts(let texts)? = model(kind)?.kind else { return false }
        return texts.map(\.value).contains { text in
            text.contains(".") && text.allSatisfy { $0.isLetter || "._".contains($0) }
        }
    }

    /// Whether a value can be sent as a single text: a number, a Boolean or a text, but not a list or an object.
    func isPlain(_ kind: Schema.Kind) -> Bool {
        switch kind.unlimited(in: models) {
        case .boolean, .integer, .number, .string: true
        default: kind.isLimitedText(in: models)
        }
    }
}

// MARK: - Tags

extension SchemaReader {
    /// Adds the tag of a `discriminator` to a union, and to its variants the texts that the `mapping` assigns to them.
    ///
    /// The tag is the member whose text identifies the variant. With the tag `type` and the mapping
    /// `{"card": "#/components/schemas/Card"}`, a value `{"type": "card", …}` is a `Card`.
    private func addTags(to union: inout Union, _ element: Element) throws {
        guard let discriminator = element.child("discriminator"), let tag = try discriminator.text("propertyName")
        else { return }
        union.tag = tag
        // A base that lists its children itself.
        if !descendants(of: element).isEmpty { basesOfInheritance.insert(element.id) }
        var tagsByElement: [String: [String]] = [:]
        for mapped in mappedElements(of: discriminator) {
            tagsByElement[mapped.element.id, default: []].append(mapped.tag)
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
    /// A tag is the member whose text identifies the variant of a union. If a discriminator names it, only the missing
    /// texts are added. Other unions get a tag if their variants have a suitable member.
    func findTags() {
        let ids = models.keys.filter { union($0) != nil }.sorted()
        let haveDiscriminator = ids.filter { union($0)?.tag != nil }
        for id in ids {
            guard var union = union(id), union.tag == nil else { continue }
            inferTags(of: &union)
            models[id]?.kind = .union(union)
        }
        // Unions inside of others come last, since these take over their tags.
        for id in haveDiscriminator {
            guard var union = union(id), let tag = union.tag, let place = models[id]?.place else { continue }
            if isNeverText(tag, in: union) {
                note(.simplified, "the tag \(tag) of a union is not a text: its variants are tried in turn", at: place)
                union = Union(variants: union.variants.map { Union.Variant(schema: $0.schema, name: $0.name) })
            } else {
                addMissingTags(to: &union, tag)
            }
            models[id]?.kind = .union(union)
        }
        let tagsOfInnerUnions = haveDiscriminator.compactMap { id in
            union(id).map { (id: id, union: withTagsOfInnerUnions($0, id: id)) }
        }
        for (id, union) in tagsOfInnerUnions { models[id]?.kind = .union(union) }
    }

    /// The union with an identifier; nil if the model is something else.
    private func union(_ id: ModelID) -> Union? {
        if case .union(let union)? = models[id]?.kind { union } else { nil }
    }

    /// Whether the variants that describe the member of a tag have numbers or Booleans there, which OpenAPI does not
    /// allow.
    private func isNeverText(_ tag: String, in union: Union) -> Bool {
        let kinds = union.variants.compactMap { variant in
            model(variant.schema.kind)?.object?.members[tag]?.schema.kind.unlimited(in: models)
        }
        return !kinds.isEmpty && kinds.allSatisfy { $0.isNumber || $0.isBoolean }
    }

    /// Adds tags to the variants to which the mapping assigns none: the texts that the tag's member can have, or else
    /// the variant's name. Variants that are unions with the same tag are left out.
    private func addMissingTags(to union: inout Union, _ tag: String) {
        for index in union.variants.indices where union.variants[index].tags.isEmpty {
            guard case .model(let id) = union.variants[index].schema.kind else { continue }
            if self.union(id)?.tag == tag { continue }
            if let tags = tags(of: union.variants[index], member: tag) {
                union.variants[index].tags = tags
            } else if let name = models[id]?.name {
                union.variants[index].tags = [name]
            }
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
    private func tags(ofUnion start: ModelID, _ tag: String, besides outer: ModelID) -> [String] {
        var tags: Set<String> = []
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

    /// Finds the tag of a union without a discriminator, and adds it. It is a member of all objects, whose texts
    /// differ: `type`, if it is always `card` in one object and always `transfer` in the other.
    ///
    /// Variants that are not objects get no tags. Nothing changes if there is no such member.
    private func inferTags(of union: inout Union) {
        let indicesOfObjects = union.variants.indices.filter { index in
            model(union.variants[index].schema.kind)?.object != nil
        }
        guard indicesOfObjects.count > 1 else { return }
        let objects = indicesOfObjects.map { union.variants[$0] }
        let membersOfFirst = model(objects[0].schema.kind)?.object?.members.keys.sorted() ?? []
        // The usual names of tags are tried first.
        for name in ["type", "object", "kind"] + membersOfFirst {
            guard let tagsOfObjects = differentTags(of: objects, member: name) else { continue }
            union.tag = name
            for (index, tags) in zip(indicesOfObjects, tagsOfObjects) { union.variants[index].tags = tags }
            return
        }
    }

    /// The texts by which a member identifies each of some variants, in their order. Nil if one variant has no such
    /// texts, or if two have the same one.
    private func differentTags(of variants: [Union.Variant], member name: String) -> [[String]]? {
        var tagsOfVariants: [[String]] = []
        for variant in variants {
            guard let tags = tags(of: variant, member: name) else { return nil }
            tagsOfVariants.append(tags)
        }
        let texts = tagsOfVariants.joined()
        let areDifferent = Set(texts).count == texts.count
        return areDifferent ? tagsOfVariants : nil
    }

    /// The maximum number of texts that identify one variant. A member with more texts is unlikely to be a tag.
    private static let maximumTagsOfVariant = 7

    /// The texts by which a member identifies a variant: `card` for a member `type` that is always `card`.
    ///
    /// They are the member's constant text, or the texts of its enum. Nil if the variant does not have the member, or if
    /// the member may have too many other texts.
    private func tags(of variant: Union.Variant, member name: String) -> [String]? {
        let model = model(variant.schema.kind)
        switch model?.object?.members[name]?.schema.kind {
        case .constant(let text)?: return [text]
        case .model(let id)?:
            guard case .texts(let texts)? = models[id]?.kind else { return nil }
            return texts.count <= Self.maximumTagsOfVariant ? texts.map(\.value) : nil
        default: return nil
        }
    }
}

extension Element {
    /// Whether a variant describes values, and does not just require members that are described elsewhere.
    fileprivate var saysMoreThanRequired: Bool {
        guard case .object(let members) = node.content else { return true }
        return members.keys.contains { !["required", "not", "description", "title", "example"].contains($0) }
    }
}
