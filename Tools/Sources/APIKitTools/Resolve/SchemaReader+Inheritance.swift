import OpenAPIRules

// A `discriminator` by inheritance, as tools for .NET, Java and TypeSpec write it: a base names the member whose text
// says what a value is, and other schemas, its children, have the base in their `allOf`.

extension SchemaReader {
    /// Reads a base of inheritance as the union of its children, the schemas that have the base in their `allOf`. Nil
    /// if the schema is not such a base.
    ///
    ///     Pet: { discriminator: { propertyName: petType }, properties: … }
    ///     Cat: { allOf: [{ $ref: Pet }, { properties: … }] }
    ///
    /// A value of `Pet` is then a `Cat` or another child. In the `allOf` of a child, the base still means its members
    /// only: ``composed(_:)`` does not call this function for the parts of a schema.
    ///
    /// The variants are the schemas that the mapping names, among them the base if it is one of them, and the children
    /// that choose the tag's text themselves. Without a mapping, all children are variants, also those of children.
    func inheritance(_ element: Element) throws -> Schema.Kind? {
        guard let discriminator = element.child("discriminator") else { return nil }
        // With one of these keywords, the discriminator is that of their variants.
        if element.hasAny(of: "oneOf", "anyOf") { return nil }
        guard let tag = try discriminator.text("propertyName") else { return nil }
        let mapped = mappedElements(of: discriminator)
        let children = elementsOfVariants(ofBase: element, tag: tag, mapped: mapped)
        if children.isEmpty { return nil }
        guard children.count <= Self.maximumVariants else {
            note(.simplified, "the \(children.count) children of an object are not generated", at: element.place)
            return nil
        }
        let tagsByID = Dictionary(grouping: mapped, by: \.element.id).mapValues { $0.map(\.tag).sorted() }
        var variants: [Union.Variant] = []
        for child in children {
            var variant = Union.Variant(schema: try membersOnly(of: child, base: element))
            if let mappedTags = tagsByID[child.id] {
                variant.tags = mappedTags.map(Tag.text)
            } else if let tagOfChild = ownTag(of: child) {
                variant.tags = [.text(tagOfChild)]
            }
            // A mapping may lead to the base, whose values are then one of the variants.
            let isBaseItself = child.id == element.id
            if isBaseItself { variant.name = "base" }
            variants.append(variant)
        }
        let kind = addModel(.union(Union(variants: variants, tag: tag)), describedBy: element)
        basesOfInheritance.insert(element.id)
        return kind
    }

    /// The schemas that are the variants of a base, in the order of their identifiers. Empty if it has no children.
    ///
    /// With a mapping, these are the mapped schemas, and the children that choose the tag's text themselves. Without
    /// one, they are all children, except for those that are only bases of other children.
    private func elementsOfVariants(ofBase base: Element, tag: String, mapped: [MappedElement]) -> [Element] {
        let descendants = descendants(of: base)
        // A mapping to the base alone does not describe children.
        let hasMapping = mapped.contains { $0.element.id != base.id }
        if descendants.isEmpty, !hasMapping { return [] }
        var elementsByID: [String: Element] = [:]
        for item in mapped { elementsByID[item.element.id] = item.element }
        for child in descendants where elementsByID[child.id] == nil {
            let isVariant = hasMapping ? fixesTagValue(child, tag) : !isBase(child, tag)
            if isVariant { elementsByID[child.id] = child }
        }
        return elementsByID.values.sorted { $0.id < $1.id }
    }

    /// The schema of a variant. If the variant is a base itself, the schema is an object with the members of the base.
    ///
    /// Everywhere else, a base is the union of its children. So this object is a model of its own, which has no name in
    /// the description.
    private func membersOnly(of element: Element, base: Element) throws -> Schema {
        let isBaseOfOthers = element.has("discriminator") && hasChildren(element)
        guard isBaseOfOthers || element.id == base.id else {
            var schema = try schema(element)
            schema.isNullable = false
            return schema
        }
        let id = element.id + Self.membersSuffix
        // Several bases may have the same child.
        if models[id] == nil { models[id] = Model(kind: .object(try members(of: element)), place: element.place) }
        return Schema(.model(id), place: element.place)
    }

    /// The end of the identifier of the model for the members of a base. The rest is that of its element.
    private static let membersSuffix = "<members>"

    // MARK: - Tags

    /// A schema that the mapping of a discriminator names.
    struct MappedElement {
        let tag: String
        let element: Element
    }

    /// The schemas that a mapping names. An entry that leads nowhere gets a note.
    func mappedElements(of discriminator: Element) -> [MappedElement] {
        var mapped: [MappedElement] = []
        for (tag, reference) in (try? discriminator.members("mapping")) ?? [] {
            guard case .text(let text) = reference.node.content else { continue }
            do {
                mapped.append(MappedElement(tag: tag, element: try mappedElement(text, in: reference)))
            } catch let error as DescriptionError {
                note(.simplified, "the tag \(tag) of a union is unknown: \(error.message)", at: reference.place)
            } catch {
                continue
            }
        }
        return mapped
    }

