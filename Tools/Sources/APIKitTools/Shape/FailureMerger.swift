/// Merges the objects of an API's error responses into one.
struct FailureMerger {
    /// What the API reports for rejected requests.
    struct Result {
        /// The object; nil if no error response has one.
        let schema: Schema?
        /// The models, with those that merging has added or changed.
        let models: Models
        let notes: [Note]
    }

    /// Objects that are merged into one.
    private struct Merge: Hashable {
        let objects: Set<ModelID>
        /// Whether the values also have members with any other names.
        let isOpen: Bool
    }

    private let apiName: String
    private var models: Models
    private var notes: [Note] = []
    /// The identifiers of the models for the objects that are being merged.
    private var merges: [Merge: ModelID] = [:]
    /// How many objects have been merged.
    private var mergeCount = 0

    /// Finds the object that an API reports for rejected requests. If the error responses have several different
    /// objects, these are merged into one that has the members of all. The variants of a union of objects are merged in
    /// the same way.
    static func merged(_ api: API, apiName: String) -> Result {
        let rules = FailureRules(models: api.models)
        var objects: [ModelID: Schema] = [:]
        for schema in api.endpoints.flatMap(rules.errorSchemas).flatMap(rules.errorObjects) {
            if let id = schema.modelID { objects[id] = schema }
        }
        let schemas = objects.sorted { $0.key < $1.key }.map(\.value)
        var merger = FailureMerger(apiName: apiName, models: api.models)
        let schema = merger.failure(of: schemas)
        return Result(schema: schema, models: merger.models, notes: merger.notes)
    }

    private init(apiName: String, models: Models) {
        self.apiName = apiName
        self.models = models
    }

    /// Returns the only one of some error objects, or adds a merged one. Nil if there are none.
    private mutating func failure(of schemas: [Schema]) -> Schema? {
        guard let first = schemas.first else { return nil }
        if schemas.count > 1 { return addMergedFailure(of: schemas) }
        mergeUnions(inMembersOf: first)
        return first
    }

    /// Merges the variants of the unions that are members of the API's only error object, so that each of these members
    /// has a simpler type. If there are several error objects, ``mergeObjects(_:id:)`` does this.
    private mutating func mergeUnions(inMembersOf schema: Schema) {
        guard let id = schema.modelID, let members = models.object(schema)?.members else { return }
        for (name, member) in members where isUnionOfEqualTypes(member.schema.core) {
            let kind = mergeKinds(of: [member.schema], id: "\(apiName)Error/\(name)")
            models[id]?.object?.members[name]?.schema.kind = kind
        }
    }

    /// Adds a model with the members of all error objects, called `GitHubError` in an API `GitHub`, and returns its
    /// schema. There has to be at least one error object.
    private mutating func addMergedFailure(of schemas: [Schema]) -> Schema {
        let id = "\(apiName)Error"
        let key = Merge(objects: Set(schemas.compactMap(\.modelID)), isOpen: false)
        merges[key] = id
        let merged = mergeObjects(schemas, id: id)
        merges[key] = nil
        let schema = addModel(.object(merged), id: id, at: schemas[0].place)
        models[id]?.name = id
        models[id]?.documentation = "What the API reports for a rejected request."
        return schema
    }

    // MARK: - Merging

    /// Creates one object with the members of several: `{"code", "field", "text"}` for `{"code", "text"}` and
    /// `{"code", "field"}`. A member is required only if it is required in all of them.
    ///
    /// If the values of a member have to be merged too, new models are added for them.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the objects.
    ///   - id: The identifier of the merged object. Those of the new models in it begin with this text.
    /// - Returns: The merged object.
    private mutating func mergeObjects(_ schemas: [Schema], id: ModelID) -> Object {
        let objects = schemas.compactMap { models.object($0) }
        let names = Set(objects.flatMap(\.members.keys)).sorted()
        let members = names.map { name in
            let found = objects.compactMap { $0.members[name] }
            // What is not merged, such as the description, is that of the first object.
            var member = found[0]
            member.isRequired = found.count == objects.count && found.allSatisfy(\.isRequired)
            member.schema.kind = mergeKinds(of: found.map(\.schema), id: "\(id)/\(name)")
            member.schema.isNullable = found.contains { $0.schema.isNullable }
            return member
        }
        return Object(members)
    }

