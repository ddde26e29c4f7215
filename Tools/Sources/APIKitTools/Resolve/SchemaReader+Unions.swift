import OpenAPIRules

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
        let elements = try variantElements(of: element) ?? []
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
    static func elementID(of model: ModelID) -> String {
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

extension Element {
    /// Whether a variant describes values, and does not just require members that are described elsewhere.
    fileprivate var saysMoreThanRequired: Bool {
        guard case .object(let members) = node.content else { return true }
        return members.keys.contains { !["required", "not", "description", "title", "example"].contains($0) }
    }
}