    /// Whether a schema fixes the value of its tag, by an extension or by a constant. A part with a `$ref` is skipped,
    /// since it is the base, whose tag has the values of all children.
    private func fixesTagValue(_ element: Element, _ tag: String) -> Bool {
        if ownTag(of: element) != nil { return true }
        let parts = [element] + ((try? element.list("allOf")) ?? [])
        return parts.contains { part in
            guard !part.has("$ref"), let member = part.child("properties")?.child(tag) else { return false }
            return member.hasAny(of: "const", "enum")
        }
    }

    /// The text of the tag that a schema names in an extension of tools for Azure; nil if it names none.
    private func ownTag(of element: Element) -> String? { element.prose("x-ms-discriminator-value") }

    /// Whether a child is a base too, whose children are identified by the same tag.
    private func isBase(_ element: Element, _ tag: String) -> Bool {
        let hasSameTag = element.child("discriminator")?.prose("propertyName") == tag
        return hasSameTag && hasChildren(element)
    }

    /// A member of a model that is the tag of a union.
    private struct TagMember: Hashable {
        let model: ModelID
        let name: String
    }

    /// Makes the tag a constant in each variant of a base that is identified by a single value: `petType` of a `Cat` is
    /// always `cat`. The constant is then sent without the caller's help. Called after the tags of all unions are
    /// known.
    ///
    /// A child of several bases may have another value in each of them. Its tag is then sent by the caller.
    func setTagsOfChildren() {
        var tagsByMember: [TagMember: Set<Tag>] = [:]
        for id in basesOfInheritance {
            guard case .union(let union)? = models[id]?.kind, let tag = union.tag else { continue }
            for variant in union.variants {
                guard let child = variant.schema.modelID else { continue }
                tagsByMember[TagMember(model: child, name: tag), default: []].formUnion(variant.tags)
            }
        }
        for (key, tags) in tagsByMember {
            guard tags.count == 1, let tag = tags.first, var member = models[key.model]?.object?.members[key.name]
            else {
                continue
            }
            guard let constant = constant(tag, for: member.schema) else { continue }
            // OpenAPI requires the tag to be required, which descriptions often forget.
            member.schema.kind = constant
            member.schema.isNullable = false
            member.isRequired = true
            models[key.model]?.object?.members[key.name] = member
        }
    }

    /// The kind of a member that always has the value of a tag. Nil if the member's values are of another type, or if
    /// it is a constant already.
    private func constant(_ tag: Tag, for schema: Schema) -> Schema.Kind? {
        let kind = schema.kind.unlimited(in: models)
        switch tag {
        case .text(let text):
            let isText = schema.isAny || schema.isString || isEnumOfTexts(schema)
            return isText ? .constant(text) : nil
        case .number(let number):
            return kind.isNumber && kind != .unixTime ? .fixed(number, kind) : nil
        case .boolean(let flag):
            return kind.isBoolean ? .fixed("\(flag)", .boolean) : nil
        }
    }

    private func isEnumOfTexts(_ schema: Schema) -> Bool {
        if case .texts? = model(schema.kind)?.kind { true } else { false }
    }

    // MARK: - Children

    /// Whether another named schema has a schema in its `allOf`.
    private func hasChildren(_ base: Element) -> Bool { children[base.id]?.contains { $0.id != base.id } ?? false }

    /// The named schemas that have a schema in their `allOf`, directly or through others, in the order of their places.
    func descendants(of base: Element) -> [Element] {
        var found: [String: Element] = [:]
        var work = [base.id]
        while let id = work.popLast() {
            for child in children[id] ?? [] where child.id != base.id && found[child.id] == nil {
                found[child.id] = child
                work.append(child.id)
            }
        }
        return found.values.sorted { $0.id < $1.id }
    }

    /// Finds the named schemas that have each schema in their `allOf`, by the identifier of that schema.
    ///
    /// A reference that leads nowhere is ignored here: it is an error of the operation that uses the schema.
    static func children(in documents: Documents, reader: SchemaReader) -> [String: [Element]] {
        let components = try? documents.mainRoot().child("components")?.members("schemas")
        var children: [String: [Element]] = [:]
        var known: Set<String> = []
        for (_, component) in components ?? [] {
            guard let child = try? reader.target(of: component) else { continue }
            // Several components may be references to the same schema.
            let isNew = known.insert(child.id).inserted
            guard isNew else { continue }
            for part in (try? child.list("allOf")) ?? [] {
                guard part.has("$ref"), let parent = try? reader.target(of: part) else { continue }
                children[parent.id, default: []].append(child)
            }
        }
        return children
    }
}