    /// The schemas of the values that are merged into one kind, by their types in JSON.
    private struct MergedValues {
        var texts: [Schema] = []
        var objects: [Schema] = []
        /// The values of dictionaries.
        var dictionaryValues: [Schema] = []
        /// The elements of lists.
        var elements: [Schema] = []
        /// Numbers, Booleans and any other values.
        var others: [Schema] = []
    }

    /// Finds the simplest kind that covers the values of all schemas.
    ///
    /// All objects become one object, all lists one list, and all enums of texts one enum. If there are values of
    /// several types in JSON, as with a member that is a text in one error and an object in another, the result is a
    /// union. The merged types and the union are added as models.
    ///
    /// - Parameters:
    ///   - schemas: The schemas of the values.
    ///   - id: The identifier of the union. Those of the other new models begin with this text, and end in a sign of
    ///     what is merged: `/""` for texts, `/[]` for elements of lists, `/{}` for objects, and `/*` for values of
    ///     dictionaries.
    /// - Returns: The kind. If only one variant is left, it is that of the variant.
    private mutating func mergeKinds(of schemas: [Schema], id: ModelID) -> Schema.Kind {
        let areEqual = schemas.allSatisfy { $0 == schemas[0] }
        if areEqual, !isUnionOfEqualTypes(schemas[0].core) { return schemas[0].kind }
        // The identifier grows with each level of nesting, so its length limits the depth.
        if id.count >= Self.longestMergedID { return .any }
        let values = sortedByType(schemas)
        var variants = values.others
        variants += mergedTexts(values.texts, id: "\(id)/\"\"")
        if let list = mergedList(ofElements: values.elements, id: "\(id)/[]") { variants.append(list) }
        if let object = mergedObject(values, id: "\(id)/{}") { variants.append(object) }
        return addUnion(of: variants.map { Union.Variant(schema: $0) }, id: id)
    }

    /// Whether a schema is a union without a tag in which two variants have the same type in JSON: two of them are
    /// objects, lists or texts. In an error, a case for each of them would be of no use, so they are merged.
    private func isUnionOfEqualTypes(_ schema: Schema) -> Bool {
        guard case .union(let union)? = models.model(schema)?.kind, union.tag == nil else { return false }
        let values = sortedByType(union.variants.map(\.schema))
        let objectCount = values.objects.count + values.dictionaryValues.count
        return objectCount > 1 || values.elements.count > 1 || values.texts.count > 1
    }

    /// Sorts schemas by the types of their values in JSON. A union is replaced by its variants.
    private func sortedByType(_ schemas: [Schema]) -> MergedValues {
        var values = MergedValues()
        var known: Set<Schema> = []
        var remaining = schemas[...]
        while let schema = remaining.popFirst() {
            guard known.insert(schema).inserted else { continue }
            if case .union(let union)? = models.model(schema)?.kind {
                remaining += union.variants.map(\.schema)
            } else if case .list(let element) = schema.kind {
                values.elements.append(element)
            } else if case .dictionary(let value) = schema.kind {
                values.dictionaryValues.append(value)
            } else if models.object(schema) != nil {
                values.objects.append(schema)
            } else if schema.isString || schema.kind.isLimitedText(in: models) {
                values.texts.append(schema)
            } else {
                values.others.append(schema)
            }
        }
        return values
    }

