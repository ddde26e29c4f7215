extension SchemaReader {
    /// The maximum number of variants of a union. Each is compared with all others, so the time grows with the square
    /// of the number.
    private static let maximumVariants = 500

    /// Reads the `oneOf` or `anyOf` of a schema.
    ///
    /// - Parameters:
    ///   - element: The schema with `oneOf` or `anyOf`.
    ///   - common: The members beside the variants, which each variant has too.
    ///   - owner: The schema that the union is for, if `element` is only a part of it.
    /// - Returns: The kind of the union; nil if the variants only restrict values that the schema describes elsewhere.
    /// - Throws: ``DescriptionError`` if a variant cannot be read.
    func union(_ element: Element, with common: Object?, for owner: Element? = nil) throws -> Schema.Kind? {
        let elements = try element.list("oneOf") ?? element.list("anyOf") ?? []
        guard elements.count <= Self.maximumVariants else {
            note(.simplified, "a union of \(elements.count) variants is any JSON", at: element.place)
            return .any
        }
        var variants: [Union.Variant] = []
        for variant in elements {
            guard variant.saysMoreThanRequired, try !isNull(variant) else { continue }
            var read = Union.Variant(schema: try schema(variant), name: variant.title)
            read.schema.isNullable = false
            if let common { read.schema = combined(read.schema, common, at: variant) }
            variants.append(read)
        }
        guard !variants.isEmpty else {
            let limitsTheSchema = elements.isEmpty || common != nil || element.has("type")
            return limitsTheSchema ? nil : .any
        }
        var union = Union(variants: variants)
        try addTags(to: &union, element)
        let owner = owner ?? element
        if let texts = texts(of: union) { return kind(of: texts, for: owner) }
        return simplified(union, for: owner)
    }

    /// A variant with the members that all variants have. Its identifier is that of the variant's element with a `+`.
    private func combined(_ schema: Schema, _ common: Object, at element: Element) -> Schema {
        guard let model = model(schema.kind), var object = model.object else {
            return schema
        }
        object.members.merge(common.members) { own, _ in own }
        var combined = schema
        combined.kind = add(
            Model(kind: .object(object), documentation: model.documentation, place: model.place),
            id: "\(element.id)+")
        return combined
    }

    /// The texts of a union whose variants are all texts, such as an enum with a description for each value; nil for
    /// other unions.
    private func texts(of union: Union) -> [Text]? {
        var texts: [Text] = []
        for variant in union.variants {
            switch variant.schema.kind {
            case .constant(let value):
                texts.append(Text(value: value, documentation: variant.schema.documentation))
            case .string: continue
            case .model(let id):
                guard case .texts(let values)? = models[id]?.kind else { return nil }
                texts += values
            default: return nil
            }
        }
        return texts.isEmpty ? nil : texts.filter { !$0.value.isEmpty }
    }

    /// The simplest kind that covers all values of a union.
    func simplified(_ union: Union, for element: Element) -> Schema.Kind {
        let variants = Union(variants: flattened(union)).simplifiedVariants(in: models)
        if variants.count == 1 { return variants[0].schema.kind }
        return addModel(.union(Union(variants: variants, tag: union.tag)), describedBy: element)
    }

    /// The variants, in which an unnamed inner union is replaced by its own variants. A union with another tag stays.
    private func flattened(_ union: Union) -> [Union.Variant] {
        union.variants.flatMap { variant -> [Union.Variant] in
            guard let model = model(variant.schema.kind), model.name == nil, case .union(let inner) = model.kind else {
                return [variant]
            }
            let tagIsKept = inner.tag == nil || inner.tag == union.tag
            return tagIsKept ? inner.variants : [variant]
        }
    }

    /// Whether texts are paths of members, such as `owner.name`. An enum of them cannot be complete.
    func hasPaths(_ kind: Schema.Kind) -> Bool {
        guard case .texts(let texts)? = model(kind)?.kind else { return false }
        return texts.map(\.value).contains { text in
            text.contains(".") && text.allSatisfy { $0.isLetter || "._".contains($0) }
        }
    }

    /// Whether a value can be sent as a single text: a number, a Boolean or a text, but not a list or an object.
    func isPlain(_ kind: Schema.Kind) -> Bool {
        switch kind {
        case .boolean, .integer, .number, .string: true
        default: kind.isText(in: models)
        }
    }
}