    /// Merges several schemas of texts into one. Enums and constants become an enum with the values of all. If one of
    /// the schemas allows other texts, the result is a text without limits.
    ///
    /// - Returns: A list of the merged schema, or the given list if it has fewer than two schemas.
    private mutating func mergedTexts(_ schemas: [Schema], id: ModelID) -> [Schema] {
        guard let first = schemas.first, schemas.count > 1 else { return schemas }
        var known: Set<String> = []
        var texts: [Text] = []
        for schema in schemas {
            let textsOfSchema: [Text]
            if case .constant(let text) = schema.kind {
                textsOfSchema = [Text(value: text)]
            } else if case .texts(let textsOfEnum)? = models.model(schema)?.kind {
                textsOfSchema = textsOfEnum
            } else {
                return [Schema(.string, place: first.place)]
            }
            for text in textsOfSchema {
                let isNew = known.insert(text.value).inserted
                if isNew { texts.append(text) }
            }
        }
        return [addModel(.texts(texts), id: id, at: first.place)]
    }

    /// Merges lists into one whose elements are merged. The elements of all lists are given together. Nil if there are
    /// no lists.
    private mutating func mergedList(ofElements elements: [Schema], id: ModelID) -> Schema? {
        guard let first = elements.first else { return nil }
        let element = Schema(mergeKinds(of: elements, id: id), place: first.place)
        return Schema(.list(element), place: first.place)
    }

    /// Merges objects and dictionaries into one schema. Nil if there are neither.
    ///
    /// - Only dictionaries become a dictionary whose values are merged.
    /// - Objects and dictionaries whose values have a type become a dictionary of any JSON.
    /// - A single object stays as it is.
    /// - Objects that are being merged already, further outside, have the outer merged object as their schema.
    /// - After ``maximumMerges`` merged objects, further ones are any JSON.
    /// - Other objects become an object with the members of all. If there are also dictionaries of any JSON, which may
    ///   be objects that are not described, all members are optional.
    private mutating func mergedObject(_ values: MergedValues, id: ModelID) -> Schema? {
        guard let place = (values.objects.first ?? values.dictionaryValues.first)?.place else { return nil }
        if values.objects.isEmpty {
            let value = Schema(mergeKinds(of: values.dictionaryValues, id: "\(id)/*"), place: place)
            return Schema(.dictionary(value), place: place)
        }
        let hasTypedDictionary = values.dictionaryValues.contains { !$0.isAny }
        if hasTypedDictionary { return Schema(.dictionary(Schema(.any, place: place)), place: place) }
        if values.objects.count == 1, values.dictionaryValues.isEmpty { return values.objects[0] }
        let key = Merge(objects: Set(values.objects.compactMap(\.modelID)), isOpen: !values.dictionaryValues.isEmpty)
        // These are members of the same objects, so the result contains itself. Merging them again would never end.
        if let outer = merges[key] { return Schema(.model(outer), place: place) }
        mergeCount += 1
        guard mergeCount <= Self.maximumMerges else {
            notes.append(Note(.simplified, "an object in a failure is any JSON", at: place))
            return Schema(.any, place: place)
        }
        merges[key] = id
        defer { merges[key] = nil }
        var merged = mergeObjects(values.objects, id: id)
        if !values.dictionaryValues.isEmpty {
            for name in merged.members.keys { merged.members[name]?.isRequired = false }
        }
        return addModel(.object(merged), id: id, at: place)
    }

    /// The maximum number of merged objects. Objects that contain each other in many ways would give far more, and the
    /// code for them would be too large to use.
    private static let maximumMerges = 500

    /// Adds a union as a model, and returns its kind. If it would have a single variant, that variant's kind is
    /// returned instead; without variants, it is any JSON.
    private mutating func addUnion(of variants: [Union.Variant], id: ModelID) -> Schema.Kind {
        let simplified = Union(variants: variants).simplifiedVariants(in: models)
        guard let first = simplified.first?.schema else { return .any }
        if simplified.count == 1 { return first.kind }
        return addModel(.union(Union(variants: simplified)), id: id, at: first.place).kind
    }

    /// The maximum length of the identifier of a merged model, which grows with each level of nesting. Without a limit,
    /// merging objects that contain themselves would never end.
    private static let longestMergedID = 300

    /// Adds a model without a name, and returns its schema.
    private mutating func addModel(_ kind: Model.Kind, id: ModelID, at place: Place) -> Schema {
        models[id] = Model(kind: kind, place: place)
        return Schema(.model(id), place: place)
    }
}