// MARK: - Tags

extension SchemaReader {
    /// Adds the tag of a `discriminator`, and the tag's values that its `mapping` assigns to variants.
    private func addTags(to union: inout Union, _ element: Element) throws {
        guard let discriminator = element.child("discriminator"), let tag = try discriminator.text("propertyName")
        else { return }
        union.tag = tag
        var mapped: [String: [String]] = [:]
        for (value, reference) in try discriminator.members("mapping") {
            guard case .text(let text) = reference.node.content else { continue }
            do {
                mapped[try mappedSchema(text, in: reference).id, default: []].append(value)
            } catch let error as DescriptionError {
                note(.simplified, "the tag \(value) of a union is unknown: \(error.message)", at: reference.place)
            }
        }
        for index in union.variants.indices {
            guard case .model(let id) = union.variants[index].schema.kind else { continue }
            // A variant that was combined with common members has the identifier of its element with a `+`.
            let elementID = id.hasSuffix("+") ? String(id.dropLast()) : id
            union.variants[index].tags = mapped[elementID] ?? []
        }
    }

    /// The schema that a mapping names, by a reference or by its name.
    private func mappedSchema(_ text: String, in reference: Element) throws -> Element {
        let isName = !text.contains("/") && !text.contains(".")
        let target = try documents.target(of: isName ? "#/components/schemas/\(text)" : text, in: reference)
        return try self.target(of: target)
    }

    /// Finds the tags that the description does not name. Called after all models have been read, so that the result
    /// does not depend on their order.
    func findTags() {
        let ids = models.keys.filter { union($0) != nil }.sorted()
        let haveDiscriminator = Set(ids.filter { union($0)?.tag != nil })
        var isChanged = true
        // A union takes over the tags of a union inside it, so this repeats until nothing changes.
        while isChanged {
            isChanged = false
            for id in ids {
                guard var union = union(id) else { continue }
                let old = union.variants.map(\.tags)
                if let tag = union.tag, haveDiscriminator.contains(id) {
                    addOwnTags(to: &union, tag)
                }
                if union.tag == nil { inferTags(of: &union) }
                guard union.variants.map(\.tags) != old else { continue }
                models[id]?.kind = .union(union)
                isChanged = true
            }
        }
    }

    private func union(_ id: ModelID) -> Union? {
        if case .union(let union)? = models[id]?.kind { union } else { nil }
    }

    /// Adds the tags of variants without a mapping: the constant of the tag's member, or else the variant's name.
    private func addOwnTags(to union: inout Union, _ tag: String) {
        for index in union.variants.indices where union.variants[index].tags.isEmpty {
            guard case .model(let id) = union.variants[index].schema.kind else { continue }
            if let tags = tags(of: union.variants[index], tag) {
                union.variants[index].tags = tags
            } else if let name = models[id]?.name {
                union.variants[index].tags = [name]
            }
        }
    }

    /// Finds the tag of a union without a discriminator: a member whose text differs in each object.
    private func inferTags(of union: inout Union) {
        let indices = union.variants.indices.filter { model(union.variants[$0].schema.kind)?.object != nil }
        guard indices.count > 1 else { return }
        let first = model(union.variants[indices[0]].schema.kind)?.object
        // The usual names of tags are tried first, then all members of the first object.
        for tag in ["type", "object", "kind"] + (first?.members.keys.sorted() ?? []) {
            let tags = indices.compactMap { self.tags(of: union.variants[$0], tag) }
            let all = tags.joined()
            guard tags.count == indices.count, Set(all).count == all.count else { continue }
            union.tag = tag
            for (index, tags) in zip(indices, tags) { union.variants[index].tags = tags }
            return
        }
    }

    /// The texts that a member can have in a variant; nil if the variant does not have the member or does not limit its
    /// texts. An enum of many texts is unlikely to be a tag.
    private func tags(of variant: Union.Variant, _ tag: String) -> [String]? {
        let model = model(variant.schema.kind)
        if case .union(let inner)? = model?.kind, inner.tag == tag {
            return inner.variants.flatMap(\.tags)
        }
        switch model?.object?.members[tag]?.schema.kind {
        case .constant(let text)?: return [text]
        case .model(let id)?:
            guard case .texts(let texts)? = models[id]?.kind, texts.count < 8 else {
                return nil
            }
            return texts.map(\.value)
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
